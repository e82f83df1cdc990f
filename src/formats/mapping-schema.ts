import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { CollapseAwareError } from '../errors.ts';
import { parsePath, templateParts } from './mapping-path.ts';
import { fileError } from './source-bytes.ts';

const path = z.string().superRefine(checkPath);

const template = z.string().superRefine((text, context) => {
  templateParts(text).forEach((part, i) => {
    if (i % 2 === 1) checkPath(part, context);
  });
});

function checkPath(text: string, context: z.RefinementCtx): void {
  try {
    parsePath(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}

const pattern = z.string().superRefine((text, context) => {
  try {
    new RegExp(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Raw value to ours, for fields whose words differ (`{true: seen}`). */
const values = z.record(z.string(), scalar).optional();

const single = z.union([
  path.describe('a path into the row'),
  z.strictObject({ path, values }),
  z.strictObject({ const: scalar }).describe('the same for every row'),
  z.strictObject({ template }).describe('text with {path} in it'),
  z.strictObject({ file: pattern, values }).describe('first group (or match) of a pattern on the file name'),
]);

/** The first source that finds something wins. */
const field = z.union([single, z.array(single).min(1)]);

const condition = z.union([
  scalar.describe('equal to'),
  z.strictObject({ in: z.array(scalar).min(1) }),
  z.strictObject({ not: z.union([scalar, z.array(scalar).min(1)]) }),
]);

const role = z.enum(['user', 'agent', 'tool', 'system', 'skip']);

export const mappingSchema = z.strictObject({
  name: z.string().optional().describe('what reports call the format'),
  rows: path.optional().describe('where the rows are in each JSON value; default: the value, arrays opened'),
  where: z.record(path, condition).optional(),
  groupBy: z
    .union([path, z.array(path).min(1)])
    .optional()
    .describe('one turn a row: rows of an episode share this'),
  fields: z
    .strictObject({
      id: field,
      benchmark: field,
      domain: field,
      contextLabel: field,
      scenario: field,
      group: field,
      epoch: field,
      run: field,
      simulator: field,
      simulatorKind: field,
      person: field,
      model: field,
      recipe: field,
      policy: field,
      checkpoint: field,
      reward: field,
      outcome: field,
      split: field,
      termination: field,
    })
    .partial()
    .default({}),
  turns: z.strictObject({
    path: path.optional().describe('list of messages; left out with groupBy'),
    role: path.default('role'),
    text: path.default('content'),
    acts: path.optional(),
    toolCalls: path.optional(),
    roles: z.record(z.string(), role).optional().describe('raw role to user, agent, tool, system or skip'),
  }),
});

export type Mapping = z.infer<typeof mappingSchema>;
export type MappingField = z.infer<typeof field>;
export type MappingSource = z.infer<typeof single>;
export type MappingCondition = z.infer<typeof condition>;

/** Reads and checks a mapping file (YAML 1.2 or JSON). Throws CA_FILE_NOT_FOUND or CA_CONFIG_INVALID. */
export async function loadMapping(file: string): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw fileError(file, error);
  }
  return parseMapping(text, file);
}

export function parseMapping(text: string, file: string): Mapping {
  let value: unknown;
  try {
    // Warnings would go to standard error by themselves; what is wrong is said below.
    value = parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    const [position] = (error as { linePos?: { line: number; col: number }[] }).linePos ?? [];
    throw invalid(file, `not YAML: ${(error as Error).message.split('\n', 1)[0]}`, position?.line);
  }
  const result = mappingSchema.safeParse(value);
  if (!result.success) throw invalid(file, result.error.issues.slice(0, 3).map(told).join('; '));
  const mapping = result.data;
  if (mapping.groupBy === undefined && mapping.turns.path === undefined)
    throw invalid(file, 'turns.path: expected where the messages are (or groupBy, for one turn a row)');
  if (mapping.groupBy !== undefined && mapping.turns.path !== undefined)
    throw invalid(file, 'turns.path and groupBy exclude each other: messages in a row, or one turn a row');
  return mapping;
}

function told(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join('.');
  return `${at === '' ? 'the mapping' : at}: ${issue.message}`;
}

function invalid(file: string, found: string, line?: number): CollapseAwareError {
  return new CollapseAwareError('CA_CONFIG_INVALID', found, {
    place: line === undefined ? { file } : { file, line },
    todo: 'docs/examples/maps holds complete mappings',
  });
}
