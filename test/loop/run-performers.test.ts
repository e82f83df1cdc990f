import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CollapseAwareError } from '../../src/errors.ts';
import {
  collapsing,
  errorOf,
  faultOf,
  type LoopRequest,
  type Performer,
  pooledPerformer,
} from '../../src/loop/index.ts';
import { joinParts, partsOf } from '../../src/loop/request-parts.ts';
import { examplePerformer, exampleSettings } from './run-example.ts';

const context = (round: number, signal = new AbortController().signal) => ({
  read: async () => '',
  keep: async () => '',
  signal,
  round,
});
const share = (id: string) => ({ member: { ...exampleSettings().members[0]!, id }, share: 1 / 3 });
const probe = (...ids: string[]): LoopRequest => ({
  kind: 'probe',
  id: 'probe',
  checkpoint: 'x',
  draw: 'each',
  seed: 's',
  contexts: 4,
  rollouts: 5,
  population: ids.map(share),
});

describe('a pool of performers', () => {
  it('gives a request to whoever is free, at most one to each, in the order of asking', async () => {
    const busy = new Set<number>();
    const order: string[] = [];
    const one = (number: number): Performer => ({
      ...examplePerformer(),
      perform: async (request) => {
        expect(busy.has(number)).toBe(false);
        busy.add(number);
        order.push(request.id);
        await pass(5);
        busy.delete(number);
        return { kind: 'gate', acknowledged: true };
      },
    });
    const pool = pooledPerformer([one(0), one(1)]);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(ids.map((id) => pool.perform({ ...probe('a'), id } as LoopRequest, context(1))));
    expect(order).toEqual(ids);
  });

  it('is free again after a fault, and begins nothing that nobody waits for', async () => {
    const stop = new AbortController();
    const performer = examplePerformer({
      asked: () => {
        stop.abort();
        throw new Error('fell');
      },
    });
    const pool = pooledPerformer([performer]);
    const [first, second] = await Promise.allSettled([
      pool.perform(probe('a'), context(1, stop.signal)),
      pool.perform(probe('b'), context(1, stop.signal)),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
    expect(performer.asked).toHaveLength(1);
  });
});

describe('the parts of a request', () => {
  it('are the members of a probe of each, whose answers are joined in their order', async () => {
    const request = probe('a', 'b', 'c');
    const parts = partsOf(request);
    expect(parts.map(({ id }) => id)).toEqual(['probe/a', 'probe/b', 'probe/c']);
    const performer = examplePerformer();
    const answers = await Promise.all(parts.map((part) => performer.perform(part, context(1))));
    const whole = await performer.perform(request, context(1));
    expect(whole.kind === 'probe' && joinParts(request, answers)).toMatchObject({
      rows: whole.kind === 'probe' ? whole.rows : [],
      lost: [{ simulator: 'a' }, { simulator: 'b' }, { simulator: 'c' }],
    });
  });

  it('of everything else are the request itself', () => {
    for (const request of [{ ...probe('a', 'b'), draw: 'mixture' }, probe('a'), { kind: 'open', id: 'open' }])
      expect(partsOf(request as LoopRequest)).toEqual([request]);
  });
});

describe('a collapse that is injected', () => {
  it('holds those who were there before, from its round on, and nobody who is made later', async () => {
    const performer = collapsing(examplePerformer(), 3);
    const cells = async (round: number, id: string) => {
      const answer = await performer.perform(probe(id), context(round));
      return answer.kind === 'probe' ? new Set(answer.rows.map(({ cell }) => cell)).size : 0;
    };
    for (const id of ['given', 'r2-gap']) {
      expect(await cells(2, id)).toBeGreaterThan(1);
      expect(await cells(3, id)).toBe(1);
      expect(await cells(9, id)).toBe(1);
    }
    expect(await cells(3, 'r3-gap')).toBeGreaterThan(1);
    expect(await cells(9, 'r3-gap')).toBeGreaterThan(1);
  });
});

describe('a fault', () => {
  it('is told elsewhere with its code, place and advice', () => {
    const error = new CollapseAwareError('CA_FILE_UNWRITABLE', 'no space', {
      place: { file: 'f', line: 3 },
      todo: 'Make room.',
    });
    expect(errorOf(JSON.parse(JSON.stringify(faultOf(error))))).toMatchObject({ line: error.line });
    expect(errorOf(faultOf(new TypeError('x')))).toMatchObject({ code: 'CA_INTERNAL', message: 'x' });
    expect(errorOf({ ...faultOf(error), code: 'toString' as never })).toMatchObject({ code: 'CA_INTERNAL' });
  });
});
