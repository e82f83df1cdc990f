import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { P4G_PEOPLE, wilson } from '../../../../src/lab/people/index.ts';
import {
  amountShares,
  calibratedCuts,
  EACH,
  HORIZONS,
  meet,
  SEED,
} from '../../../../src/lab/worlds/persuasion/calibration.ts';
import { cutsOf, writeDecisions } from '../../../../src/lab/worlds/persuasion/decision.ts';
import { describeGoodness, goodnessOf } from '../../../../src/lab/worlds/persuasion/goodness.ts';
import { persuasion } from '../../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../../src/math/random.ts';

const due = amountShares(P4G_PEOPLE.donation.counts);

describe('the calibration of what people give', () => {
  it.each(HORIZONS)('holds on fresh dialogues of %i turns, within the intervals of P4G', (horizon) => {
    const { amounts } = goodnessOf(
      meet(persuasion(horizon), 600, seeded(`fresh ${horizon}`)),
      cutsOf(horizon),
    );
    const { n } = P4G_PEOPLE.donation;
    amounts.forEach((share, k) => {
      const [low, high] = wilson(due[k]! * n, n);
      expect(share).toBeGreaterThan(low);
      expect(share).toBeLessThan(high);
    });
  });

  it('finds cut points that were planted', () => {
    const planted = [-1, 0, 0.5, 1.5, 3];
    const met = Array.from({ length: 50 }, (_, i) => ({
      weight: 0.9 / 50,
      resolve: (i - 25) / 10,
      replies: [],
      turns: 1,
    }));
    const shares = goodnessOf(met, planted).amounts;
    calibratedCuts(met, shares).forEach((cut, k) => {
      expect(cut).toBeCloseTo(planted[k]!, 8);
    });
  });

  it('takes the cut points of the nearest horizon', () => {
    expect(cutsOf(12)).toBe(cutsOf(10));
    expect(cutsOf(3)).toBe(cutsOf(10));
    expect(cutsOf(28)).toBe(cutsOf(30));
    expect(cutsOf(500)).toBe(cutsOf(50));
  });

  it('stands in docs/people.md as it is', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/people.md'), 'utf8');
    const lines = new Set(page.split('\n'));
    const met = meet(persuasion(), EACH, seeded(`${SEED}, 10 turns`));
    for (const line of describeGoodness(met, cutsOf(10)))
      if (line.startsWith('| ')) expect(lines).toContain(line);
    const again = calibratedCuts(met, due);
    cutsOf(10).forEach((cut, k) => {
      expect(Math.abs(cut - again[k]!)).toBeLessThan(1e-3);
    });
  });
});

describe('a decision', () => {
  it('is an ordered logit: log odds of at least each amount are resolve less its cut', () => {
    const law = new Float64Array(7);
    const cuts = [-1, 0, 0.5, 1.5, 3];
    writeDecisions(0.7, cuts, law, 1);
    expect(law[0]).toBe(0);
    cuts.forEach((cut, k) => {
      const above = law.subarray(k + 2).reduce((a, b) => a + b, 0);
      expect(Math.log(above / (1 - above))).toBeCloseTo(0.7 - cut, 10);
    });
  });
});
