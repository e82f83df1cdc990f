import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstOfHash, rowsOfHash } from '../../src/curation/row-search.ts';
import { hashOf } from '../../src/curation/rows.ts';
import { type RowFacts, RowsBuilder, subsetRows } from '../../src/curation/rows-builder.ts';
import { hashText } from '../../src/trajectory/identity.ts';

const facts = (content: number, id: string, extra: Partial<RowFacts> = {}): RowFacts => ({
  id,
  hash: hashText(`content ${content}`),
  simulator: `s${content % 3}`,
  policy: 'p',
  context: `c${content % 5}`,
  group: content % 2 === 0 ? `g${content % 4}` : null,
  reward: content % 7 === 0 ? null : content,
  full: { mode: content % 4, outside: false, distance: content / 10 },
  interaction: { mode: content % 3, outside: content % 2 === 0, distance: Number.NaN },
  ...extra,
});

function built(rows: readonly RowFacts[], codebook: 'full' | 'interaction' = 'full') {
  const builder = new RowsBuilder();
  for (const row of rows) builder.add(row);
  return builder.build(codebook, 4);
}

describe('rows after the gate', () => {
  it('stand in content order whatever order they came in', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 40 }, (_, i) => i),
          { minLength: 40 },
        ),
        (order) => {
          const rows = built(order.map((i) => facts(i, `id${i}`)));
          const hashes = Array.from({ length: rows.size }, (_, row) => hashOf(rows, row));
          expect(hashes).toEqual([...hashes].sort());
          const reference = built(Array.from({ length: 40 }, (_, i) => facts(i, `id${i}`)));
          expect(rows.ids).toEqual(reference.ids);
          expect([...rows.mode]).toEqual([...reference.mode]);
          expect([...rows.reward]).toEqual([...reference.reward]);
          for (let row = 0; row < rows.size; row++)
            expect(rows.contexts[rows.context[row]!]).toBe(reference.contexts[reference.context[row]!]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keep what they are in the codebook that is asked for', () => {
    const full = built([facts(5, 'a')]);
    const interaction = built([facts(5, 'a')], 'interaction');
    expect([full.mode[0], full.outside[0]]).toEqual([1, 0]);
    expect([interaction.mode[0], interaction.outside[0]]).toEqual([2, 0]);
    expect(full.distance[0]).toBeCloseTo(0.5);
    expect(interaction.distance[0]).toBeNaN();
  });

  it('hold missing groups, rewards and modes as missing', () => {
    const rows = built([
      facts(7, 'a', {
        group: null,
        reward: null,
        full: { mode: null, outside: false, distance: Number.NaN },
      }),
    ]);
    expect([rows.group[0], rows.reward[0], rows.mode[0]]).toEqual([-1, Number.NaN, -1]);
  });

  it('are found by their content', () => {
    const rows = built([facts(1, 'a'), facts(1, 'b'), facts(2, 'c'), facts(3, 'd')]);
    expect(rowsOfHash(rows, hashText('content 1')).map((row) => rows.ids[row])).toEqual(['a', 'b']);
    expect(rowsOfHash(rows, hashText('content 9'))).toEqual([]);
    expect(firstOfHash(rows, 'f'.repeat(32))).toBe(4);
  });

  it('can be cut to some of them without changing what the numbers mean', () => {
    const rows = built(Array.from({ length: 12 }, (_, i) => facts(i, `id${i}`)));
    const part = subsetRows(rows, Uint32Array.of(2, 5, 7));
    expect(part.ids).toEqual([rows.ids[2], rows.ids[5], rows.ids[7]]);
    expect(hashOf(part, 1)).toBe(hashOf(rows, 5));
    expect(part.simulators[part.simulator[2]!]).toBe(rows.simulators[rows.simulator[7]!]);
  });
});
