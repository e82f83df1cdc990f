import type { PartSettings, RunSettings } from '../../loop/index.ts';
import { type Member, readMember } from '../../population/index.ts';
import type { SimulatorFamily } from '../simulators/index.ts';

/** Seen families that a run begins with, as many as the ensemble that it is compared with has. */
export const LOOP_FAMILIES = 3;

export const ALL_PARTS: PartSettings = {
  people: true,
  gate: true,
  weights: true,
  gaps: true,
  paths: true,
  adversary: true,
  breaker: true,
  consistency: true,
};

/** A family as it is served, and asked for a list (Verbalized Sampling). */
export const familyMembers = ({ id }: SimulatorFamily): Member[] => [
  readMember({ id, family: id }),
  readMember({ id: `${id}-list`, family: id, recipe: { kind: 'verbalized' } }),
];

/** Settings of a run in the lab; sizes as docs/evolve.md has them. */
export function labRunSettings(
  families: readonly SimulatorFamily[],
  seed: number,
  given: Partial<RunSettings> = {},
): RunSettings {
  return {
    seed,
    rounds: 3,
    members: families.flatMap(familyMembers),
    mostMembers: 24,
    steps: 15,
    probe: { contexts: 128, rollouts: 3, audition: 20, replies: 8 },
    acceptance: { delta: 0.05, alpha: 0.05, powerTrials: 40 },
    synthesis: { gaps: 10, paths: 2, adversaries: 4, share: 0.9, raisedShare: 0.95, realismFloor: 0.5 },
    parts: ALL_PARTS,
    exam: { contexts: 24, population: 4, test: 48, people: 256 },
    bars: 'proposed',
    ...given,
  };
}
