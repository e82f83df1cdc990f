import { Lexicon } from './lexicon.ts';
import {
  AGENT_CUES,
  EMOTION,
  ENGLISH_MARKERS,
  FIRST_PERSON,
  FUNCTION_WORDS,
  INFORMAL,
  USER_CUES,
} from './phrases.ts';
import type { Sentence } from './sentences.ts';
import { ASKED, EXCLAIMED, NUMBER, type WordScan } from './word-scan.ts';
import { WORDS, WordSet } from './words.ts';

export type UserCue = keyof typeof USER_CUES;

/** "Tell me more", "I am confused", "please explain": asking without a question. */
const NEEDS = new Set(
  'tell clarify explain elaborate rephrase confused understand heard familiar know learn hear'.split(' '),
);
/** A question with a verb of its own that is not about the other person. */
const QUESTION_WORDS = new Set(
  "what what's how where when who who's which is are was were does do did will would can could has have should".split(
    ' ',
  ),
);
const OTHER_PERSON = new Set("you your you're you've u ur yourself we i me my".split(' '));

const USER = new Lexicon(
  USER_CUES,
  {
    function: FUNCTION_WORDS,
    markers: ENGLISH_MARKERS,
    firstPerson: FIRST_PERSON,
    informal: INFORMAL,
    emotion: EMOTION,
  },
  { needs: NEEDS, questions: QUESTION_WORDS, otherPerson: OTHER_PERSON, number: new Set([NUMBER]) },
);
const AGENT = new Lexicon(AGENT_CUES, { function: FUNCTION_WORDS, markers: ENGLISH_MARKERS });
const ASKS = USER.bit('asks');
const CLARIFIES = USER.bit('clarifies');
const BIT = Object.fromEntries(USER.cues.map((cue) => [cue, USER.bit(cue)])) as Record<UserCue, number>;
const FUNCTION = USER.wordBit('function');
const MARKER = USER.wordBit('markers');
const FIRST = USER.wordBit('firstPerson');
const SLIP = USER.wordBit('informal');
const FEELING = USER.wordBit('emotion');
const NEED = USER.wordBit('needs');
const QUESTION = USER.wordBit('questions');
const OTHER = USER.wordBit('otherPerson');
const FIGURE = USER.wordBit('number');
const AGENT_FUNCTION = AGENT.wordBit('function');
const AGENT_MARKER = AGENT.wordBit('markers');

/** One turn read once: what every feature is counted from. */
export interface ReadTurn {
  /** Numbers of its words (WORDS), and of the distinct ones that are no function words. */
  readonly words: readonly number[];
  readonly content: readonly number[];
  /** Numbers and names, by occurrence. */
  readonly specifics: number;
  readonly sentences: number;
  /** Cues of any of its sentences, as bits (`has`). */
  readonly cues: number;
  readonly hedged: number;
  readonly emotional: number;
  readonly firstPerson: number;
  readonly informal: number;
  readonly markers: number;
  readonly letters: number;
  readonly latin: number;
  /** Capital first letter: true, false, or null where the first letter has no case. */
  readonly capital: boolean | null;
  readonly endMark: boolean;
}

export function has(turn: Pick<ReadTurn, 'cues'>, cue: UserCue): boolean {
  return (turn.cues & BIT[cue]) !== 0;
}

/**
 * Cues of one sentence, words[from..to). A question mark or an inverted opening makes it ask; what asks for an
 * explanation counts as clarifying only in a sentence that asks or that says so outright.
 */
function cuesOf(words: Int32Array, from: number, to: number, asked: boolean): number {
  let bits = USER.match(words, from, to);
  if (asked) bits |= ASKS;
  if ((bits & ASKS) === 0) {
    if ((bits & CLARIFIES) !== 0) bits = statesNeed(words, from, to) ? bits | ASKS : bits & ~CLARIFIES;
  } else if (asksAboutMatter(words, from, to)) bits |= CLARIFIES;
  if ((bits & BIT.refusesNot) !== 0) bits &= ~BIT.refuses;
  return bits;
}

/** The same of a sentence as text. */
export function sentenceCues({ words, mark }: Sentence): number {
  const numbers = Int32Array.from(words, (word) => WORDS.numberOf(word));
  return cuesOf(numbers, 0, numbers.length, mark === '?');
}

const listsOf = (word: number): number => USER.known[word]?.lists ?? 0;

function statesNeed(words: Int32Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if ((listsOf(words[at]!) & NEED) !== 0) return true;
  return false;
}

function asksAboutMatter(words: Int32Array, from: number, to: number): boolean {
  if (to - from < 3) return false;
  let opens = false;
  for (let at = from; at < to; at++) {
    const lists = listsOf(words[at]!);
    if ((lists & OTHER) !== 0) return false;
    if (at - from < 4 && (lists & QUESTION) !== 0) opens = true;
  }
  return opens;
}

const isUpper = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde);
const isLower = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0xdf && code <= 0xff);
const isSpace = (code: number): boolean => code <= 0x20 || code === 0xa0;

