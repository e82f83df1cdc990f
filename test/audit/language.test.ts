import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.ts';
import { seeded } from '../../src/math/index.ts';
import { composeTrajectory, simulatorFacts, type Trajectory } from '../../src/trajectory/index.ts';

const WORDS = {
  de: [
    'Guten Tag, ich möchte meine Lampe zurückgeben, sie ist zerbrochen angekommen.',
    'Nein, das will ich nicht, ich warte schon seit einer ganzen Woche auf das Paket.',
    'Was meinen Sie damit, und wie lange soll die Erstattung denn noch dauern?',
    'Einverstanden, vielen Dank für die schnelle Hilfe und einen schönen Abend.',
  ],
  en: [
    'Hello, I want to return my lamp, it came broken and I am not happy with it.',
    'No, I do not want that, I have been waiting for the parcel for a week now.',
    'What do you mean by that, and how long will the refund take to reach me?',
    'That is fine with me, thank you for the help and have a nice evening.',
  ],
};

function episodes(id: string, language: 'de' | 'en', kind: 'llm' | 'human' = 'llm'): Trajectory[] {
  const random = seeded(id);
  return Array.from({ length: 40 }, (_, i) =>
    composeTrajectory({
      scenario: `case ${i}`,
      simulator: simulatorFacts({ id, kind, person: kind === 'human' ? `person ${i}` : null }),
      policy: { id: `agent ${i % 2}`, checkpoint: null },
      turns: Array.from({ length: 3 }, () => [
        { role: 'agent' as const, text: language === 'de' ? 'Wie kann ich helfen?' : 'How can I help?' },
        { role: 'user' as const, text: `${WORDS[language][random.integer(4)]} (${random.integer(99)})` },
      ]).flat(),
      source: { file: 'memory', line: null },
    }),
  );
}

const language = async (rows: readonly Trajectory[], people: readonly Trajectory[] = []) => {
  const { report } = await audit({
    records: async function* () {
      yield* rows;
    },
    ...(people.length === 0
      ? {}
      : {
          people: async function* () {
            yield* people;
          },
        }),
  });
  const found = report.confounds.filter(({ kind }) => kind === 'language');
  return { found, headline: report.headline };
};

describe('rows in another language', () => {
  test('are named as a confound, in the headline too, for the simulators that speak it', async () => {
    const { found, headline } = await language([...episodes('a', 'de'), ...episodes('b', 'en')]);
    expect(found.map(({ simulator }) => simulator)).toEqual(['a']);
    expect(found[0]?.text).toMatch(/^100 % of the rows of a are not in English: \d+ of 28 /);
    expect(headline).toContain('(those of 1 of the simulators are not in English)');
  });

  test('are named of people as well', async () => {
    const { found, headline } = await language(episodes('b', 'en'), episodes('people', 'de', 'human'));
    expect(found.map(({ simulator }) => simulator)).toEqual([null]);
    expect(headline).not.toContain('English');
  });

  test('are not named where all is English', async () => {
    expect((await language([...episodes('a', 'en'), ...episodes('b', 'en')])).found).toEqual([]);
  });
});
