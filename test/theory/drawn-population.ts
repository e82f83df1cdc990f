import type { Random } from '../../src/math/index.ts';
import { type Tally, tallyOf } from '../../src/metrics/index.ts';
import { massOfLaw, pick } from '../metrics/simulated-population.ts';

/** A population as a policy meets it: how often each mode comes, and how often an episode is outside people's support. */
export interface PopulationLaw {
  readonly modes: readonly number[];
  readonly outside: number;
}

/** k modes, mode i of weight (i + 1)^-steepness. */
export function powerLaw(k: number, steepness: number): number[] {
  const raw = Array.from({ length: k }, (_, i) => (i + 1) ** -steepness);
  const total = raw.reduce((sum, x) => sum + x, 0);
  return raw.map((x) => x / total);
}

/** Share `by` of all episodes moved to the most frequent mode: more collapsed, and less diverse. */
export function collapsed({ modes, outside }: PopulationLaw, by: number): PopulationLaw {
  return { modes: modes.map((p, k) => (1 - by) * p + (k === 0 ? by : 0)), outside };
}

/** Share `by` of all episodes spread over all modes alike: less collapsed, and more diverse. */
export function spread({ modes, outside }: PopulationLaw, by: number): PopulationLaw {
  return { modes: modes.map((p) => (1 - by) * p + by / modes.length), outside };
}

export function drawEpisodes(
  { modes, outside }: PopulationLaw,
  contexts: number,
  rollouts: number,
  random: Random,
  firstUnit = 0,
): Tally {
  const unit: number[] = [];
  const cell: number[] = [];
  const off: boolean[] = [];
  for (let c = 0; c < contexts; c++)
    for (let rollout = 0; rollout < rollouts; rollout++) {
      unit.push(firstUnit + c);
      // Always both numbers, so that equal luck gives populations that differ little equal episodes.
      cell.push(pick(modes, random));
      off.push(random.next() < outside);
    }
  return tallyOf({ k: modes.length, unit, cell, outside: off });
}

/** SCD2 of the law itself. */
export const trueScd2 = ({ modes }: PopulationLaw): number =>
  1 + Math.log(modes.reduce((sum, p) => sum + p * p, 0)) / Math.log(modes.length);

/** BDI of the law itself at g0 contexts with one rollout each: mass(g0) over that of people. */
export function trueBdi(law: PopulationLaw, people: PopulationLaw, contexts: number): number {
  const mass = ({ modes, outside }: PopulationLaw) =>
    massOfLaw(
      people.modes,
      modes.map((p) => p * (1 - outside)),
      contexts,
    );
  return mass(law) / mass(people);
}
