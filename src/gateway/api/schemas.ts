import { z } from 'zod';

/** Bodies that the control API takes. `description`s become its OpenAPI document. */

const id = z.string().min(1).max(300);
/** As long as headers may give it; sums of it stay exact. */
const epoch = z.int().min(0).max(999_999_999_999_999);
const policy = z.strictObject({ id, checkpoint: z.union([id, z.null()]).optional() });
/** Whose change the journal says it is that the settings file made: at the next start it gives way to that file. */
export const BY_SETTINGS = 'the settings';
const by = id.refine((name) => name !== BY_SETTINGS, { error: `anybody but '${BY_SETTINGS}'` });
/** What a batched call may hold at once. */
const MOST = 100_000;

export const newSessionSchema = z.strictObject({
  id: id.optional().describe('made where absent'),
  model: id.optional().describe('population, population/ID, panel/selection, panel/test; default population'),
  group: id.optional(),
  epoch: epoch.optional(),
  run: id.optional(),
  policy: policy.optional(),
  contextLabel: id.optional().describe('what the trainer calls the task'),
  nested: z
    .strictObject({ agentSeed: id, userSeed: id })
    .optional()
    .describe('part of a nested re-simulation: no training data'),
});

export const rewardEntrySchema = z.strictObject({
  session: id,
  reward: z.union([z.number(), z.null()]),
  outcome: z.union([id, z.null()]).optional(),
  termination: z.union([id, z.null()]).optional(),
  close: z.boolean().optional().describe('ends the session (default true)'),
});

/** Entries are looked at one by one: one that is wrong is rejected, and the others count. */
export const rewardsSchema = z.strictObject({
  rewards: z.array(z.unknown()).max(MOST).describe('each with session, reward, outcome, termination, close'),
});

export const endSchema = z.strictObject({ termination: id.default('ended by the trainer') });

export const epochSchema = z.strictObject({
  epoch,
  run: z.union([id, z.null()]).optional(),
  policy: policy.optional(),
});

export const recordSchema = z.strictObject({
  trajectories: z.array(z.unknown()).max(MOST).describe('native trajectories (docs/trajectory.md)'),
});

export const decideSchema = z.strictObject({
  groups: z.array(z.strictObject({ id: id.optional(), sessions: z.array(id).max(MOST) })).max(MOST),
  zeroVariance: z.enum(['accept', 'reject']).default('accept'),
});

const recipe = z.unknown().optional().describe('a curation recipe (docs/recipe.md)');

export const weightsSchema = z.strictObject({ ids: z.array(id).max(MOST), recipe });

export const selectSchema = z.strictObject({
  candidates: z
    .array(z.union([id, z.strictObject({ id, group: id.optional() })]))
    .max(MOST)
    .describe('ids of sessions; group as on record unless said'),
  n: z.int().min(2).max(64).describe('kept of each group; pairs need two'),
  recipe,
});

export const overrideSchema = z.union([
  z.strictObject({
    level: z.enum(['green', 'yellow', 'red']),
    by: id,
    reason: z.string().min(1).max(1000),
    seconds: z.number().min(1).max(31_536_000).optional().describe('until it lapses; absent: until released'),
  }),
  z.strictObject({ release: z.literal(true), by: id }),
]);

export const populationBodySchema = z.strictObject({
  population: z.unknown().describe('as in the settings file (docs/gateway-settings.md)'),
  by,
});

export const weightsBodySchema = z.strictObject({
  weights: z.record(id, z.number().min(0).max(1e9)).describe('of members of the seen panel; others stay'),
  by,
});

export const checkpointSchema = z.strictObject({
  checkpoint: id.describe('the name of a model at the upstream'),
  by: by.optional(),
});

export const answerSchema = z.strictObject({ text: z.string().min(1).max(100_000) });

export const dumpSchema = z.strictObject({
  format: z.string().max(100).optional().describe('found by content where absent'),
  rows: z.array(z.unknown()).max(MOST).describe("rows of a trainer's dump, as they are in its file"),
});
