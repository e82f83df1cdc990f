import { has, type ReadTurn, type UserCue } from './cues.ts';
import type { Reading } from './reading.ts';
import { WORDS, WordSet } from './words.ts';

/** Not measurable; never 0. */
export const MISSING = Number.NaN;
/** NaN where there is nothing to take a part of. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? MISSING : part / whole);
export const average = (values: readonly number[]): number => {
  let total = 0;
  for (const value of values) total += value;
  return ratio(total, values.length);
};
/** Share of turns with the cue. */
export const share = (turns: readonly ReadTurn[], cue: UserCue): number => {
  let count = 0;
  for (const turn of turns) if (has(turn, cue)) count++;
  return ratio(count, turns.length);
};
/** ln(1 + words) of each turn. */
export const lengths = (turns: readonly ReadTurn[]): number[] =>
  turns.map((turn) => Math.log1p(turn.words.length));
export const totalWords = (turns: readonly ReadTurn[]): number => {
  let total = 0;
  for (const turn of turns) total += turn.words.length;
  return total;
};

const WITHIN = new WordSet();

/** Share of `of` that also stands in `within`; both distinct words. */
export function overlap(of: readonly number[], within: readonly number[]): number {
  WITHIN.clear();
  for (const word of within) WITHIN.add(word);
  let both = 0;
  for (const word of of) if (WITHIN.has(word)) both++;
  return both / of.length;
}

/** Share of turns that start with a capital, among those whose first letter has case. */
export function capitals({ user }: Reading): number {
  const cased = user.filter((turn) => turn.capital !== null);
  return ratio(cased.filter((turn) => turn.capital).length, cased.length);
}

/** Standard deviation of ln(1 + words). */
export function spread({ user }: Reading): number {
  if (user.length < 2) return MISSING;
  const values = lengths(user);
  const centre = average(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1));
}

/** ln of (content of the first turn + 1) over (mean content of the later turns + 1): needs no number of turns. */
export function frontLoad({ user }: Reading): number {
  if (user.length < 2) return MISSING;
  const later = average(user.slice(1).map((turn) => turn.content.length));
  return Math.log((1 + user[0]!.content.length) / (1 + later));
}

/** Share of the content words of turns 2.. that neither side has used in the last four turns of each. */
export function novelty({ user, heard }: Reading): number {
  let fresh = 0;
  let all = 0;
  const first = LAST.first;
  if (LAST.user.length < WORDS.size) {
    LAST.user = new Float64Array(2 * WORDS.size);
    LAST.heard = new Float64Array(2 * WORDS.size);
  }
  for (let at = 0; at < user.length; at++) {
    // The agent's turn `at` comes before the user's.
    const last = heard[at];
    if (last) for (const word of last.content) LAST.heard[word] = first + at;
    for (const word of user[at]!.content) {
      if (at > 0) {
        all++;
        if (LAST.user[word]! < first + at - 4 && LAST.heard[word]! < first + at - 3) fresh++;
      }
      LAST.user[word] = first + at;
    }
  }
  LAST.first += user.length + 4;
  return ratio(fresh, all);
}

/** By word, the last turn in which a side used it; turns of all episodes count on, four apart. */
const LAST = { first: 5, user: new Float64Array(0), heard: new Float64Array(0) };

/** Share of a turn's word pairs that stand in one of the user's three turns before it; mean over turns. */
export function repetition({ user }: Reading): number {
  const values: number[] = [];
  PAIRS.clear();
  for (let at = 0; at < user.length; at++) {
    const { words } = user[at]!;
    let own = 0;
    let again = 0;
    for (let place = 1; place < words.length; place++) {
      const seen = PAIRS.turn(words[place - 1]!, words[place]!, at);
      if (seen === at) continue;
      own++;
      if (seen >= 0 && seen >= at - 3) again++;
    }
    if (at > 0 && own > 0) values.push(again / own);
  }
  return average(values);
}

