import type { Random } from '../../math/random.ts';
import { chooserOf, type Decide, deciderOf, ramp, type Speaker } from './manner.ts';
import {
  COMMON_STARTS,
  CONTRACTIONS,
  COURTESY,
  CURT,
  DENIAL,
  GREETING,
  PARTING,
  REGRETS,
  REQUEST,
  REQUEST_ENDS,
  THANKS,
} from './manner-table.ts';
import { type Choose, type Slots, say } from './pattern.ts';
import type { UserWording } from './wordings.ts';

/** Words from which on an utterance is a sentence and not an answer that may well be given twice. */
const SENTENCE = 5;
const ATTEMPTS = 4;

/**
 * An act in a user's words. Expressiveness decides how much is said (half of the turns terse at .3, half with a
 * sentence more at .6), politeness adds courtesies or drops them, and the hand writes it down. Sentences that were said
 * `before` in the dialogue are not said again word by word: the speaker's less usual wordings then serve.
 */
export function phrase(
  wording: UserWording,
  slots: Slots,
  speaker: Speaker,
  before: ReadonlySet<string>,
  random: Random,
): string {
  let text = worded(wording, slots, speaker, random);
  for (let again = 1; again <= ATTEMPTS && before.has(text) && text.split(' ').length >= SENTENCE; again++) {
    const breadth = Math.min(1, speaker.breadth * 2 ** again);
    text = worded(wording, slots, { ...speaker, breadth }, random.fork(`again ${again}`));
  }
  return text;
}

function worded(wording: UserWording, slots: Slots, speaker: Speaker, random: Random): string {
  const choose = chooserOf(speaker.breadth, random);
  const decide = deciderOf(speaker.breadth, random);
  const { expressiveness } = speaker.voice;
  const terse = wording.terse !== undefined && decide(1 - ramp(expressiveness, 0.15, 0.45));
  let text = say(terse ? wording.terse! : wording.core, slots, choose);
  text = courteous(text, speaker.voice.politeness, choose, decide);
  if (!terse && wording.more !== undefined && decide(ramp(expressiveness, 0.45, 0.75)))
    text = `${text} ${say(wording.more, slots, choose)}`;
  return written(tidy(text), speaker, decide);
}

/**
 * Branches that say nothing leave spaces behind, and facts at the start of a sentence have no capital; what has no mark at
 * its end is meant to be no sentence.
 */
export function tidy(text: string): string {
  const spaced = text
    .trim()
    .replace(/(?<=\S) {2,}(?=\S)/g, ' ')
    .replace(/(?<=\S) +(?=[.,?!](?:\s|$))/g, '');
  // Words alone: names of files, functions and codes keep their letters.
  return /[.?!]$/.test(spaced)
    ? spaced.replace(/(?<=^|[.?!] )[a-z]+(?=[ ',!?]|\.(?:\s|$)|$)/g, capital)
    : spaced;
}

function courteous(text: string, politeness: number, choose: Choose, decide: Decide): string {
  if (politeness < 0.5) {
    if (!COURTESY.test(text) || !decide(1 - ramp(politeness, 0, 0.5))) return text;
    const curt = pass(text, CURT).trim();
    return curt === '' ? text : capital(curt);
  }
  if (COURTESY.test(text) || GREETING.test(text)) return text;
  const pick = (pieces: readonly string[]) => pieces[choose(pieces.length)]!;
  const chance = 0.6 * ramp(politeness, 0.4, 1);
  if (REQUEST.test(text) && !/[.?!] /.test(text))
    return decide(chance) ? text.replace(/(?=[.?!]?$)/, pick(REQUEST_ENDS)) : text;
  if (DENIAL.test(text)) return decide(chance) ? behind(pick(REGRETS), text) : text;
  return /[.!]$/.test(text) && !PARTING.test(text) && decide(chance / 3) ? text + pick(THANKS) : text;
}

function written(text: string, { voice, hand }: Speaker, decide: Decide): string {
  let out = text;
  if (decide(0.3 * (1 - voice.trust) * (1.3 - voice.consistency)) && !COURTESY.test(out))
    out = behind(out.endsWith('?') ? hand.pause : hand.hedge, out);
  if (hand.contracts) out = pass(out, CONTRACTIONS);
  if (voice.expressiveness > 0.5 && decide(0.3 * voice.trust * voice.expressiveness))
    out = out.replace(/\.$/, '!');
  if (!hand.lastStop) out = out.replace(/(?<!\.)\.$/, '');
  return hand.lowerCase ? lowered(out) : out;
}

/** `start` before a text whose first word is known to be no name; else the text alone. */
function behind(start: string, text: string): string {
  const first = /^[A-Za-z']+/.exec(text)?.[0] ?? '';
  if (/^I(?:'\w+)?$/.test(first)) return start + text;
  return COMMON_STARTS.has(first.toLowerCase().replace(/'.*$/, ''))
    ? start + text[0]!.toLowerCase() + text.slice(1)
    : text;
}

/** Codes, names of functions and the like stay as they are. */
function lowered(text: string): string {
  return text.replace(/\S+/g, (word) =>
    /\d|_|[A-Z]{2}|[a-z][A-Z]|[a-z]\(|`/.test(word) ? word : word.toLowerCase(),
  );
}

function pass(text: string, table: readonly (readonly [RegExp, string])[]): string {
  return table.reduce((now, [from, to]) => now.replace(from, to), text);
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
