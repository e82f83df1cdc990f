import { CollapseAwareError } from '../../errors.ts';
import { hashText } from '../../trajectory/identity.ts';
import type { SessionFacts } from '../recorder/records.ts';

type Seeds = NonNullable<SessionFacts['nested']>;

/** One session that the trainer opens and plays: `POST /api/sessions` with `{id, contextLabel, nested}`. */
export interface NestedSession {
  readonly id: string;
  readonly contextLabel: string;
  readonly nested: Seeds;
}

export interface NestedOptions {
  /** Labels of contexts, each once; what they stand for the trainer knows. */
  readonly contexts: readonly string[];
  /** Agent seeds of each context, and user seeds under each of them: at least 2. */
  readonly agentSeeds: number;
  readonly userSeeds: number;
  readonly seed: string;
}

/**
 * Sessions of a nested re-simulation (metrics.md, Variance split of the reward): every context under `agentSeeds` seeds
 * of the policy, each met by `userSeeds` users. The trainer seeds its policy by `agentSeed`. Everything that the gateway
 * draws for such a session (member, persona, checkpoint, every reply, the seed sent upstream) hangs on context and
 * `userSeed` alone: two sessions that share them meet one user, turn for turn as long as the agent says the same,
 * whatever the agent's seed, the id and the epoch.
 *
 * No user seed stands under two agent seeds. If the same users met every agent seed, what users have in common would
 * move all means of a context together, and their variance would be short of it: the agent's side would be too low by
 * Var_U / userSeeds. The same plan for the same options, in any order of the contexts.
 * @throws CA_USAGE for seeds below 2, no context, or one twice.
 */
export function planNested({ contexts, agentSeeds, userSeeds, seed }: NestedOptions): NestedSession[] {
  for (const [name, count] of Object.entries({ agentSeeds, userSeeds }))
    if (!Number.isSafeInteger(count) || count < 2)
      throw new CollapseAwareError('CA_USAGE', `${name} is ${count}: a variance needs at least 2`);
  if (contexts.length === 0) throw new CollapseAwareError('CA_USAGE', 'no context to simulate again');
  const labels = [...new Set(contexts)].sort();
  if (labels.length < contexts.length)
    throw new CollapseAwareError('CA_USAGE', 'a context stands twice in the plan');
  const named = (...parts: (string | number)[]) => hashText(JSON.stringify([seed, ...parts])).slice(0, 16);
  return labels.flatMap((contextLabel) =>
    Array.from({ length: agentSeeds }, (_, a) =>
      Array.from({ length: userSeeds }, (_, u) => {
        const nested = {
          agentSeed: named(contextLabel, 'agent', a),
          userSeed: named(contextLabel, 'user', a, u),
        };
        return { id: `nested-${named(contextLabel, 'session', a, u)}`, contextLabel, nested };
      }),
    ).flat(),
  );
}
