import { CollapseAwareError } from '../errors.ts';

export interface SpokenMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A context that dialogues begin from: the columns that a trainer's data set has. */
export interface Scenario {
  /** Name of the task, by which the gateway knows the context again. */
  readonly task: string;
  /** Messages as the policy sees them. After the last one speaks whoever is next. */
  readonly prompt: readonly SpokenMessage[];
  /** What the simulated user is told; null = nothing. */
  readonly scenario: string | null;
}

const ROLES = new Set(['system', 'user', 'assistant']);

/**
 * JSON lines `{"prompt": [...], "scenario": "...", "task": "..."}`; where there is no task the line's number names it.
 * @throws CA_JSON_INVALID, CA_ROW_INVALID, CA_ROW_EMPTY with the line; CA_FILE_EMPTY.
 */
export function readScenarios(text: string, file: string): readonly Scenario[] {
  const found: Scenario[] = [];
  const lines = new Map<string, number>();
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const place = { file, line: at + 1 };
    const scenario = scenarioOf(parsed(line, place), at + 1, place);
    const before = lines.get(scenario.task);
    if (before !== undefined)
      throw new CollapseAwareError('CA_ROW_INVALID', `task "${scenario.task}" stands in line ${before} too`, {
        place,
        todo: 'give every context a name of its own',
      });
    lines.set(scenario.task, at + 1);
    found.push(scenario);
  });
  if (found.length === 0)
    throw new CollapseAwareError('CA_FILE_EMPTY', 'no context stands in it', {
      place: { file },
      todo: 'write a line for each context',
    });
  return found;
}

function parsed(line: string, place: { file: string; line: number }): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new CollapseAwareError('CA_JSON_INVALID', 'the line is no JSON object', { place });
}

function scenarioOf(
  row: Record<string, unknown>,
  number: number,
  place: { file: string; line: number },
): Scenario {
  const { prompt, scenario = null, task = `context-${number}` } = row;
  if (!Array.isArray(prompt) || !prompt.every(isMessage))
    throw new CollapseAwareError('CA_ROW_INVALID', 'prompt is no list of messages with role and content', {
      place,
      todo: 'give the messages that the policy sees first: roles system, user and assistant',
    });
  if (prompt.length === 0) throw new CollapseAwareError('CA_ROW_EMPTY', 'prompt has no message', { place });
  if ((scenario !== null && typeof scenario !== 'string') || typeof task !== 'string' || !NAME.test(task))
    throw new CollapseAwareError(
      'CA_ROW_INVALID',
      'scenario is a text or null, task a text of 1 to 200 printable ASCII characters',
      { place },
    );
  return { prompt: prompt.map(({ role, content }) => ({ role, content })), scenario, task };
}

const NAME = /^[ -~]{1,200}$/;

function isMessage(value: unknown): value is SpokenMessage {
  const { role, content } = (value ?? {}) as Partial<SpokenMessage>;
  return typeof content === 'string' && typeof role === 'string' && ROLES.has(role);
}
