import { expect, it } from 'vitest';
import { checkedRewards } from '../../../src/gateway/server/checked-rewards.ts';

it('one bad entry is rejected by itself, with its key, what was found and what is allowed', () => {
  const { sound, rejected } = checkedRewards([
    { session: 'a', reward: 1 },
    { session: 'b', reward: 'NaN' },
    { session: 'c', reward: null, close: false },
    { session: 'd' },
    { session: 'e', rewrd: 1 },
    { reward: 1 },
    7,
  ]);
  expect(sound).toEqual([
    { session: 'a', reward: 1 },
    { session: 'c', reward: null, close: false },
  ]);
  expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(['reward_invalid']));
  expect(rejected.map(({ id, reason }) => [id, reason])).toEqual([
    ['b', "reward: found 'NaN', expected a finite number or null"],
    ['d', 'reward: found nothing, expected a finite number or null'],
    [
      'e',
      'reward: found nothing, expected a finite number or null; ' +
        "the entry: found the key 'rewrd', expected 'reward', or another of session, reward, outcome, termination, close",
    ],
    ['rewards.5', 'session: found nothing, expected a text of 1 to 300 characters'],
    ['rewards.6', 'the entry: found 7, expected a mapping with session and reward'],
  ]);
});
