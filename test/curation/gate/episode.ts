import { composeTrajectory, type EpisodeDraft, simulatorFacts } from '../../../src/trajectory/index.ts';
import type { Role, Trajectory } from '../../../src/trajectory/trajectory.ts';

/** An episode of what each side says. */
export function episode(
  said: readonly (readonly [Role, string | null])[],
  facts: Partial<EpisodeDraft> = {},
): Trajectory {
  return composeTrajectory({
    turns: said.map(([role, text]) => ({ role, text })),
    simulator: simulatorFacts({ id: 'sim' }),
    source: { file: 'rows.jsonl', line: 1 },
    reward: 1,
    ...facts,
  });
}
