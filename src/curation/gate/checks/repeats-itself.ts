import type { Role, Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check } from '../check.ts';
import { isDeaf } from '../deaf-answers.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens, wordsOf } from '../speech.ts';

const NAME = 'repeats-itself';

/** Messages of fewer words are answers that may well be the same. */
const LEAST = 5;
/** From here on a message is no mere answer, however it begins. */
const LONG = 14;
/** How often it has to be said. Twice is what people do who were not heard. */
const TIMES = 3;
/** Shared words over all words of two messages that count as the same. */
const SAME = 0.8;
/** The same for the answers between: who says it in other words has still not listened. */
const ALIKE = 0.6;
/** Characters of a message that are compared. */
const READ = 1500;
/** Turns looked at: pairs grow with their square. */
const TURNS = 80;

const ANSWER =
  /^(?:yes|yeah|yep|no|nope|ok|okay|sure|thank|thanks|great|perfect|correct|that's|that is|please (?:proceed|go ahead|continue))\b/;

interface Message {
  readonly words: ReadonlySet<string>;
  readonly text: string;
  readonly turn: number;
  /** What the other side had said before it. */
  readonly prompt: string;
}

/**
 * The third turn in which one side says nearly the same again, although the other side did not ask the same
 * again; null where there is none. An agent that repeats itself, fails or asks for what it was told gets what it asked
 * for: its answers do not count.
 */
export function repeatedTurn(
  episode: Trajectory,
  role: 'user' | 'agent',
): { turn: number; text: string } | null {
  const other: Role = role === 'user' ? 'agent' : 'user';
  const said = speechOf(episode, role);
  if (said.length < TIMES) return null;
  const heard = speechOf(episode, other);
  const messages: Message[] = [];
  let next = 0;
  let prompt = '';
  for (const { text, turn } of said.slice(0, TURNS)) {
    while (next < heard.length && heard[next]!.turn < turn) prompt = heard[next++]!.text;
    const words = wordsOf(withoutStopTokens(text).slice(0, READ));
    if (words.length < LEAST || (words.length < LONG && ANSWER.test(words.slice(0, 3).join(' ')))) continue;
    const message = { words: new Set(words), text, turn, prompt };
    const same = messages.filter((before) => isSame(before.words, message.words));
    if (same.length >= TIMES - 1) {
      const prompts = new Set(
        [...same.map((before) => before.prompt), prompt].map((asked) =>
          wordsOf(asked.slice(0, READ)).join(' '),
        ),
      );
      const answers = [...same.slice(1).map((before) => before.prompt), prompt];
      const known = said.filter((one) => one.turn < turn).map((one) => one.text);
      if (
        prompts.size >= TIMES &&
        (role === 'agent' || isHeard(answers, known)) &&
        ownWords(text, episode.scenario) >= LEAST
      )
        return { turn, text };
    }
    messages.push(message);
  }
  return null;
}

/** Whether the answers to a message, each told apart from the others, were such as to move somebody on. */
function isHeard(answers: readonly string[], told: readonly string[]): boolean {
  const heeding: ReadonlySet<string>[] = [];
  for (const answer of answers) {
    if (isDeaf(answer, told)) continue;
    const words = new Set(wordsOf(answer.slice(0, READ)));
    if (!heeding.some((before) => isSame(before, words, ALIKE))) heeding.push(words);
  }
  return heeding.length >= TIMES - 1;
}

/** Words of a message without the sentences that its scenario has it say. */
function ownWords(text: string, scenario: string | null): number {
  if (scenario === null) return LEAST;
  const told = ` ${wordsOf(scenario.slice(0, 50_000)).join(' ')} `;
  let own = 0;
  for (const sentence of text.slice(0, READ).split(/[.!?\n]+|(?<=^(?:yes|no|ok))\s/i)) {
    const words = wordsOf(sentence);
    if (words.length < LEAST || !told.includes(` ${words.join(' ')} `)) own += words.length;
  }
  return own;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>, share = SAME): boolean {
  const least = Math.min(a.size, b.size);
  const most = Math.max(a.size, b.size);
  if (least < share * most) return false;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared >= share * (a.size + b.size - shared);
}

/** The simulator is stuck: it says the same whatever it hears. */
export const repeatsItself: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'the user sends nearly the same message again and again',
  inspect(episode) {
    const repeated = repeatedTurn(episode, 'user');
    if (repeated === null) return null;
    return finding(NAME, 'simulator', `the user says the same ${TIMES} times`, repeated.text, repeated.turn);
  },
};
