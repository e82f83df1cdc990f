import { isObject, tau2Scenario, textOf } from './tau2-episode.ts';

/** Fewer simulations than this that state other tasks' identifiers refute nothing. */
const LEAST = 8;

export interface Tau2Agreement {
  /** Simulations whose user stated an identifier of any task the document carries. */
  readonly stating: number;
  /** Those of them that stated identifiers of other tasks, and none of their own. */
  readonly others: number;
  /** Whether the document's tasks cannot be the ones its simulations were run with. */
  readonly refuted: boolean;
}

/**
 * Whether the users of a document state the identifiers of the tasks they are filed under. Public result files
 * exist that carry the tasks of another version than was run: same numbers, other scenarios.
 *
 * Identifiers are words of letters, digits and underscores with a digit or an underscore, 5 characters or more
 * (user ids, reservation and order numbers, zip codes), that stand in the scenarios of at most half of the
 * tasks. Refuted: at least 8 simulations, and more than half of those that state any identifier, state others'
 * only; unless one identifier is stated under more than half of the tasks concerned, which is a simulator that
 * always says the same and not another order of tasks.
 *
 * @param tasks by id
 * @param simulations the document's simulations as they stand in it
 */
export function tau2Agreement(
  tasks: ReadonlyMap<string, unknown>,
  simulations: readonly unknown[],
): Tau2Agreement {
  const tasksOf = new Map<string, Set<string>>();
  for (const [id, task] of tasks)
    for (const word of identifiers(carriedScenario(task))) {
      const known = tasksOf.get(word);
      if (known === undefined) tasksOf.set(word, new Set([id]));
      else known.add(id);
    }
  let stating = 0;
  let others = 0;
  const concerned = new Set<string>();
  const statedUnder = new Map<string, Set<string>>();
  for (const simulation of simulations) {
    const id = isObject(simulation) ? textOf(simulation.task_id) : null;
    if (!isObject(simulation) || id === null || !tasks.has(id)) continue;
    const stated = [...identifiers(userText(simulation.messages))].filter(
      (word) => (tasksOf.get(word)?.size ?? Number.POSITIVE_INFINITY) <= tasks.size / 2,
    );
    if (stated.length === 0) continue;
    stating += 1;
    if (stated.some((word) => tasksOf.get(word)?.has(id))) continue;
    others += 1;
    concerned.add(id);
    for (const word of stated) statedUnder.set(word, (statedUnder.get(word) ?? new Set()).add(id));
  }
  let widest = 0;
  for (const under of statedUnder.values()) widest = Math.max(widest, under.size);
  const oneForAll = widest > Math.max(1, concerned.size / 2);
  return { stating, others, refuted: others >= LEAST && others > stating / 2 && !oneForAll };
}

/** Empty where a task has none, or one nested too deeply: that costs the rows of the task, not the file. */
export function carriedScenario(task: unknown): string {
  try {
    return tau2Scenario(task) ?? '';
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function identifiers(text: string): Set<string> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[a-z0-9_]+/g) ?? [];
  return new Set(words.filter((word) => word.length >= 5 && /[\d_]/.test(word)));
}

function userText(messages: unknown): string {
  if (!Array.isArray(messages)) return '';
  return messages
    .flatMap((message) =>
      isObject(message) && message.role === 'user' && typeof message.content === 'string'
        ? [message.content]
        : [],
    )
    .join('\n');
}
