import { z } from 'zod';
import { TRAJECTORY_SCHEMA } from './trajectory.ts';

const text = z.string();
const optionalText = text.nullish();
const whole = z.number().int();

const toolCall = z.object({
  id: text.optional(),
  name: text,
  arguments: z.unknown().optional().describe('parsed JSON where it parses, else the raw string'),
});

const candidate = z.object({ text, probability: z.number().nullable() });

const resample = z.object({
  law: z.enum(['member', 'population']),
  member: text.nullable(),
  text,
  toolCalls: z.array(toolCall).optional(),
  acts: z.array(text).optional(),
});

const turn = z.object({
  role: z.enum(['user', 'agent', 'tool', 'system']).describe('user is the simulated side'),
  text: text.nullable().describe('null where the turn carries tool calls only'),
  toolCalls: z.array(toolCall).optional(),
  requestor: z.enum(['user', 'agent']).optional().describe('of a tool turn: whose call it answers'),
  acts: z.array(text).optional(),
  probability: z.number().optional(),
  candidates: z.array(candidate).optional(),
  resamples: z.array(resample).optional(),
  probeProbability: z.number().gt(0).max(1).optional(),
});

const simulator = z.object({
  id: text,
  kind: z.enum(['llm', 'scripted', 'human', 'trained']).optional().describe('default llm'),
  person: optionalText,
  model: optionalText,
  recipe: optionalText,
  fingerprint: optionalText.describe('hash of model, prompt recipe and sampling'),
});

/**
 * One line of the native format. Required: schema, simulator.id and turns; every other field may be absent
 * or null, and then stays unknown. Unknown fields are ignored.
 */
export const trajectorySchema = z.object({
  schema: z.literal(TRAJECTORY_SCHEMA),
  id: optionalText.describe('absent: the content hash'),
  context: optionalText.describe('absent: derived from benchmark, domain and scenario'),
  contextFrom: z.enum(['scenario', 'label', 'none']).nullish(),
  contextLabel: optionalText.describe('task id'),
  benchmark: optionalText,
  domain: optionalText,
  scenario: optionalText.describe("the simulator's private instructions"),
  group: optionalText.describe('GRPO group'),
  epoch: whole.nullish(),
  run: optionalText,
  simulator,
  policy: z.object({ id: text, checkpoint: optionalText }).nullish(),
  turns: z.array(turn),
  reward: z.number().nullish(),
  outcome: optionalText,
  split: z.enum(['seen', 'selection', 'test']).nullish(),
  termination: optionalText,
  source: z.object({ file: text, line: whole.nullable() }).nullish(),
});

/** JSON Schema (draft 2020-12) of the native record, for editors and other languages. */
export function trajectoryJsonSchema(): Record<string, unknown> {
  return {
    title: 'collapse-aware trajectory',
    $id: TRAJECTORY_SCHEMA,
    ...z.toJSONSchema(trajectorySchema, { io: 'input' }),
  };
}

/**
 * What is wrong with a record, path first: `turns[3].role: found "bot", expected one of user, agent, ...`.
 * `null` where nothing is.
 */
export function explainTrajectory(record: unknown): string | null {
  const result = trajectorySchema.safeParse(record);
  if (result.success) return null;
  const told = result.error.issues.slice(0, 3).map((issue) => {
    const path = issue.path
      .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
      .join('');
    return `${path === '' ? 'the record' : path}: found ${found(at(record, issue.path))}, expected ${expected(issue)}`;
  });
  const more = result.error.issues.length - told.length;
  return told.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

function at(record: unknown, path: readonly PropertyKey[]): unknown {
  let value = record;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}...` : shown;
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `${issue.expected}`;
  if (issue.code === 'invalid_value')
    return issue.values.length === 1
      ? JSON.stringify(issue.values[0])
      : `one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}
