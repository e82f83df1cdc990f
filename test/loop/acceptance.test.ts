import { describe, expect, it } from 'vitest';
import { DATA_RULES, firstDataPlan, nextDataPlan } from '../../src/loop/data-rules.ts';
import { guaranteeOf } from '../../src/loop/guarantee.ts';
import { acceptanceRule, judgeAcceptance, type Yardstick } from '../../src/loop/index.ts';
import { soundExam, soundProbe } from '../../src/loop/sound-rows.ts';
import { hashOrder } from '../../src/math/index.ts';
import { missing, tallyOf } from '../../src/metrics/index.ts';
import { fakeSettings } from './fake-world.ts';

const K = 6;
const rule = acceptanceRule(0.05, 0.05, 3);

/** 100 contexts x 4 episodes over the first `modes` modes. */
const probed = (id: string, modes: number, from = 0, order: (n: number) => number = (n) => n) => {
  const at = Array.from({ length: 400 }, (_, n) => order(n));
  return {
    id,
    tally: tallyOf({
      k: K,
      unit: at.map((n) => from + (n % 100)),
      cell: at.map((n) => Math.floor(hashOrder(`${n}`, 1) * modes)),
      outside: at.map((n) => hashOrder(`${n}`, 2) < 0.05),
    }),
  };
};
const people = (from: number): Yardstick => {
  const part = (first: number) =>
    tallyOf({
      k: K,
      unit: Array.from({ length: 60 }, (_, n) => first + n),
      cell: Array.from({ length: 60 }, (_, n) => n % K),
      outside: Array.from({ length: 60 }, () => false),
    });
  return { mass: part(from), ceiling: part(from + 60) };
};
const judge = (proposed: ReturnType<typeof probed>, best: ReturnType<typeof probed>, with_ = true) =>
  judgeAcceptance(rule, proposed, { scd2: best, bdi: best }, best, with_ ? people(1000) : null);

describe('the acceptance rule', () => {
  it('takes what shows more modes and refuses what shows fewer, with people and without', () => {
    for (const with_ of [true, false]) {
      expect(judge(probed('wide', 6), probed('best', 2), with_)).toMatchObject({ accepted: true });
      const refused = judge(probed('narrow', 2), probed('best', 6), with_);
      expect(refused.accepted).toBe(false);
      expect(refused.reason).toMatch(/rolled back: SCD2 may be up by/);
    }
  });

  it('says the same in whichever order rows come', () => {
    const forward = judge(probed('p', 6), probed('b', 5));
    const backward = judge(
      probed('p', 6, 0, (n) => 399 - n),
      probed('b', 5, 0, (n) => (n * 7) % 400),
    );
    expect(backward).toEqual(forward);
  });

  it('refuses where nothing can be compared, and says why', () => {
    const empty = { id: 'none', tally: tallyOf({ k: K, unit: [], cell: [], outside: [] }) };
    for (const with_ of [true, false])
      for (const [proposed, best] of [
        [empty, probed('b', 3)],
        [probed('p', 3), empty],
        [empty, empty],
      ] as const) {
        const verdict = judge(proposed, best, with_);
        expect(verdict.accepted).toBe(false);
        expect(verdict.reason).toContain('cannot be compared');
      }
  });

  it('counts as lost what a mode that neither shows can hide: in the verdict and in the bound', () => {
    // Four of six modes, with one luck on both sides: nothing differs, and a jackknife is sure of it.
    const [proposed, best] = [probed('p', 4), probed('b', 4)];
    for (const with_ of [true, false]) {
      const { bdi, scd2, realism } = judge(proposed, best, with_);
      expect(bdi.difference.value).toBe(0);
      expect(bdi.difference.se).toBe(0);
      expect(bdi.hidden).toBeGreaterThan(0.01);
      expect(bdi.bound).toBe(-bdi.hidden!);
      // Only BDI has modes to lose.
      expect([scd2.hidden, realism.hidden]).toEqual([undefined, undefined]);
    }
    // All six shown often: nothing to hide.
    const wide = judge(probed('p', 6), probed('b', 6), false).bdi;
    expect(wide.hidden ?? 0).toBeLessThan(1e-4);
    expect(wide.bound).toBe(-(wide.hidden ?? 0));
  });

  it('refuses a seldom shown mode lost under one luck, which the interval alone lets pass', () => {
    // Four rows a context; two contexts of 100 show the rare mode, and the proposed population shows others there.
    const rare = (id: string, lost: boolean) => {
      const at = Array.from({ length: 400 }, (_, n) => n);
      const cell = at.map((n) => (n < 2 ? (lost ? 0 : 1) : 2 + Math.floor(hashOrder(`${n}`, 1) * 4)));
      return {
        id,
        tally: tallyOf({ k: K, unit: at.map((n) => n % 100), cell, outside: at.map(() => false) }),
      };
    };
    const [proposed, best] = [rare('p', true), rare('b', false)];
    const { bdi, reason, accepted } = judge(proposed, best, false);
    expect(bdi.hidden).toBeGreaterThan(0.05);
    expect(bdi.holds).toBe(false);
    expect(accepted).toBe(false);
    expect(reason).toContain('BDI may be down by');
  });

  it('takes no standard error of SCD2 below that of a loss of delta, whatever the luck has in common', () => {
    const [proposed, best] = [probed('p', 6), probed('b', 6)];
    const { scd2 } = judge(proposed, best);
    expect(scd2.difference.value).toBe(0);
    expect(scd2.difference.se).toBeGreaterThan(0.001);
    expect(scd2.bound).toBeGreaterThan(0);
    expect(scd2.holds).toBe(true);
  });

  it('moves nothing where no size is common to all: BDI cannot be compared', () => {
    const lone = (id: string) => ({
      id,
      tally: tallyOf({ k: K, unit: [0, 0, 0], cell: [0, 1, 2], outside: [false, false, false] }),
    });
    const { bdi, accepted } = judge(lone('p'), lone('b'), false);
    expect(bdi).toMatchObject({ bound: null, holds: false });
    expect(bdi.hidden).toBeUndefined();
    expect(accepted).toBe(false);
  });

  it('shares its level among bounds and rounds', () => {
    expect(rule.level).toBeCloseTo(0.05 / 9, 12);
    const [said] = guaranteeOf(fakeSettings({ rounds: 3 }), []);
    expect(said).toContain('none of the 0 accepted populations');
    expect(said).toContain('0.05 / (3 x 3 rounds)');
  });
});

