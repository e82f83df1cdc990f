import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSimulator, type SimulatorEvidence, simulatorVerdict } from '../../src/diagnosis/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';

const figure = (value: number, half = 0): Figure => ({
  value,
  low: value - half,
  high: value + half,
  n: 200,
  method: 'jackknife-context(G=50)',
});
const against = (difference: Figure, mciHolm: number | null = null) => ({ mci: difference, mciHolm });
const simulator = (parts: Partial<SimulatorEvidence>): SimulatorEvidence => ({
  id: 's',
  n: 200,
  mci: figure(0.5, 0.05),
  spread: figure(0.3, 0.1),
  outside: figure(0.1, 0.05),
  versusReference: against(figure(0.4, 0.1)),
  ...parts,
});
const pool = { mci: 0.1, simulators: 5 };

describe('a simulator held against people', () => {
  it('is narrow where MCI is above theirs and the spread surely small', () => {
    expect(simulatorVerdict(simulator({}), pool)).toBe('narrow');
  });
  it('is one style, varied, where MCI is above theirs and the spread is wide', () => {
    expect(simulatorVerdict(simulator({ spread: figure(0.9, 0.3) }), pool)).toBe('one style, varied');
  });
  it('is undecided where the spread is neither', () => {
    expect(simulatorVerdict(simulator({ spread: figure(0.6, 0.2) }), pool)).toBe('undecided');
  });
  it('is off support where most rows are outside, whatever else holds', () => {
    expect(simulatorVerdict(simulator({ outside: figure(0.51) }), pool)).toBe('off support');
    expect(simulatorVerdict(simulator({ outside: figure(0.5) }), pool)).not.toBe('off support');
  });
  it('is not narrow where MCI is not above theirs', () => {
    expect(simulatorVerdict(simulator({ versusReference: against(figure(-0.01, 0.1)) }), pool)).toBe(
      'not narrow',
    );
    expect(simulatorVerdict(simulator({ versusReference: against(figure(0.01, 0.03)) }), pool)).toBe(
      'not narrow',
    );
  });
  it('is undecided where MCI may be above theirs and the spread may be small', () => {
    expect(simulatorVerdict(simulator({ versusReference: against(figure(0.2, 0.3)) }), pool)).toBe(
      'undecided',
    );
  });
  it("is undecided where the difference does not survive Holm's adjustment", () => {
    const reading = readSimulator(simulator({ versusReference: against(figure(0.1, 0.09), 0.2) }), pool);
    expect(reading.verdict).toBe('undecided');
    expect(reading.reason).toContain('Holm');
  });
  it('is undecided with the reason where a figure is missing', () => {
    const reading = readSimulator(simulator({ spread: missing('too few rows') }), pool);
    expect(reading).toMatchObject({ verdict: 'undecided', reason: expect.stringContaining('too few rows') });
    const other = readSimulator(
      simulator({ versusReference: against(missing('off support')), spread: figure(0.3, 0.3) }),
      pool,
    );
    expect(other).toMatchObject({ verdict: 'undecided', reason: expect.stringContaining('off support') });
  });
});

describe('a simulator without people', () => {
  const alone = (mci: Figure, spread = figure(0.3, 0.1)) => simulator({ mci, spread, versusReference: null });
  it("is held against twice the pool's concentration", () => {
    expect(simulatorVerdict(alone(figure(0.3, 0.05)), pool)).toBe('narrow');
    expect(simulatorVerdict(alone(figure(0.24, 0.05)), pool)).toBe('undecided');
    expect(simulatorVerdict(alone(figure(0.15, 0.02)), pool)).toBe('not narrow');
  });
  it("is undecided where that does not survive Holm's adjustment", () => {
    const reading = readSimulator(alone(figure(0.3, 0.05)), { ...pool, holm: 0.06 });
    expect(reading.verdict).toBe('undecided');
    expect(reading.reason).toContain('Holm');
    expect(simulatorVerdict(alone(figure(0.3, 0.05)), { ...pool, holm: 0.04 })).toBe('narrow');
  });
  it('is undecided where there is no pool either', () => {
    expect(simulatorVerdict(alone(figure(0.9, 0.01)), { mci: 0.9, simulators: 1 })).toBe('undecided');
    // Over its own pool its spread is 1, whatever it does.
    expect(simulatorVerdict(alone(figure(0.2, 0.01), figure(1)), { mci: 0.2, simulators: 1 })).toBe(
      'undecided',
    );
  });
});

it('never reads narrow without both a high MCI and a small spread', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -0.5, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.double({ min: 0, max: 2, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (difference, half, spread, spreadHalf) => {
        const verdict = simulatorVerdict(
          simulator({
            versusReference: against(figure(difference, half)),
            spread: figure(spread, spreadHalf),
          }),
          pool,
        );
        if (verdict === 'narrow') {
          expect(difference - half).toBeGreaterThan(0);
          expect(spread + spreadHalf).toBeLessThan(0.5);
        }
        if (verdict === 'one style, varied') expect(spread).toBeGreaterThanOrEqual(0.8);
      },
    ),
  );
});