/** What only the raw characters tell: names, lower-case i, case of the start, mark at the end, script. */
function typing(text: string) {
  let names = 0;
  let smallI = 0;
  let letters = 0;
  let latin = 0;
  let first = -1;
  let sentenceStart = true;
  const { length } = text;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const upper = isUpper(code);
    if (upper || isLower(code)) {
      letters++;
      latin++;
      if (first === -1) first = at;
      const before = at === 0 ? 0x20 : text.charCodeAt(at - 1);
      if (isSpace(before)) {
        const after = at + 1 < length ? text.charCodeAt(at + 1) : 0x20;
        if (upper && !sentenceStart && isLower(after)) names++;
        if (code === 0x69 && (isSpace(after) || after === 0x27 || after === 0x2019)) smallI++;
      }
      sentenceStart = false;
    } else if (code > 0x17f && code !== 0x2019 && code !== 0x2014 && code !== 0x2026) {
      // Beyond Latin: a letter of another script, or a symbol (not counted).
      if (code < 0x2000 || (code >= 0x2e80 && code < 0xd800)) letters++;
      if (first === -1 && letters > latin) first = at;
    } else if (code === 0x2e || code === 0x3f || code === 0x21 || code === 0x0a || code === 0x3a)
      sentenceStart = true;
  }
  let end = length - 1;
  while (end >= 0 && isSpace(text.charCodeAt(end))) end--;
  const last = end >= 0 ? text.charCodeAt(end) : 0;
  const start = first === -1 ? '' : text[first]!;
  return {
    names,
    smallI,
    letters,
    latin,
    capital:
      start === '' || start.toLowerCase() === start.toUpperCase() ? null : start !== start.toLowerCase(),
    endMark:
      last === 0x2e ||
      last === 0x21 ||
      last === 0x3f ||
      last === 0x3002 ||
      last === 0xff1f ||
      last === 0xff01,
  };
}

const SEEN = new WordSet();

/** Arrays of their own: short typed arrays would each be a piece of memory to ask for and to give back. */
function listOf(words: Int32Array, length: number): number[] {
  const list: number[] = [];
  for (let at = 0; at < length; at++) list.push(words[at]!);
  return list;
}

/** Reads a user turn that was scanned. */
export function readTurn(text: string, scan: WordScan): ReadTurn {
  const { words, length, ends, marks } = scan;
  const { known } = USER;
  SEEN.clear();
  const content: number[] = [];
  let cues = 0;
  let hedged = 0;
  let emotional = 0;
  let firstPerson = 0;
  let informal = 0;
  let markers = 0;
  let numbers = 0;
  let at = 0;
  for (let sentence = 0; sentence < ends.length; sentence++) {
    const from = at;
    const end = ends[sentence]!;
    let feeling = marks[sentence] === EXCLAIMED;
    for (; at < end; at++) {
      const word = words[at]!;
      const entry = word < known.length ? known[word]! : null;
      const lists = entry === null ? 0 : entry.lists;
      if ((lists & FUNCTION) === 0) {
        if (SEEN.add(word)) content.push(word);
        if ((lists & FIGURE) !== 0) numbers++;
      }
      if (lists === 0) continue;
      if ((lists & FIRST) !== 0) firstPerson++;
      if ((lists & MARKER) !== 0) markers++;
      if ((lists & SLIP) !== 0) informal++;
      if ((lists & FEELING) !== 0) feeling = true;
    }
    const found = cuesOf(words, from, end, marks[sentence] === ASKED);
    cues |= found;
    if ((found & BIT.hedges) !== 0) hedged++;
    if (feeling) emotional++;
  }
  const { names, smallI, letters, latin, capital, endMark } = typing(text);
  return {
    words: listOf(words, length),
    content,
    specifics: numbers + names,
    sentences: ends.length,
    cues,
    hedged,
    emotional,
    firstPerson,
    informal: informal + smallI,
    markers,
    letters,
    latin,
    capital,
    endMark,
  };
}

/** What is needed of an agent's turn: its content words, and whether it says that it erred or could not. */
export interface HeardTurn {
  readonly content: readonly number[];
  readonly erred: boolean;
  readonly words: number;
  readonly markers: number;
}

/** Reads an agent's turn that was scanned. */
export function hearTurn({ words, length, ends }: WordScan): HeardTurn {
  const { known } = AGENT;
  SEEN.clear();
  const content: number[] = [];
  let markers = 0;
  for (let at = 0; at < length; at++) {
    const word = words[at]!;
    const entry = word < known.length ? known[word]! : null;
    const lists = entry === null ? 0 : entry.lists;
    if ((lists & AGENT_MARKER) !== 0) markers++;
    if ((lists & AGENT_FUNCTION) === 0 && SEEN.add(word)) content.push(word);
  }
  let erred = false;
  for (let sentence = 0, from = 0; sentence < ends.length && !erred; sentence++) {
    erred = AGENT.match(words, from, ends[sentence]!) !== 0;
    from = ends[sentence]!;
  }
  return { content, erred, words: length, markers };
}