describe('rules of the data plan', () => {
  const plan = firstDataPlan(fakeSettings().parts);
  const figure = (value: number) => ({ value, low: null, high: null, n: 9, method: 'given' });
  const figures = (scd2: number, psodRise: number) => ({ scd2: figure(scd2), psodRise: figure(psodRise) });

  it('move a parameter by a step within its bounds, and say for which figure', () => {
    let now = plan;
    for (let round = 0; round < 9; round++) now = nextDataPlan(now, figures(0.9, 0.9), 'green').plan;
    expect(now).toMatchObject({
      weights: { alpha: DATA_RULES[0]!.most },
      consistency: { lambda: DATA_RULES[1]!.most },
    });
    const back = nextDataPlan(now, figures(0.1, 0), 'green');
    expect(back.plan).toMatchObject({ weights: { alpha: 0.75 }, consistency: { lambda: 0.75 } });
    expect(back.notes).toHaveLength(2);
    expect(back.notes[0]).toContain('scd2 is 0.100, below 0.5');
    expect(nextDataPlan(plan, figures(0.6, 0.1), 'green')).toEqual({ plan, notes: [] });
    expect(nextDataPlan(plan, figures(0.6, 0.1), 'yellow').plan.weights!.alpha).toBe(0.25);
  });

  it('move nothing for a figure that there is not, or a part that is left out', () => {
    const none = { scd2: missing('no rows'), psodRise: missing('no exam') };
    expect(nextDataPlan(plan, none, 'red')).toEqual({ plan, notes: [] });
    const off = { gate: false, weights: null, consistency: null };
    expect(nextDataPlan(off, figures(0.9, 0.9), 'red')).toEqual({ plan: off, notes: [] });
  });
});

describe('rows of an answer', () => {
  const row = {
    id: 'r',
    hash: 'h',
    context: 'c',
    simulator: 'a',
    cell: 1,
    outside: false,
    reward: 1,
    turns: 3,
  };
  const sound = { k: 2, rewardRange: [0, 1] as const };
  const held = (rows: unknown[]) =>
    soundProbe({ kind: 'probe', rows: rows as (typeof row)[], lost: [] }, new Set(['a']), sound);

  it('come back as they are where they are sound', () => {
    expect(held([row, { ...row, reward: null }])).toEqual({
      kind: 'probe',
      rows: [row, { ...row, reward: null }],
      lost: [],
    });
  });

  it('are lost with a reason and a count where they are not, whatever they are', () => {
    const wrong = [
      null,
      7,
      {},
      { ...row, simulator: 'b' },
      { ...row, cell: 2 },
      { ...row, cell: Number.NaN },
      { ...row, cell: '1' },
      { ...row, outside: 0 },
      { ...row, context: null },
      { ...row, hash: undefined },
      { ...row, turns: -1 },
    ];
    const { rows, lost } = held([...wrong, row]);
    expect(rows).toEqual([row]);
    expect(lost.reduce((sum, { count }) => sum + count, 0)).toBe(wrong.length);
    for (const { reason } of lost) expect(reason).toMatch(/\S/);
    expect(held([...wrong, row].reverse())).toEqual({ kind: 'probe', rows, lost });
  });

  it('have no reward where it cannot be one', () => {
    for (const reward of [Number.NaN, 2, -1, '1', undefined, Number.POSITIVE_INFINITY])
      expect(held([{ ...row, reward }]).rows).toEqual([{ ...row, reward: null }]);
    expect(soundExam([{ context: 'c', simulator: 'a', reward: Number.NaN }], sound)[0]!.reward).toBeNull();
  });
});
