import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import type { Role } from '../../../src/trajectory/trajectory.ts';
import { episode } from './episode.ts';

const scenario =
  'You are Ann Lee, your user id is ann_lee_1234 and your email is ann.lee@example.com. You live in zip code 12345. You want to return the lamp of order #W1234567 and to cancel reservation EHGLP3. Your phone number is 555-123-2002. You were born on 1990-04-05 and pay with the card ending in 7447.';

const drops = (...said: readonly string[]) => {
  const turns = said.flatMap((text): (readonly [Role, string])[] => [
    ['user', text],
    ['agent', 'I see.'],
  ]);
  return planGate(defaultGate('standard'))
    .inspect(episode([['agent', 'Hello.'], ...turns, ['user', 'Bye for now.']], { scenario }))
    .findings.map(({ check }) => check);
};

describe('a user that states a wrong value', () => {
  it.each([
    ['It is about order #W7654321.'],
    ['I was born on May 4, 1991.', 'Could you go on?'],
    ['My zip code is 54321, thank you.', 'I am sorry, I do not know the phone number.'],
    ['Sorry for the wait. My user id is bob_ray_4321.', 'Sorry, what else do you need?'],
    ['My name is Robert Ray.', 'My email is ann.lee@example.com.'],
    ['My zip code is 54321.', 'My phone number is 555-123-2002.'],
  ])('and lets it stand contradicts its task: %s', (...said) => {
    expect(drops(...said)).toEqual(['contradicts-task']);
  });

  it.each([
    // The right one stands somewhere.
    ['It is about order #W7654321.', 'Have you found #W1234567?'],
    ['My user id is bob_ray_4321.', 'It does not work? ann_lee_1234 then.'],
    ['I was born on May 4, 1991.', 'Hm, April 5, 1990.'],
    ['My card is the Visa ending in 9999.', 'Take the one ending in 7447.'],
    ['My zip is 12345, and the zip of my summer house is 54321.'],
    ['My name is Robert Ray.', 'No, Ann Lee, the account is mine.'],
    ['My number is 555-999-2002.', 'Dial (555) 123-2002.'],
    // It is taken back at once, or later.
    ['My order number is #W7654321, scratch that, I have to find the letter.'],
    ['Please cancel reservation ABCDE5. Sorry, that was last year.'],
    ['My email is bob@example.com - let me check, I have several.'],
    ['My user id is bob_ray_4321.', 'I gave you the wrong id a moment ago.'],
    ['My zip code is 54321.', 'Thanks.', 'By the way, there was a typo in what I wrote.'],
    ['My name is Robert Ray. Oops, my husband types along.'],
    ['Not order #W7654321 but the one before.'],
    // It is named as another one.
    ['My old zip code was 54321.'],
    ["My husband's email is bob@example.com, in case you write to him."],
  ])('and sets it right does not: %s', (...said) => {
    expect(drops(...said)).toEqual([]);
  });
});
