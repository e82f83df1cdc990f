import { z } from 'zod';
import { flag, mapping, number, oneOf, orNull, text, whole } from '../settings/rules.ts';

// Bodies that the control API takes. The message of every rule is what is allowed; `description`s become the OpenAPI
// document.

const ID = 'a text of 1 to 300 characters';
const id = text(ID, 300);
const idOrNull = orNull(id, `${ID} or null`);
/** As long as headers may give it; sums of it stay exact. */
const epoch = whole(0, 999_999_999_999_999);
const policy = mapping({ id, checkpoint: idOrNull.optional() }, 'a mapping with id and checkpoint');
/** Whose change the journal says it is that the settings file made: at the next start it gives way to that file. */
export const BY_SETTINGS = 'the settings';
const BY = `${ID}, anybody but '${BY_SETTINGS}'`;
const by = text(BY, 300).refine((name) => name !== BY_SETTINGS, { error: BY });
/** What a batched call may hold at once. */
const MOST = 100_000;
const list = <T extends z.ZodType>(of: T, what: string) => {
  const error = `a list of at most ${MOST} ${what}`;
  return z.array(of, { error }).max(MOST, { error });
};
const BODY = 'a mapping with the fields of this call';

export const newSessionSchema = mapping(
  {
    id: id.optional().describe('made where absent'),
    model: id
      .optional()
      .describe('population, population/ID, panel/selection, panel/test; default population'),
    group: id.optional(),
    epoch: epoch.optional(),
    run: id.optional(),
    policy: policy.optional(),
    contextLabel: id.optional().describe('what the trainer calls the task'),
    nested: mapping({ agentSeed: id, userSeed: id }, 'a mapping with agentSeed and userSeed')
      .optional()
      .describe('part of a nested re-simulation: no training data'),
  },
  BODY,
);

const REWARD = 'a finite number or null';

export const rewardEntrySchema = mapping(
  {
    session: id,
    reward: orNull(z.number({ error: REWARD }), REWARD),
    outcome: idOrNull.optional(),
    termination: idOrNull.optional(),
    close: flag.optional().describe('ends the session (default true)'),
  },
  'a mapping with session and reward',
);

/** Entries are looked at one by one: one that is wrong is rejected, and the others count. */
export const rewardsSchema = mapping(
  {
    rewards: list(z.unknown(), 'rewards').describe('each with session, reward, outcome, termination, close'),
  },
  BODY,
);

export const endSchema = mapping({ termination: id.default('ended by the trainer') }, BODY);

export const epochSchema = mapping({ epoch, run: idOrNull.optional(), policy: policy.optional() }, BODY);

export const recordSchema = mapping(
  {
    trajectories: list(z.unknown(), 'trajectories').describe('native trajectories (docs/trajectory.md)'),
  },
  BODY,
);

export const decideSchema = mapping(
  {
    groups: list(
      mapping(
        { id: id.optional(), sessions: list(id, 'ids of sessions') },
        'a mapping with sessions, and id where the group has one',
      ),
      'groups',
    ),
    zeroVariance: oneOf(['accept', 'reject']).default('accept'),
  },
  BODY,
);

const recipe = z.unknown().optional().describe('a curation recipe (docs/recipe.md)');

export const weightsSchema = mapping({ ids: list(id, 'ids of sessions'), recipe }, BODY);

export const selectSchema = mapping(
  {
    candidates: list(
      z.union([id, mapping({ id, group: id.optional() })], {
        error: `${ID}, or a mapping with id and group`,
      }),
      'ids of sessions',
    ).describe('ids of sessions; group as on record unless said'),
    n: whole(2, 64).describe('kept of each group; pairs need two'),
    recipe,
  },
  BODY,
);

export const overrideSchema = z.union(
  [
    mapping({
      level: oneOf(['green', 'yellow', 'red']),
      by: id,
      reason: text('a text of 1 to 1000 characters', 1000),
      seconds: number(1, 31_536_000).optional().describe('until it lapses; absent: until released'),
    }),
    mapping({ release: z.literal(true, { error: 'true' }), by: id }),
  ],
  { error: BODY },
);

const POPULATION = 'a population, as in the settings file (docs/gateway-settings.md)';

export const populationBodySchema = mapping(
  {
    // Read by the settings' own rules later.
    population: z
      .custom<unknown>((value) => value !== undefined, { error: POPULATION })
      .describe('as in the settings file (docs/gateway-settings.md)'),
    by,
  },
  BODY,
);

const WEIGHTS = 'a mapping of ids of members to numbers from 0 to 1000000000';

export const weightsBodySchema = mapping(
  {
    weights: z
      .record(id, number(0, 1e9), { error: WEIGHTS })
      .describe('of members of the seen panel; others stay'),
    by,
  },
  BODY,
);

export const checkpointSchema = mapping(
  { checkpoint: id.describe('the name of a model at the upstream'), by: by.optional() },
  BODY,
);

export const answerSchema = mapping({ text: text('a text of 1 to 100000 characters', 100_000) }, BODY);

export const dumpSchema = mapping(
  {
    format: z
      .string({ error: 'a text of at most 100 characters' })
      .max(100, { error: 'a text of at most 100 characters' })
      .optional()
      .describe('found by content where absent'),
    rows: list(z.unknown(), 'rows').describe("rows of a trainer's dump, as they are in its file"),
  },
  BODY,
);
