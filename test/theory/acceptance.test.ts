import { describe, expect, it } from 'vitest';
import { acceptanceRule, judgeAcceptance } from '../../src/loop/acceptance.ts';
import { seeded } from '../../src/math/index.ts';
import { massAt, pairCollapseAt } from '../../src/metrics/index.ts';
import { ALPHA, DELTA, type Probe, runRule } from './acceptance-run.ts';
import {
  collapsed,
  drawEpisodes,
  type PopulationLaw,
  powerLaw,
  trueBdi,
  trueScd2,
} from './drawn-population.ts';
import { printFigure } from './printed-figure.ts';

const PEOPLE: PopulationLaw = { modes: powerLaw(16, 0.8), outside: 0.05 };
const START: PopulationLaw = { modes: powerLaw(16, 1.2), outside: 0.1 };
/** Enough to tell delta from nothing: standard errors of about .012, .010 and .007. */
const LARGE: Probe = { contexts: 400, rollouts: 10 };
/** Figures of the page come from more runs than a test needs. */
const many = (test: number, figures: number) => (process.env.CA_FIGURES === undefined ? test : figures);
const share = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} % of ${of}`;

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

const probedOf = (id: string, law: PopulationLaw, probe: Probe, seed: string) => ({
  id,
  tally: drawEpisodes(law, probe.contexts, probe.rollouts, seeded(seed)),
});

describe('how often an equal population is accepted', () => {
  it('is next to never at 16 x 1 and at 100 x 4 rollouts in all, whose bounds are wider than delta', () => {
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
  });

  it('is not above three quarters at any size: one of two figures has to look better', () => {
    const { bounds, better, accepted, of, spread } = equalPopulations(LARGE, 6, many(60, 200));
    expect(bounds / of).toBeGreaterThan(0.6);
    expect(accepted / of).toBeLessThan(0.8);
    expect(better / of).toBeGreaterThan(0.5);
    expect(better / of).toBeLessThan(0.85);
    printFigure(
      'equal, 400 x 10, 6 rounds',
      `bounds hold in ${share(bounds, of)}, something looks better in ${share(better, of)}, accepted ${share(accepted, of)}; standard error of SCD2 ${spread.toFixed(2)} / sqrt(rollouts)`,
    );
  });

  it('is never where it meets the same luck: then nothing looks better', () => {
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
    expect([verdict.scd2.holds, verdict.bdi.holds, verdict.realism.holds]).toEqual([true, true, true]);
    expect(verdict.better).toBeNull();
    expect(verdict.accepted).toBe(false);
  });
});

describe('what is promised of accepted populations', () => {
  const rounds = 12;
  /** SCD2 of the start + delta and a little more: the worst that the rule must refuse. */
  const beyond = lawAt(trueScd2(START) + DELTA + 0.001);
  const proposals: readonly [string, (inForce: PopulationLaw) => PopulationLaw][] = [
    ['equal to the one in force', (inForce) => ({ ...inForce })],
    ['a little worse each time', (inForce) => collapsed(inForce, 0.01)],
    ['worse by just above delta', () => ({ ...beyond })],
    ['less realistic by just above delta', () => ({ ...START, outside: START.outside + DELTA + 0.001 })],
  ];

  it.each(proposals)(
    'holds where proposals are %s: none worse by delta than what it was held to',
    (name, propose) => {
      const runs = Array.from({ length: many(8, 100) }, (_, run) =>
        runRule(START, PEOPLE, LARGE, rounds, propose, seeded(`${name}/${run}`)),
      );
      const broken = runs.filter(({ worse }) => worse > DELTA).length;
      const accepted = runs.reduce((sum, run) => sum + run.accepted, 0) / runs.length;
      expect(broken / runs.length).toBeLessThanOrEqual(ALPHA);
      printFigure(
        `promise, ${name}`,
        `broken in ${share(broken, runs.length)} runs; ${accepted.toFixed(2)} of ${rounds} accepted; worst ${Math.max(...runs.map(({ worse }) => worse)).toFixed(3)}`,
      );
    },
  );

  it('needs no division by three: a population is accepted only where all three bounds hold', () => {
    // Worse by exactly delta in some figures, far better in the others; all that is known is normal noise.
    const level = ALPHA / rounds;
    for (const worseIn of [[0], [0, 1], [0, 1, 2]]) {
      // P(accepted) = product over the figures that are worse of P(bound errs) = level each, 1 for the others.
      const accepted = worseIn.reduce((product) => product * level, 1);
      expect(1 - (1 - accepted) ** rounds).toBeLessThanOrEqual(ALPHA);
    }
    // However the three hang together it is at most one of these chances.
    expect(1 - (1 - level) ** rounds).toBeGreaterThan(0.9 * ALPHA);
    expect(1 - (1 - level / 3) ** rounds).toBeLessThan(0.35 * ALPHA);
  });
});

describe('what is not promised of accepted populations', () => {
  const rounds = 60;
  const SE = 0.012;

  it('is that none is worse by delta than the best ever accepted: a best that moves by point goes down in steps', () => {
    const runs = many(200, 2000);
    const random = seeded('ratchet');
    const lossOf = (move: 'by point' | 'by bound', step: number) => {
      let [lost, beyondDelta] = [0, 0];
      for (let run = 0; run < runs; run++) {
        const end = drift(move, rounds, step, () => random.normal());
        lost += end / runs;
        if (end > DELTA) beyondDelta += 1;
      }
      return { lost, beyondDelta };
    };
    const byPoint = lossOf('by point', 0.75 * SE);
    const byBound = lossOf('by bound', 0.75 * SE);
    expect(byPoint.beyondDelta / runs).toBeGreaterThan(0.5);
    expect(byBound.beyondDelta).toBe(0);
    printFigure(
      'best moved by point, 60 rounds, standard error .012',
      `best lost ${byPoint.lost.toFixed(3)} on average, over delta in ${share(byPoint.beyondDelta, runs)} runs; moved by bound ${byBound.lost.toFixed(3)}, ${share(byBound.beyondDelta, runs)}`,
    );
  });

  it('loses at most .17 standard errors a round on average, whatever is proposed', () => {
    // A proposal that is worse by g becomes the best with chance Phi(-g / se): its expected loss is largest at .75 se.
    const expected = (g: number) => g * normalTail(g);
    const largest = Math.max(...Array.from({ length: 400 }, (_, i) => expected(i / 100)));
    expect(largest).toBeLessThan(0.171);
    expect(expected(0.75)).toBeGreaterThan(0.169);
  });

  /** Truth that the best has lost after so many proposals, each worse than it by `step`. */
  function drift(move: 'by point' | 'by bound', count: number, step: number, normal: () => number): number {
    const reach = 3.5 * SE;
    let lost = 0;
    for (let round = 0; round < count; round++) {
      const seen = step + SE * normal();
      if (move === 'by point' ? seen < 0 : seen + reach < 0) lost += step;
    }
    return lost;
  }
});

describe('accepting where SCD is not up or BDI is not down', () => {
  it('lets both rot without any noise: what one step loses in one figure the next loses in the other', () => {
    let [scd, bdi] = [0.3, 0.6];
    for (let round = 0; round < 60; round++) {
      const [newScd, newBdi] = round % 2 === 0 ? [scd - 0.001, bdi - 0.019] : [scd + 0.02, bdi + 0.001];
      expect(newScd <= scd || newBdi >= bdi).toBe(true);
      [scd, bdi] = [newScd, newBdi];
    }
    expect(scd).toBeCloseTo(0.87, 6);
    expect(bdi).toBeCloseTo(0.06, 6);
  });

  it('lets both rot where every proposal is worse in both: noise hides one of the two', () => {
    const runs = many(5, 40);
    const ends = Array.from({ length: runs }, (_, run) => {
      const random = seeded(`or/${run}`);
      const mass = drawEpisodes(PEOPLE, 150, 1, random, 10_000);
      let [inForce, accepted] = [START, 0];
      for (let round = 0; round < 60; round++) {
        const proposed = collapsed(inForce, 0.04);
        const [a, b] = [proposed, inForce].map((law) => drawEpisodes(law, 100, 4, random)) as [
          ReturnType<typeof drawEpisodes>,
          ReturnType<typeof drawEpisodes>,
        ];
        const size = { contexts: 50, rows: 1 };
        const notUp = pairCollapseAt([a]) <= pairCollapseAt([b]);
        const notDown = massAt(a, mass, size) >= massAt(b, mass, size);
        if (!notUp && !notDown) continue;
        inForce = proposed;
        accepted += 1;
      }
      return { scd2: trueScd2(inForce), bdi: trueBdi(inForce, PEOPLE, 50), accepted };
    });
    const mean = (of: (end: (typeof ends)[0]) => number) =>
      ends.reduce((sum, end) => sum + of(end), 0) / runs;
    const [scd2, bdi] = [mean((end) => end.scd2), mean((end) => end.bdi)];
    expect(scd2).toBeGreaterThan(trueScd2(START) + 0.2);
    expect(bdi).toBeLessThan(trueBdi(START, PEOPLE, 50) - 0.2);
    printFigure(
      'or, 60 rounds',
      `SCD2 ${trueScd2(START).toFixed(2)} to ${scd2.toFixed(2)}, BDI ${trueBdi(START, PEOPLE, 50).toFixed(2)} to ${bdi.toFixed(2)}, ${mean((end) => end.accepted).toFixed(0)} accepted, mean of ${runs} runs`,
    );
  });
});

/** The start, with so much of it moved to its most frequent mode that SCD2 is `wanted`. */
function lawAt(wanted: number): PopulationLaw {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (trueScd2(collapsed(START, middle)) < wanted) low = middle;
    else high = middle;
  }
  return collapsed(START, high);
}

/** P(Z > x), by the trapezoid rule. */
function normalTail(x: number): number {
  let sum = 0;
  const step = 1e-3;
  for (let z = x; z < x + 8; z += step) sum += Math.exp((-z * z) / 2) * step;
  return sum / Math.sqrt(2 * Math.PI);
}
