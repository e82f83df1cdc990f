import { z } from 'zod';
import { flag, mapping, oneOf, orNull, whole } from '../settings/rules.ts';

// The records of a run of the loop, as whoever runs it sends them (PUT /api/evolve). Fields that later versions add are
// let through: nothing here is decided by them.

const loose = <T extends z.ZodRawShape>(shape: T, error: string) => z.looseObject(shape, { error });
const NUMBER = 'a finite number';
const finite = z.number({ error: NUMBER });
const numberOrNull = orNull(finite, `${NUMBER} or null`);
const WORDS = 'a text';
const words = z.string({ error: WORDS });
const wordsOrNull = orNull(words, `${WORDS} or null`);
const listOf = <T extends z.ZodType>(of: T, what: string, most = 100_000) => {
  const error = `a list of at most ${most} ${what}`;
  return z.array(of, { error }).max(most, { error });
};
const notes = listOf(words, 'texts');
const round = whole(0, 999_999);

const FIGURE = 'a figure: value, low, high, n and method, with a reason where value is null';
const figure = loose(
  {
    value: numberOrNull,
    low: numberOrNull,
    high: numberOrNull,
    n: finite,
    method: words,
    reason: words.optional(),
  },
  FIGURE,
).refine(({ value, reason }) => value !== null || reason !== undefined, { error: FIGURE });
const figureOrNull = orNull(figure, `${FIGURE}; or null`);

const member = loose(
  { id: words, family: words, model: wordsOrNull, recipe: loose({ kind: words }, 'a recipe') },
  'a member',
);
const ORIGIN = 'given, path (a, b, lambda, how), gap (mode, mass, base) or adversary (base, generation)';
const origin = z.union(
  [
    loose({ kind: z.literal('given') }, ORIGIN),
    loose({ kind: z.literal('path'), a: words, b: words, lambda: finite, how: words }, ORIGIN),
    loose({ kind: z.literal('gap'), mode: finite, mass: finite, base: words }, ORIGIN),
    loose({ kind: z.literal('adversary'), base: words, generation: finite }, ORIGIN),
  ],
  { error: ORIGIN },
);
const audition = loose(
  { n: finite, yield: figureOrNull, realism: figure, learnability: figure, turns: finite },
  'an audition or null',
);
const memberRecord = loose(
  { member, origin, round, audition: orNull(audition, 'an audition or null'), kept: flag, reason: words },
  'a member with origin, round, audition, kept and reason',
);

const levels = oneOf(['green', 'yellow', 'red', 'half-open']);
const comparison = loose(
  { against: words, proposed: figure, other: figure, difference: figure, bound: numberOrNull, holds: flag },
  'a comparison',
);
const acceptance = loose(
  {
    accepted: flag,
    rule: loose({ delta: finite, level: finite }, 'a rule with delta and level'),
    scd2: comparison,
    bdi: comparison,
    realism: comparison,
    reason: words,
  },
  'a verdict or null',
);
const cost = loose({ probeEpisodes: finite, trainEpisodes: finite, turns: finite }, 'a cost');
const training = loose(
  {
    checkpoint: words,
    steps: finite,
    reward: figure,
    zeroVariance: orNull(finite, 'a number or null'),
    entropy: numberOrNull,
    stopped: wordsOrNull,
  },
  'a training or null',
);
const look = loose(
  { scd2: figure, bdi: figure, realism: figure, psod: figure, psodRise: figure, epsilon: figure },
  'six figures',
);
const data = loose(
  {
    gate: flag,
    weights: orNull(loose({ alpha: finite }, 'weights'), 'weights or null'),
    consistency: orNull(loose({ lambda: finite }, 'a consistency'), 'a consistency or null'),
  },
  'a data plan',
);
const roundRecord = loose(
  {
    round,
    look,
    breaker: loose({ before: levels, after: levels, training: oneOf(['run', 'paused']), notes }, 'a breaker'),
    diagnosis: notes,
    modes: listOf(
      loose(
        { mode: finite, mass: numberOrNull, before: finite, after: numberOrNull, missing: flag },
        'a mode',
      ),
      'modes',
    ),
    synthesisShare: finite,
    candidates: listOf(memberRecord, 'candidates'),
    acceptance: orNull(acceptance, 'a verdict or null'),
    population: listOf(loose({ member: words, share: finite }, 'a member with its share'), 'members'),
    data,
    dataNotes: notes,
    training: orNull(training, 'a training or null'),
    exam: orNull(loose({ selection: figure, population: figure }, 'an exam'), 'an exam or null'),
    cost,
  },
  'the record of a round',
);

const settings = loose(
  {
    seed: finite,
    rounds: round,
    members: listOf(member, 'members'),
    acceptance: loose({ delta: finite, alpha: finite }, 'delta and alpha'),
    synthesis: loose({ realismFloor: finite }, 'the settings of synthesis'),
    parts: z.record(z.string(), flag, { error: 'a mapping of parts to true or false' }),
    bars: oneOf(['proposed', 'people']),
  },
  'the settings of the run',
);
const final = loose(
  { test: figure, people: figure, baseTest: figure, basePeople: figure, psod: figure, psodRise: figure },
  'the final figures',
);
const RUN = 'a run: settings, space, rounds and members; of one that is over its summary';
const run = loose(
  {
    schema: words.optional().describe('collapse-aware/evolve@1 of a run that is over'),
    settings,
    space: orNull(loose({ id: words, k: finite, people: flag }, 'a space'), 'a space or null'),
    rounds: listOf(roundRecord, 'rounds', 10_000),
    members: listOf(memberRecord, 'members'),
    selected: loose({ round, checkpoint: words }, 'round and checkpoint').optional(),
    final: final.optional(),
    guarantee: notes.optional(),
    cost: cost.optional(),
  },
  RUN,
).refine(
  ({ schema, selected, final: last, guarantee, cost: all }) =>
    schema === undefined ||
    (schema === 'collapse-aware/evolve@1' &&
      [selected, last, guarantee, all].every((one) => one !== undefined)),
  { error: `${RUN} (collapse-aware/evolve@1 with selected, final, guarantee and cost)` },
);
const bars = mapping({ yellow: finite, red: finite }, 'yellow and red');

export const evolveBodySchema = mapping(
  {
    title: z
      .string({ error: 'a text of 1 to 300 characters' })
      .min(1)
      .max(300)
      .optional()
      .describe('default: `run` and its seed'),
    command: orNull(z.string().max(10_000), 'a text or null').optional().describe('that makes the run again'),
    run: run.describe('what the run has decided so far, or its summary; docs/run-page.md'),
    bars: orNull(mapping({ scd: bars, psod: bars }), 'scd and psod, or null')
      .optional()
      .describe("the breaker's, where they follow people's own SCD2"),
  },
  'a mapping with the fields of this call',
);
