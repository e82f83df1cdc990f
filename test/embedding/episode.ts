import { composeTrajectory } from '../../src/trajectory/compose.ts';
import type { Trajectory, Turn } from '../../src/trajectory/trajectory.ts';

/** `u: text` and `a: text` lines, or ready turns. */
export function episode(...lines: (string | Turn)[]): Trajectory {
  return composeTrajectory({
    turns: lines.map((line) =>
      typeof line !== 'string'
        ? line
        : { role: line.startsWith('u:') ? 'user' : 'agent', text: line.slice(2).trim() },
    ),
    simulator: { id: 's', kind: 'llm', person: null, model: null, recipe: null, fingerprint: null },
    source: { file: 'x', line: 1 },
  });
}
