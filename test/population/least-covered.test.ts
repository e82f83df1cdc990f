import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { leastCoveredDraw, uncoveredGain } from '../../src/population/index.ts';
import { ids, named } from './members.ts';

const target = [0.5, 0.3, 0.2];
const reach = new Map([
  ['a', [1, 0, 0]],
  ['b', [0, 1, 0]],
  ['c', [0, 1, 1]],
]);
const all = named(['a', 'b', 'c']);
const draw = (covered: number[], key = 'k') => leastCoveredDraw(all, { target, covered, reach }, key, 1);

describe('leastCoveredDraw', () => {
  it('draws who adds most uncovered mass', () => {
    expect(uncoveredGain({ target, covered: [0, 0.5, 0], reach }, 'c')).toBeCloseTo(0.35, 12);
    expect(draw([0.5, 0, 0])).toMatchObject({ member: { id: 'c' }, gain: 0.5, tied: 1 });
    expect(draw([0, 0.5, 0.5])).toMatchObject({ member: { id: 'a' }, gain: 0.5 });
    expect(draw([1, 0, 1]).tied).toBe(2);
  });

  it('draws who was never measured first, and says that the gain is not known', () => {
    for (const unknown of [undefined, null]) {
      const some = new Map<string, number[] | null>(reach);
      if (unknown === undefined) some.delete('b');
      else some.set('b', unknown);
      expect(leastCoveredDraw(all, { target, covered: [0, 0, 0], reach: some }, 'k', 1)).toEqual({
        member: { id: 'b' },
        gain: null,
        tied: 1,
      });
    }
  });

  it('breaks ties by hash: each alike over keys once all is covered', () => {
    const n = 6000;
    const counts = new Map<string, number>();
    for (let i = 0; i < n; i++) {
      const { member, gain, tied } = draw([1, 1, 1], `session-${i}`);
      expect([gain, tied]).toEqual([0, 3]);
      counts.set(member.id, (counts.get(member.id) ?? 0) + 1);
    }
    for (const count of counts.values())
      expect(Math.abs(count / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(2 / 9 / n));
  });

  it('is changed neither by the order of members nor by the numbering of modes', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        ids(2),
        fc.array(fc.tuple(share, share), { minLength: 1, maxLength: 6 }),
        fc.string(),
        (list, modes, seed) => {
          const random = seeded(seed);
          // Coarse, so that ties do occur.
          const masks = new Map(list.map((id) => [id, modes.map(() => random.integer(2))]));
          const run = (members: string[], order: number[]) =>
            leastCoveredDraw(
              named(members),
              {
                target: order.map((i) => modes[i]![0]),
                covered: order.map((i) => modes[i]![1]),
                reach: new Map(members.map((id) => [id, order.map((i) => masks.get(id)![i]!)])),
              },
              'key',
              seed,
            );
          const order = modes.map((_, i) => i);
          const one = run(list, order);
          const other = run(random.shuffle([...list]), random.shuffle([...order]));
          expect(other.member).toEqual(one.member);
          expect(other.gain).toBeCloseTo(one.gain!, 10);
        },
      ),
    );
  });

  it.each([
    [{ target, covered: [0, 0], reach }, 'covered has 2 modes and target 3'],
    [{ target, covered: [0, 0, 2], reach }, 'covered is 2 in mode 2'],
    [{ target, covered: [0, 0, Number.NaN], reach }, 'covered is NaN'],
    [{ target: [1, -1, 0], covered: [0, 0, 0], reach }, 'target of mode 1 is -1'],
    [{ target, covered: [0, 0, 0], reach: new Map([['a', [1]]]) }, "the reach of 'a' has 1 modes"],
  ])('refuses figures that are none (%#)', (counts, text) => {
    expect(() => leastCoveredDraw(named(['a']), counts, 'k', 1)).toThrow(text);
  });
});