/** The last turn in which a pair of words stood. */
class PairTurns {
  #slots = 1 << 10;
  #first = new Int32Array(this.#slots);
  #second = new Int32Array(this.#slots);
  #turn = new Int32Array(this.#slots);
  /** Slots of another generation are free. */
  #generation = new Int32Array(this.#slots);
  #now = 0;
  #used = 0;

  clear(): void {
    this.#now++;
    this.#used = 0;
  }

  /** The last turn with the pair before it is noted for `turn`; -1 where there was none. */
  turn(first: number, second: number, turn: number): number {
    const mask = this.#slots - 1;
    const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (; this.#generation[slot] === this.#now; slot = (slot + 1) & mask)
      if (this.#first[slot] === first && this.#second[slot] === second) {
        const seen = this.#turn[slot]!;
        this.#turn[slot] = turn;
        return seen;
      }
    this.#first[slot] = first;
    this.#second[slot] = second;
    this.#turn[slot] = turn;
    this.#generation[slot] = this.#now;
    if (2 * ++this.#used > this.#slots) this.#grow();
    return -1;
  }

  #grow(): void {
    const [first, second, turns, generation] = [this.#first, this.#second, this.#turn, this.#generation];
    this.#slots *= 2;
    this.#first = new Int32Array(this.#slots);
    this.#second = new Int32Array(this.#slots);
    this.#turn = new Int32Array(this.#slots);
    this.#generation = new Int32Array(this.#slots);
    const kept = this.#now;
    this.#now = 1;
    this.#used = 0;
    generation.forEach((of, slot) => {
      if (of === kept) this.turn(first[slot]!, second[slot]!, turns[slot]!);
    });
  }
}

const PAIRS = new PairTurns();

/** 1 - cosine of the content-word sets of successive turns; mean over turns. */
export function drift({ user }: Reading): number {
  const values: number[] = [];
  for (let at = 1; at < user.length; at++) {
    const before = user[at - 1]!.content;
    const now = user[at]!.content;
    if (before.length === 0 || now.length === 0) continue;
    values.push(1 - (overlap(now, before) * now.length) / Math.sqrt(now.length * before.length));
  }
  return average(values);
}

/** Share of a turn's content words that stand in the agent's last turn; mean over turns. */
export function echo({ user, heard }: Reading): number {
  const values: number[] = [];
  user.forEach((turn, at) => {
    const last = heard[at];
    if (last && turn.content.length > 0) values.push(overlap(turn.content, last.content));
  });
  return average(values);
}

/** Least-squares slope of ln(1 + words) over position 0..1, through tanh so that it stays in -1..1. */
export function lengthTrend({ user }: Reading): number {
  if (user.length < 3) return MISSING;
  const values = lengths(user);
  const last = values.length - 1;
  const centre = average(values);
  let up = 0;
  let square = 0;
  values.forEach((value, at) => {
    const x = at / last - 0.5;
    up += x * (value - centre);
    square += x * x;
  });
  return Math.tanh(up / square / 2);
}

/** After a failure: +1 push-back, question or correction, -1 agreement or thanks; mean over such turns. */
export function errorReaction({ user, heard, toolFailed }: Reading): number {
  const values: number[] = [];
  user.forEach((turn, at) => {
    if (!toolFailed[at] && !heard[at]?.erred) return;
    const persists = has(turn, 'refuses') || has(turn, 'asks') || has(turn, 'corrects');
    const accepts = has(turn, 'agrees') || has(turn, 'thanks');
    values.push((persists ? 1 : 0) - (accepts ? 1 : 0));
  });
  return average(values);
}

/** Half for a greeting in the first turn, half for a farewell in the last. */
export function greeting({ user }: Reading): number {
  return (Number(has(user[0]!, 'greets')) + Number(has(user.at(-1)!, 'parts'))) / 2;
}

/** Share of all sentences. */
export function sentenceShare(user: readonly ReadTurn[], of: 'hedged' | 'emotional'): number {
  let part = 0;
  let whole = 0;
  for (const turn of user) {
    part += turn[of];
    whole += turn.sentences;
  }
  return ratio(part, whole);
}
