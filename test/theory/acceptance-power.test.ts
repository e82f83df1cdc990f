import { describe, expect, it } from 'vitest';
import { acceptanceRule, judgeAcceptance } from '../../src/loop/acceptance.ts';
import { seeded } from '../../src/math/index.ts';
import {
  ALPHA,
  acceptedByInterval,
  DELTA,
  LARGE,
  PEOPLE,
  type Probe,
  probedOf,
  START,
} from './acceptance-run.ts';
import { drawEpisodes, spread } from './drawn-population.ts';
import { many, printFigure, share } from './printed-figure.ts';

/** What is printed takes minutes on a busy machine. */
const PATIENCE = many(120_000, 1_200_000);

interface Passes {
  readonly bounds: number;
  readonly better: number;
  readonly accepted: number;
  readonly of: number;
  /** Standard error of the difference of SCD2, times the root of the rollouts, on average. */
  readonly spread: number;
}

/** How populations of one law fare against one another, on episodes of their own. */
function equalPopulations(probe: Probe, rounds: number, trials: number): Passes {
  const rule = acceptanceRule(DELTA, ALPHA, rounds);
  const random = seeded(`equal/${probe.contexts}/${probe.rollouts}`);
  let [bounds, better, accepted, spread] = [0, 0, 0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const people = [1, 2].map((part) => drawEpisodes(PEOPLE, 150, 1, random, 10_000 * part));
    const [proposed, best] = ['proposed', 'best'].map((id) => ({
      id,
      tally: drawEpisodes(START, probe.contexts, probe.rollouts, random),
    })) as [ReturnType<typeof probedOf>, ReturnType<typeof probedOf>];
    const verdict = judgeAcceptance(rule, proposed, { scd2: best, bdi: best }, best, {
      mass: people[0]!,
      ceiling: people[1]!,
    });
    if (verdict.scd2.holds && verdict.bdi.holds && verdict.realism.holds) bounds += 1;
    if (verdict.better !== null) better += 1;
    if (verdict.accepted) accepted += 1;
    spread += ((verdict.scd2.difference.se ?? 0) * Math.sqrt(probe.contexts * probe.rollouts)) / trials;
  }
  return { bounds, better, accepted, of: trials, spread };
}

describe('how often a population that is no worse is accepted', () => {
  it(
    'is next to never where each has luck of its own, at 16 x 1 and 100 x 4 rollouts: bounds are wider than delta',
    () => {
      for (const probe of [
        { contexts: 16, rollouts: 1 },
        { contexts: 100, rollouts: 4 },
      ]) {
        const trials = many(60, 200);
        for (const rounds of [6, 60]) {
          const { bounds, accepted, of, spread } = equalPopulations(probe, rounds, trials);
          expect(bounds / of).toBeLessThan(0.15);
          expect(accepted).toBeLessThanOrEqual(bounds);
          printFigure(
            `equal, ${probe.contexts} x ${probe.rollouts}, ${rounds} rounds`,
            `bounds hold in ${share(bounds, of)}, accepted ${share(accepted, of)}; standard error of SCD2 ${spread.toFixed(2)} / sqrt(rollouts)`,
          );
        }
      }
    },
    PATIENCE,
  );

  it(
    'is not above three quarters for an equal one of its own luck, at any size: one of two figures has to look better',
    () => {
      const { bounds, better, accepted, of, spread } = equalPopulations(LARGE, 6, many(60, 200));
      expect(bounds / of).toBeGreaterThan(0.6);
      expect(accepted / of).toBeLessThan(0.8);
      expect(better / of).toBeGreaterThan(0.5);
      expect(better / of).toBeLessThan(0.85);
      printFigure(
        'equal, 400 x 10, 6 rounds',
        `bounds hold in ${share(bounds, of)}, something looks better in ${share(better, of)}, accepted ${share(accepted, of)}; standard error of SCD2 ${spread.toFixed(2)} / sqrt(rollouts)`,
      );
    },
    PATIENCE,
  );

  it(
    'is likely for a large improvement that meets the same luck, at 100 x 4 rollouts, and not at 16 x 1',
    () => {
      const rule = acceptanceRule(DELTA, ALPHA, 6);
      const passes = (probe: Probe, by: number, trials: number) => {
        const random = seeded(`paired/${probe.contexts}/${by}`);
        let [accepted, byInterval] = [0, 0];
        for (let trial = 0; trial < trials; trial++) {
          const [mass, ceiling] = [1, 2].map((part) => drawEpisodes(PEOPLE, 150, 1, random, 10_000 * part));
          const proposed = probedOf('proposed', spread(START, by), probe, `paired/${trial}`);
          const best = probedOf('best', START, probe, `paired/${trial}`);
          const people = { mass: mass!, ceiling: ceiling! };
          const verdict = judgeAcceptance(rule, proposed, { scd2: best, bdi: best }, best, people);
          if (verdict.accepted) accepted += 1;
          if (acceptedByInterval(verdict, proposed.tally, best.tally)) byInterval += 1;
        }
        return { accepted, byInterval };
      };
      const trials = many(40, 200);
      const shares = [0.01, 0.02, 0.05, 0.1, 0.2];
      const few = shares.map((by) => passes({ contexts: 16, rollouts: 1 }, by, trials));
      const enough = shares.map((by) => passes({ contexts: 100, rollouts: 4 }, by, trials));
      const table = (counts: number[]) =>
        counts.map((count, i) => `${shares[i]}: ${share(count, trials)}`).join(', ');
      const print = (probe: string, passed: typeof few) => {
        printFigure(
          `paired, share of episodes spread over all modes, ${probe}`,
          table(passed.map(({ accepted }) => accepted)),
        );
        printFigure(
          `the same by intervals alone, ${probe}`,
          table(passed.map(({ byInterval }) => byInterval)),
        );
      };
      print('16 x 1', few);
      print('100 x 4', enough);
      for (const { accepted } of few) expect(accepted / trials).toBeLessThan(0.1);
      expect(enough.at(-1)!.accepted / trials).toBeGreaterThan(0.6);
      // What the rule counts as lost unseen, an interval does not: it only refuses more.
      for (const { accepted, byInterval } of enough) expect(accepted).toBeLessThanOrEqual(byInterval);
    },
    PATIENCE,
  );

  it('is never for an equal one that meets the same luck: then nothing looks better', () => {
    const probe = { contexts: 100, rollouts: 4 };
    const [one, same] = ['one', 'same'].map((id) => probedOf(id, START, probe, 'luck')) as [
      ReturnType<typeof probedOf>,
      ReturnType<typeof probedOf>,
    ];
    const verdict = judgeAcceptance(
      acceptanceRule(DELTA, ALPHA, 6),
      one,
      { scd2: same, bdi: same },
      same,
      null,
    );
    expect([verdict.scd2.holds, verdict.realism.holds]).toEqual([true, true]);
    // Nothing differs: what is left of the bound is what modes that are seldom shown can hide.
    expect([verdict.bdi.difference.value, verdict.bdi.difference.se]).toEqual([0, 0]);
    expect(verdict.bdi.bound).toBe(-verdict.bdi.hidden!);
    expect(verdict.better).toBeNull();
    expect(verdict.accepted).toBe(false);
  });
});
