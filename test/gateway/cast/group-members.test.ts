import { describe, expect, it } from 'vitest';
import { type EpochNow, GroupMembers, groupKey } from '../../../src/gateway/cast/index.ts';

const at = (epoch: number, counted = true): EpochNow => ({
  epoch,
  before: epoch === 0 ? null : epoch - 1,
  counted,
});
const OVER = () => false;
const OPEN = () => true;

function groupsWith(name: string, epoch: number, sessions: number): GroupMembers {
  const groups = new GroupMembers();
  for (let i = 0; i < sessions; i++)
    groups.began(groupKey(name, epoch), `${name} ${i}`, { id: 'a', fingerprint: 'f' });
  return groups;
}
/** Sessions of other groups. */
function others(groups: GroupMembers, count: number): void {
  for (let i = 0; i < count; i++) groups.began(groupKey(`other ${i}`, 0), `o${i}`, null);
}

describe('a group whose sessions name no epoch', () => {
  it('begins in the epoch under way', () => {
    expect(new GroupMembers().epochOf('g', at(3), OVER)).toBe(3);
  });

  it('goes on in the next epoch while a session of it is open, and in no later one', () => {
    for (const counted of [true, false]) {
      const groups = groupsWith('g', 2, 3);
      others(groups, 40);
      expect(groups.epochOf('g', at(3, counted), (id) => id === 'g 1')).toBe(2);
      expect(groups.epochOf('g', at(3, counted), OVER)).toBe(3);
      expect(groups.epochOf('g', at(4, counted), OPEN)).toBe(4);
      // Epochs of trainers may have gaps.
      expect(groups.epochOf('g', { epoch: 20, before: 2, counted }, OPEN)).toBe(2);
    }
  });

  it('goes on where its sessions follow one another and epochs are counted, be none open', () => {
    const groups = groupsWith('g', 2, 3);
    others(groups, 16);
    expect(groups.epochOf('g', at(3), OVER)).toBe(2);
    expect(groups.epochOf('g', at(3, false), OVER)).toBe(3);
    others(groups, 1);
    expect(groups.epochOf('g', at(3), OVER)).toBe(3);
  });

  it('is not thrown back by a session of an epoch that is long over', () => {
    const groups = groupsWith('g', 5, 1);
    groups.began(groupKey('g', 1), 'late', null);
    expect(groups.epochOf('g', at(6), (id) => id === 'g 0')).toBe(5);
  });
});

it('forgets the oldest groups', () => {
  const groups = new GroupMembers(2);
  for (const name of ['a', 'b', 'c']) groups.began(groupKey(name, 0), name, { id: name, fingerprint: 'f' });
  expect(['a', 'b', 'c'].map((name) => groups.get(groupKey(name, 0))?.id)).toEqual([undefined, 'b', 'c']);
});
