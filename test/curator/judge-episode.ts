import { composeTrajectory } from '../../src/trajectory/compose.ts';
import { contentHash } from '../../src/trajectory/identity.ts';
import type { Turn } from '../../src/trajectory/trajectory.ts';

/** A row for a judge, from `u: text` and `a: text` lines or ready turns. */
export function judged(
  lines: readonly (string | Turn)[],
  scenario: string | null = 'Book a flight to Rome.',
) {
  const turns = lines.map(
    (line): Turn =>
      typeof line !== 'string'
        ? line
        : { role: line.startsWith('u:') ? 'user' : 'agent', text: line.slice(2).trim() },
  );
  const trajectory = composeTrajectory({
    turns,
    scenario,
    simulator: { id: 's', kind: 'llm', person: null, model: null, recipe: null, fingerprint: null },
    source: { file: 'x', line: 1 },
  });
  return { hash: contentHash(turns, scenario), trajectory };
}
