import { FEATURES } from '../embedding/interaction.ts';

/** What a person does, and in what share of their messages. */
function doing(what: string, share: number): string {
  if (share < 0.03) return `You almost never ${what}.`;
  if (share < 0.12) return `You rarely ${what}.`;
  if (share < 0.25) return `You ${what} now and then.`;
  if (share < 0.42) return `You ${what} in about a third of your messages.`;
  if (share < 0.6) return `You ${what} in about half of your messages.`;
  return `You ${what} in ${share < 0.8 ? 'most of your messages' : 'nearly every message'}.`;
}

interface Wording {
  /** Said whether or not it stands out. */
  readonly always?: true;
  readonly say: (mean: number, more: boolean) => string;
}

const either =
  (more: string, less: string): Wording['say'] =>
  (_, is) =>
    is ? more : less;

/** What a feature says of a person, to that person. Features that a protocol fixes (number of turns, tools) have none. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  'turn-length': {
    always: true,
    say: (mean) => `Your messages have about ${Math.max(1, Math.round(Math.expm1(mean)))} words.`,
  },
  'turn-length-spread': {
    say: either('Some of your messages are very short, others long.', 'All your messages are about as long.'),
  },
  'short-answers': { say: (mean) => doing('answer in three words or fewer', mean) },
  'capital-start': {
    say: either('You begin messages with a capital letter.', 'You mostly begin without a capital letter.'),
  },
  'end-mark': {
    say: either('You put a mark behind every sentence.', 'You often leave out the last full stop.'),
  },
  informal: {
    say: either(
      'You write as in a chat, with short forms and slips.',
      'You write out words and spell with care.',
    ),
  },
  'first-person': { say: either('You speak much of yourself.', 'You hardly speak of yourself.') },
  emotion: { say: either('You show feelings and exclaim.', 'You stay matter-of-fact.') },
  hedging: { say: either('You are unsure and let it show.', 'You are sure of what you say.') },
  thanks: { say: (mean) => doing('thank the other side', mean) },
  please: { say: either('You ask politely for things.', 'You do not bother with politeness.') },
  greeting: {
    say: either('You greet at the start and take leave at the end.', 'You neither greet nor take leave.'),
  },
  'front-load': {
    say: either(
      'You tell most of it at once, in your first message.',
      'You begin with very little and tell more only later.',
    ),
  },
  'new-content': {
    say: either(
      'Later messages keep bringing up new things.',
      'Later messages stay with what was said before.',
    ),
  },
  specifics: { say: either('You give numbers and names.', 'You give hardly any numbers or names.') },
  questions: { always: true, say: (mean) => doing('ask something', mean) },
  clarification: { say: (mean) => doing('want explanations or details', mean) },
  'push-back': { always: true, say: (mean) => doing('refuse, object or doubt', mean) },
  'error-reaction': {
    say: either(
      'Where the other side errs or cannot help, you insist.',
      'Where the other side errs or cannot help, you give way.',
    ),
  },
  'self-correction': { say: either('You correct yourself at times.', 'You never correct yourself.') },
  agreement: { always: true, say: (mean) => doing('agree or give in', mean) },
  repetition: { say: either('You say things more than once.', 'You do not repeat yourself.') },
  drift: { say: either('You go from point to point.', 'You keep to one point.') },
  echo: {
    say: either("You take up the other side's words.", "You keep to your own words, not the other side's."),
  },
  'length-trend': {
    say: either('Your messages grow longer as it goes on.', 'Your messages become shorter as it goes on.'),
  },
};

/** Effects below this, in standard deviations over people, are not worth a sentence. */
const NOTABLE = 0.3;
const MOST = 10;

/**
 * How one or several people behave, as sentences to whoever plays them: the basics, then what sets them apart from all
 * `people`, the largest effect first, at most 10. Rows are features in the order of FEATURES, NaN = missing.
 */
export function behaviourInWords(
  own: readonly ArrayLike<number>[],
  people: readonly ArrayLike<number>[],
): readonly string[] {
  const found = FEATURES.flatMap(({ name }, at) => {
    const wording = WORDINGS[name];
    const mean = average(own, at);
    if (wording === undefined || mean === null) return [];
    const centre = average(people, at) ?? mean;
    const spread = deviation(people, at, centre);
    const effect = spread > 0 ? (mean - centre) / spread : 0;
    return [{ at, effect, always: wording.always === true, text: wording.say(mean, effect >= 0) }];
  });
  const basics = found.filter(({ always }) => always);
  const apart = found
    .filter(({ always, effect }) => !always && Math.abs(effect) >= NOTABLE)
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || a.at - b.at);
  return [...basics, ...apart].slice(0, MOST).map(({ text }) => text);
}

function average(rows: readonly ArrayLike<number>[], at: number): number | null {
  const known = rows.map((row) => row[at]!).filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function deviation(rows: readonly ArrayLike<number>[], at: number, centre: number): number {
  const known = rows.map((row) => row[at]!).filter((value) => !Number.isNaN(value));
  if (known.length < 2) return 0;
  return Math.sqrt(known.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (known.length - 1));
}
