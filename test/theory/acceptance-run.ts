import { lowerBound, upperBound } from '../../src/diagnosis/index.ts';
import { type AcceptanceVerdict, acceptanceRule, judgeAcceptance } from '../../src/loop/acceptance.ts';
import { type Random, seeded } from '../../src/math/index.ts';
import { populationDifference, type Tally } from '../../src/metrics/index.ts';
import { drawEpisodes, type PopulationLaw, powerLaw, trueBdi, trueScd2 } from './drawn-population.ts';

export const DELTA = 0.05;
export const ALPHA = 0.05;

/** People with one episode each: whom p_ref and the ceiling are measured on. */
const PEOPLE_EPISODES = 150;

export interface Probe {
  readonly contexts: number;
  readonly rollouts: number;
  /** Whether populations meet the same random numbers in a round: what they do alike then cancels. Default: no. */
  readonly paired?: boolean;
}

export const PEOPLE: PopulationLaw = { modes: powerLaw(16, 0.8), outside: 0.05 };
export const START: PopulationLaw = { modes: powerLaw(16, 1.2), outside: 0.1 };
/** Enough to tell delta from nothing, each with luck of its own: standard errors of about .012, .010 and .007. */
export const LARGE: Probe = { contexts: 400, rollouts: 10 };

/** Episodes of a population as the rule takes them; equal seeds are equal luck. */
export const probedOf = (id: string, law: PopulationLaw, probe: Probe, seed: string) => ({
  id,
  tally: drawEpisodes(law, probe.contexts, probe.rollouts, seeded(seed)),
});

/** How a run of the rule went, in the truth that the rule does not see. */
export interface AcceptanceRun {
  readonly accepted: number;
  /** Most that an accepted population was worse by than what it was held to, over SCD2, BDI and realism. */
  readonly worse: number;
  /** Most that an accepted population was worse by than the truly best accepted before it, over SCD2 and BDI. */
  readonly worseThanEver: number;
}

/**
 * `propose` makes the next population from the one in force. The best move as they do in a loop: only where the bound
 * shows the accepted one to be better.
 */
export function runRule(
  start: PopulationLaw,
  people: PopulationLaw,
  probe: Probe,
  rounds: number,
  propose: (inForce: PopulationLaw, round: number) => PopulationLaw,
  random: Random,
): AcceptanceRun {
  const rule = acceptanceRule(DELTA, ALPHA, rounds);
  const reference = random.fork('people');
  const yardstick = {
    mass: drawEpisodes(people, PEOPLE_EPISODES, 1, reference, 10_000),
    ceiling: drawEpisodes(people, PEOPLE_EPISODES, 1, reference, 20_000),
  };
  const bdiOf = (law: PopulationLaw) => trueBdi(law, people, PEOPLE_EPISODES / 2);
  let [inForce, bestScd2, bestBdi] = [start, start, start];
  let [leastScd2, mostBdi] = [trueScd2(start), bdiOf(start)];
  let [accepted, worse, worseThanEver] = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const proposed = propose(inForce, round);
    const rolled = new Map<PopulationLaw, ReturnType<typeof drawEpisodes>>();
    for (const law of [proposed, bestScd2, bestBdi, start]) {
      const luck = probe.paired === true ? random.fork(`round/${round}`) : random;
      if (!rolled.has(law)) rolled.set(law, drawEpisodes(law, probe.contexts, probe.rollouts, luck));
    }
    const probed = (law: PopulationLaw) => ({
      id: String([...rolled.keys()].indexOf(law)),
      tally: rolled.get(law)!,
    });
    const verdict = judgeAcceptance(
      rule,
      probed(proposed),
      { scd2: probed(bestScd2), bdi: probed(bestBdi) },
      probed(start),
      yardstick,
    );
    if (!verdict.accepted) continue;
    accepted += 1;
    const [scd2, bdi] = [trueScd2(proposed), bdiOf(proposed)];
    worse = Math.max(
      worse,
      scd2 - trueScd2(bestScd2),
      bdiOf(bestBdi) - bdi,
      proposed.outside - start.outside,
    );
    worseThanEver = Math.max(worseThanEver, scd2 - leastScd2, mostBdi - bdi);
    [leastScd2, mostBdi] = [Math.min(leastScd2, scd2), Math.max(mostBdi, bdi)];
    inForce = proposed;
    if ((verdict.scd2.bound ?? 0) < 0) bestScd2 = proposed;
    if ((verdict.bdi.bound ?? 0) > 0) bestBdi = proposed;
  }
  return { accepted, worse, worseThanEver };
}

/** Whether the rule would accept without what it knows of shared luck: bounds of SCD2 and BDI by the jackknife alone. */
export function acceptedByInterval(
  { rule: { delta, level }, bdi, realism, better }: AcceptanceVerdict,
  proposed: Tally,
  bestScd2: Tally,
): boolean {
  const up = upperBound(populationDifference([proposed], [bestScd2]).pooled2, level);
  const down = lowerBound(bdi.difference, level);
  return up !== null && up < delta && down !== null && down > -delta && realism.holds && better !== null;
}
