import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { bodyFaults } from '../../../src/gateway/api/body-faults.ts';
import * as schemas from '../../../src/gateway/api/schemas.ts';
import { schemaFaults } from '../../../src/population/fault.ts';

const by = 'me';
/** A body of each call with all that it may hold. */
const WHOLE: Readonly<Record<string, unknown>> = {
  newSessionSchema: {
    id: 's',
    model: 'population',
    group: 'g',
    epoch: 1,
    run: 'r',
    policy: { id: 'p', checkpoint: 'c' },
    contextLabel: 'l',
    nested: { agentSeed: 'a', userSeed: 'b' },
  },
  rewardEntrySchema: { session: 's', reward: 1, outcome: 'o', termination: 't', close: false },
  rewardsSchema: { rewards: [7] },
  endSchema: { termination: 't' },
  epochSchema: { epoch: 1, run: 'r', policy: { id: 'p', checkpoint: null } },
  recordSchema: { trajectories: [7] },
  decideSchema: { groups: [{ id: 'g', sessions: ['s'] }], zeroVariance: 'reject' },
  weightsSchema: { ids: ['s'], recipe: 7 },
  selectSchema: { candidates: ['s', { id: 't', group: 'g' }], n: 4, recipe: 7 },
  overrideSchema: { level: 'red', by, reason: 'x', seconds: 5 },
  populationBodySchema: { population: 7, by },
  weightsBodySchema: { weights: { a: 1 }, by },
  checkpointSchema: { checkpoint: 'c', by },
  answerSchema: { text: 'Yes.' },
  dumpSchema: { format: 'verl', rows: [7] },
};
const { BY_SETTINGS: _, ...named } = schemas;
const all: readonly (readonly [string, z.ZodType])[] = Object.entries(named);

/** Every place of a value: the value without its own, with another in its stead. */
function* changed(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (Array.isArray(value))
    for (const [at, inner] of value.entries())
      for (const other of changed(inner, by)) yield value.with(at, other);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      for (const other of changed(inner, by)) yield { ...value, [key]: other };
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
    }
    yield { ...value, odd: by };
  }
}

/** How the validator begins where a rule has no message of its own. */
const ITS_OWN = /^(Invalid|Too |Unrecognized|Expected|Required|Must)/;

describe('every rule of a body says in its own words what is allowed', () => {
  it.each(all)('%s', (name, schema) => {
    expect(schema.safeParse(WHOLE[name]).error).toBeUndefined();
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('', 'x'.repeat(400), -1, 0.5, 1e16, Number.POSITIVE_INFINITY, schemas.BY_SETTINGS),
    );
    let refused = 0;
    fc.assert(
      fc.property(odd, (other) => {
        for (const body of changed(WHOLE[name], other)) {
          const { error } = schema.safeParse(body);
          if (error === undefined) continue;
          refused += 1;
          for (const { allowed } of schemaFaults(error, body, schema)) expect(allowed).not.toMatch(ITS_OWN);
        }
      }),
      { seed: 7, numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('also of a list that is too long, and of a key that cannot be one', () => {
    const long = Array.from({ length: 100_001 }, () => 's');
    const told = (schema: z.ZodType, body: unknown) =>
      bodyFaults(schema.safeParse(body).error!, body, schema, 'the body');
    expect(told(schemas.weightsSchema, { ids: long })).toEqual({
      path: 'ids',
      words: 'ids: found a list of 100001, expected a list of at most 100000 ids of sessions',
    });
    expect(told(schemas.weightsBodySchema, { weights: { '': 1 }, by }).words).toContain(
      'expected a mapping of ids of members to numbers from 0 to 1000000000',
    );
  });

  it('and of many faults the first few are told', () => {
    const body = { ids: Array.from({ length: 50_000 }, (_, at) => at) };
    const { path, words } = bodyFaults(
      schemas.weightsSchema.safeParse(body).error!,
      body,
      schemas.weightsSchema,
      'the body',
    );
    expect(path).toBe('ids[0]');
    expect(words).toMatch(/^ids\[0\]: found 0, expected a text of 1 to 300 characters; .*; and 49995 more$/);
  });
});
