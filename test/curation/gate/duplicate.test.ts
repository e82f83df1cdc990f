import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import { type Pair, RowKeys } from '../../../src/curation/gate/row-keys.ts';
import type { EpisodeDraft } from '../../../src/trajectory/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { episode } from './episode.ts';

const row = (id: string | null, facts: Partial<EpisodeDraft> = {}) =>
  episode(
    [
      ['user', 'Hi, my lamp is broken.'],
      ['agent', 'Sorry.'],
    ],
    { id, ...facts },
  );

/** Which rows stay, in two passes. */
function kept(rows: readonly Trajectory[]): boolean[] {
  const gate = planGate(defaultGate('standard'));
  for (const one of rows) gate.observe(one);
  return rows.map((one) => gate.inspect(one).kept);
}

describe('duplicate', () => {
  it('keeps one of equal rows, whatever their ids and order', () => {
    const rows = ['a', 'b', 'c'].map((id) => row(id));
    const stays = rows.filter((_, at) => kept(rows)[at]);
    expect(stays.length).toBe(1);
    const turned = rows.toReversed();
    expect(turned.filter((_, at) => kept(turned)[at])).toEqual(stays);
  });

  it.each([
    ['reward', { reward: 0 }],
    ['epoch', { epoch: 2 }],
    ['checkpoint', { policy: { id: 'p', checkpoint: '2' } }],
    ['ending', { termination: 'max_steps' }],
  ] as const)('keeps rows that differ in their %s', (_, facts) => {
    expect(kept([row('a'), row('a', facts)])).toEqual([true, true]);
  });

  it('keeps equal rollouts of one group that have ids of their own', () => {
    expect(kept([row('a', { group: 'g' }), row('b', { group: 'g' })])).toEqual([true, true]);
    expect(kept([row('a', { group: 'g' }), row('a', { group: 'g' })])).toEqual([true, false]);
  });

  it('tells rollouts of a group without ids by their lines', () => {
    const at = (line: number) => row(null, { group: 'g', source: { file: 'rows.jsonl', line } });
    expect(kept([at(1), at(2), at(1)])).toEqual([true, true, false]);
  });

  it('keeps the first one met where nothing was observed, also when it is looked at again', () => {
    const gate = planGate(defaultGate('standard'));
    const [first, second] = [row('a'), row('b')];
    expect([first, second, first, second].map((one) => gate.inspect(one).kept)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe('RowKeys', () => {
  const word = fc.integer({ min: 0, max: 0xffffffff });
  it('holds the lowest order of every key, as a plain map does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), word, word), { maxLength: 300 }),
        (noted) => {
          const keys = new RowKeys();
          const lowest = new Map<number, bigint>();
          const ordered = ([high, low]: Pair) => (BigInt(high) << 32n) | BigInt((low & ~3) >>> 0);
          for (const [key, high, low] of noted) {
            keys.note([key, 8 * key], [high, low]);
            const order = ordered([high, low]);
            const held = lowest.get(key);
            if (held === undefined || order < held) lowest.set(key, order);
          }
          expect(keys.size).toBe(lowest.size);
          for (const [key, high, low] of noted)
            expect(keys.look([key, 8 * key], [high, low]) === 'other').toBe(
              ordered([high, low]) !== lowest.get(key),
            );
        },
      ),
    );
  });

  it('tells many keys apart', () => {
    const keys = new RowKeys();
    for (let at = 0; at < 50_000; at++) keys.note([at * 7, Math.imul(at, 0x9e3779b1) >>> 0], [at, 4 * at]);
    expect(keys.size).toBe(50_000);
    for (let at = 0; at < 50_000; at += 997)
      expect(keys.look([at * 7, Math.imul(at, 0x9e3779b1) >>> 0], [at, 4 * at])).toBe('first');
  });
});
