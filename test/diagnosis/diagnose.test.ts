import { describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/audit/report-data.ts';
import { lowerBound, pValue, upperBound } from '../../src/diagnosis/bound.ts';
import {
  type DiagnosisInput,
  diagnose,
  headline,
  type JudgedSimulator,
  poolConcentration,
  type Verdict,
} from '../../src/diagnosis/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';

const figure = (value: number, half: number, method = 'jackknife-context(G=50)'): Figure => ({
  value,
  low: value - half,
  high: value + half,
  n: 200,
  method,
});
const none = missing('no human reference');
const broad: JudgedSimulator = {
  id: 'broad',
  n: 200,
  mci: figure(0.08, 0.02),
  spread: figure(1, 0.1),
  outside: figure(0.05, 0.02),
  versusReference: null,
  verdict: 'not narrow',
};
const narrow: JudgedSimulator = {
  ...broad,
  id: 'terse',
  mci: figure(0.7, 0.05),
  spread: figure(0.2, 0.1),
  versusReference: { mci: figure(0.6, 0.06), mciHolm: 0.001 },
  verdict: 'narrow',
};
const healthy: DiagnosisInput = {
  space: { k: 24 },
  simulators: [broad],
  reference: null,
  scd: { pooled2: figure(0.2, 0.05), pooled2Within: figure(0.7, 0.05), pooled2Alike: figure(0.1, 0.05) },
  bdi: { headline: none, g0: null },
  psod: { ...none, rise: none, trend: none },
  trend: [],
  missing: [],
  confounds: [],
};
const find = (verdicts: Verdict[], mode: Verdict['mode']) => verdicts.find((v) => v.mode === mode)!;
const level = (input: DiagnosisInput, mode: Verdict['mode']) => find(diagnose(input), mode).level;

it('takes a whole report as its input', () => {
  const check = (report: AuditReport): DiagnosisInput => report;
  expect(check).toBeTypeOf('function');
});

it('always gives the four verdicts in one order', () => {
  expect(diagnose(healthy).map((v) => v.mode)).toEqual([
    'mode collapse',
    'coverage gap',
    'co-adaptation',
    'joint signature',
  ]);
});

describe('mode collapse', () => {
  it('is present where the lower bound of SCD2 is above the threshold', () => {
    const input = { ...healthy, scd: { ...healthy.scd, pooled2: figure(0.85, 0.1) } };
    const verdict = find(diagnose(input), 'mode collapse');
    expect(verdict.level).toBe('present');
    expect(verdict.evidence.join(' ')).toContain('0.85 [0.75, 0.95]');
    expect(verdict.confidence).toBeGreaterThan(0.99);
  });
  it('is present where one simulator is narrow, and names it', () => {
    const verdict = find(diagnose({ ...healthy, simulators: [broad, narrow] }), 'mode collapse');
    expect(verdict.level).toBe('present');
    expect(verdict.evidence.join(' ')).toContain('terse is narrow: MCI 0.70 [0.65, 0.75]');
    expect(verdict.advice.join(' ')).toContain('terse');
    expect(verdict.confidence).toBeCloseTo(0.998, 3);
  });
  it("is held against people's own SCD2 where they are known", () => {
    const reference = { id: 'people', scd2: figure(0.1, 0.05) };
    const scd = { ...healthy.scd, pooled2: figure(0.45, 0.1) };
    expect(level({ ...healthy, scd }, 'mode collapse')).toBe('absent');
    expect(level({ ...healthy, scd, reference }, 'mode collapse')).toBe('present');
  });
  it('takes other thresholds by name', () => {
    const verdict = find(diagnose(healthy, { scd: 0.1 }), 'mode collapse');
    expect(verdict.level).toBe('present');
  });
  it('is undecided with the reason where SCD2 is missing', () => {
    const input = { ...healthy, scd: { ...healthy.scd, pooled2: missing('fewer than 2 contexts') } };
    const verdict = find(diagnose(input), 'mode collapse');
    expect(verdict).toMatchObject({ level: 'undecided', confidence: null });
    expect(verdict.evidence.join(' ')).toContain('fewer than 2 contexts');
  });
  it('says which simulators cannot be told from their policy', () => {
    const confounds = [{ kind: 'one-policy', simulator: 'broad' }];
    const verdict = find(diagnose({ ...healthy, confounds }), 'mode collapse');
    expect(verdict.evidence.at(-1)).toContain('one policy only');
  });
});

describe('coverage gap', () => {
  const withBdi = (f: Figure) => ({ ...healthy, bdi: { headline: f, g0: 30 } });
  it('follows the interval around its threshold', () => {
    expect(level(withBdi(figure(0.4, 0.1)), 'coverage gap')).toBe('present');
    expect(level(withBdi(figure(0.95, 0.05)), 'coverage gap')).toBe('absent');
    expect(level(withBdi(figure(0.8, 0.1)), 'coverage gap')).toBe('undecided');
    expect(level(healthy, 'coverage gap')).toBe('undecided');
  });
  it('names the heaviest missing modes', () => {
    const input = {
      ...withBdi(figure(0.4, 0.1)),
      missing: [
        { mode: 3, mass: figure(0.05, 0.02), p: 0.01 },
        { mode: 9, mass: figure(0.2, 0.02), p: 0.001 },
      ],
    };
    const text = find(diagnose(input), 'coverage gap').evidence.join(' ');
    expect(text.indexOf('mode 9')).toBeGreaterThan(0);
    expect(text.indexOf('mode 9')).toBeLessThan(text.indexOf('mode 3'));
  });
});

describe('co-adaptation', () => {
  const withPsod = (rise: Figure, trend: Figure) => ({
    ...healthy,
    psod: { ...figure(0.3, 0.1), rise, trend },
  });
  it('needs a rise and a trend', () => {
    expect(level(withPsod(figure(0.2, 0.1), figure(0.02, 0.01)), 'co-adaptation')).toBe('present');
    expect(level(withPsod(figure(0.2, 0.1), figure(-0.02, 0.01)), 'co-adaptation')).toBe('undecided');
    expect(level(withPsod(figure(0, 0.03), figure(0, 0.01)), 'co-adaptation')).toBe('absent');
    expect(level(withPsod(figure(0.05, 0.1), figure(0, 0.01)), 'co-adaptation')).toBe('undecided');
  });
  it('does not take PSOD itself for its rise', () => {
    const input = withPsod(missing('no base checkpoint'), figure(0.02, 0.01));
    const verdict = find(diagnose(input), 'co-adaptation');
    expect(verdict.level).toBe('undecided');
    expect(verdict.evidence.join(' ')).toContain('no base checkpoint');
  });
});

describe('the joint signature', () => {
  const trend = (zero: Figure) => [
    { metric: 'reward.seen', slope: figure(0.05, 0.02) },
    { metric: 'reward.heldOut', slope: figure(-0.05, 0.02) },
    { metric: 'variance.simulator', slope: figure(-0.02, 0.01) },
    { metric: 'zeroVariance', slope: zero },
  ];
  it('needs all four parts', () => {
    expect(level({ ...healthy, trend: trend(figure(0.1, 0.05)) }, 'joint signature')).toBe('present');
    expect(level({ ...healthy, trend: trend(figure(0.1, 0.2)) }, 'joint signature')).toBe('undecided');
    expect(level({ ...healthy, trend: trend(figure(-0.1, 0.05)) }, 'joint signature')).toBe('absent');
    expect(level({ ...healthy, trend: trend(figure(0.1, 0.05)).slice(0, 3) }, 'joint signature')).toBe(
      'undecided',
    );
  });
  it('does not ask for what no rollout file holds', () => {
    const recorded = trend(figure(0.1, 0.05)).filter(({ metric }) => metric !== 'variance.simulator');
    const verdict = find(diagnose({ ...healthy, trend: recorded }), 'joint signature');
    expect(verdict.level).toBe('undecided');
    expect(verdict.evidence.join(' ')).toContain('needs nested re-simulation');
    expect(verdict.advice).toEqual(['Go on watching: part of the signature is not shown.']);
  });
});

describe('the headline', () => {
  it('says of whom the dialogues are not in English', () => {
    const confounds = [{ kind: 'language', simulator: 'broad' }];
    expect(line({ ...healthy, confounds })).toMatch(
      / \((the dialogues|those of 1 of the simulators) are not in English\)\.$/,
    );
    expect(line({ ...healthy, confounds: [{ kind: 'language', simulator: null }] })).not.toContain('English');
  });
  const line = (input: DiagnosisInput) => headline({ ...input, diagnosis: diagnose(input) });
  it('says what was found, with numbers', () => {
    const input = {
      ...healthy,
      simulators: [broad, narrow],
      bdi: { headline: figure(0.43, 0.05), g0: 30 },
    };
    expect(line(input)).toBe(
      '1 of 2 simulators is narrow (terse) and the data cover 43 % [38 % to 48 %] of what fresh people cover.',
    );
  });
  it('says what was not found, and what was not decided', () => {
    expect(line(healthy)).toBe(
      'No sign of mode collapse; not decided: coverage gap, co-adaptation and joint signature.',
    );
  });
  it('names what is open where nothing is decided', () => {
    const open = { ...broad, verdict: 'undecided' as const };
    expect(line({ ...healthy, simulators: [open, broad] })).toBe(
      'Nothing is decided yet: SCD2 is 0.20 [0.15 to 0.25], and broad may be narrow.',
    );
  });
  it('says why nothing can be said', () => {
    const input = {
      ...healthy,
      scd: { ...healthy.scd, pooled2: missing('fewer than 2 contexts') },
      confounds: [{ kind: 'one-policy', simulator: 'broad' }],
    };
    expect(line(input)).toBe('Nothing can be said yet: fewer than 2 contexts (it met one policy only).');
  });
});

describe('bounds of a figure', () => {
  it('turn a 95 % t interval into a one-sided bound of any level', () => {
    const f = figure(0.5, 2.0096 * 0.1);
    expect(lowerBound(f, 0.025)).toBeCloseTo(f.low!, 4);
    expect(upperBound(f, 0.025)).toBeCloseTo(f.high!, 4);
    expect(lowerBound(f, 0.05)).toBeCloseTo(0.5 - 1.6766 * 0.1, 3);
    expect(pValue(f, 'above', 0.5)).toBeCloseTo(0.5, 6);
    expect(pValue(f, 'above', f.low!)).toBeCloseTo(0.025, 4);
  });
  it("prefer a figure's own standard error, and count groups, not contexts", () => {
    const f = { ...figure(0.5, 0.1), se: 0.01, df: 9 };
    expect(lowerBound(f, 0.05)).toBeCloseTo(0.5 - 1.8331 * 0.01, 5);
    const grouped = figure(0.5, 2.0096 * 0.1, 'jackknife-context(G=120, groups=50)');
    expect(lowerBound(grouped, 0.05)).toBeCloseTo(0.5 - 1.6766 * 0.1, 3);
  });
  it('use the normal law where the method names no groups', () => {
    expect(lowerBound(figure(0, 1.959964, 'wald'), 0.05)).toBeCloseTo(-1.644854, 4);
  });
  it('are unknown without an interval', () => {
    expect(lowerBound({ ...figure(0.5, 0.1), low: null }, 0.05)).toBeNull();
    expect(pValue(none, 'above', 0)).toBeNull();
  });
  it("solves SCD2 for the pool's concentration", () => {
    expect(poolConcentration(figure(1, 0), 24)).toBe(1);
    expect(poolConcentration(figure(0, 0), 24)).toBeCloseTo(1 / 24, 12);
    expect(poolConcentration(none, 24)).toBeNull();
  });
});
