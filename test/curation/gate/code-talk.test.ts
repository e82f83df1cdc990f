import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import { episode } from './episode.ts';

const TRACE = 'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\nKeyError: 1';
const PAYLOAD = '{"status": "late", "parcel": {"id": 7}}';
const API = 'litellm.RateLimitError: too many tokens';

const drops = (before: string, text: string, after = 'Thanks.', scenario: string | null = null) =>
  planGate(defaultGate('standard'))
    .inspect(
      episode(
        [
          ['agent', 'Hello.'],
          ['user', before],
          ['agent', 'Go on.'],
          ['user', text],
          ['agent', 'I see.'],
          ['user', after],
        ],
        { scenario },
      ),
    )
    .findings.map(({ check }) => check);

const SHOPPING = 'My order is late.';

describe('an error or data as the only words of a user', () => {
  it.each([
    [TRACE, 'infrastructure-failure'],
    [API, 'infrastructure-failure'],
    ['{"error": {"message": "Overloaded"}}', 'infrastructure-failure'],
    [PAYLOAD, 'raw-json'],
    ['get_user_details(user_id="ann_lee_1234")', 'raw-json'],
  ])('break a row about a parcel: %s', (text, check) => {
    expect(drops(SHOPPING, text)).toContain(check);
    expect(drops('I want to change my flight to business class.', text)).toContain(check);
    // One word that shops use too is no talk about code.
    expect(drops('I made that order at your branch in Leeds.', text)).toContain(check);
  });

  it('do not excuse themselves by failing twice', () => {
    expect(drops(TRACE, TRACE)).toEqual(['infrastructure-failure']);
    expect(drops(SHOPPING, PAYLOAD, TRACE)).toContain('raw-json');
  });

  it.each([
    'The import in parse_row.py is broken.',
    'After my commit the branch is red.',
    'Two unit tests fail since Monday.',
    'Look at `x` in here:\n```\nx = 1\n```\nIs it right?',
    'load() gives me nothing.',
    'std::vector is empty here.',
    'The endpoint sends me the wrong payload.',
  ])('are content where the user says: %s', (before) => {
    for (const text of [TRACE, API, PAYLOAD, '["a.txt", "b.txt"]', 'TypeError: x is not iterable'])
      expect(drops(before, text)).toEqual([]);
    expect(drops('Hi there.', TRACE, before)).toEqual([]);
  });

  it('are content where the scenario speaks of code', () => {
    expect(drops('Hi there.', TRACE, 'Thanks.', 'Fix the parser: its unit tests fail.')).toEqual([]);
    expect(drops('Hi there.', TRACE, 'Thanks.', 'Return the lamp.')).toEqual(['infrastructure-failure']);
  });
});

describe('an error or data that a user shows', () => {
  it.each([
    `I get this:\n${TRACE}`,
    `Here is the log:\n${TRACE}`,
    'My router prints ECONNRESET all day, what now?',
    `This is what the page shows: ${PAYLOAD}`,
  ])('is content anywhere: %s', (text) => {
    expect(drops(SHOPPING, text)).toEqual([]);
  });

  it.each(['My reply is {"message": "yes"}', 'Here is my reply: {"message": "yes"}'])(
    'is none where it is the answer: %s',
    (text) => {
      expect(drops(SHOPPING, text)).toContain('raw-json');
    },
  );
});

it('alternatives to choose from are a fault in talk about code too', () => {
  const replies =
    '{"responses": [{"text": "Hi there", "probability": 0.4}, {"text": "Hello", "probability": 0.6}]}';
  expect(drops('Two unit tests fail.', replies)).toEqual(['raw-json']);
});
