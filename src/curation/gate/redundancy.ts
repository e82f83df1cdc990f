/** Longest period of a loop in words. */
const PERIOD = 40;
/** Longest period of a loop in characters, and characters read for one. */
const CHARACTERS = 64;
const READ = 6000;
/** A stretch that repeats itself for so many characters is no emphasis; the longest of people measured has 58. */
const LOOPED = 100;
/** Rulers, emoji, indentation and laughter are drawn out. */
const DRAWN_OUT = 200;
/** How often a unit comes in a loop, at least. */
const TIMES = 8;
/** Words from which a text's repetition says something. */
const FEWEST_WORDS = 30;
/** Repetitions of one word that make a loop. */
const FEWEST_TIMES = 6;
/** Different pieces of all, at most, where most of them come again. */
const MOST_DIFFERENT = 0.6;
/** Share of four-word runs that stood there before; 0.48 is the most that a sound user was seen to have. */
const SAID_BEFORE = 0.7;
/** Words of which few are different: sound users have 26 or more different words in 60. */
const VOCABULARY = { of: 60, different: 20 };

export const LAUGH = /^(?:ha|he|hi|ho|hu|ah|eh|lo|la|na|da|bla|blah|yada|xo|no|so|a|o|e|m|z|w)+$/;

/**
 * How a text goes round in circles; null where it does not. `words`: its lower-case pieces between blanks. Measured,
 * not listed: whatever the unit is made of, a loop has a period.
 */
export function redundancy(text: string, words: readonly string[]): string | null {
  if (text.length >= LOOPED && characterLoop(text)) return 'repeats the same characters without end';
  if (words.length < FEWEST_TIMES) return null;
  const numbers = new Map<string, number>();
  const loop = wordLoop(words, numbers);
  // Whoever says nearly everything twice has few different pieces.
  if (loop !== null || words.length < FEWEST_WORDS || numbers.size > MOST_DIFFERENT * words.length)
    return loop;
  return sameAgain(words);
}

/** A stretch of one unit of up to 64 characters over and over. Linear: only a gap that comes again and again is followed. */
export function characterLoop(text: string): boolean {
  const body = text.length > READ ? text.slice(0, READ) : text;
  LAST.fill(0);
  const last = LAST;
  const followed = new Uint8Array(CHARACTERS + 1);
  let before = 0;
  let steady = 0;
  for (let at = 2; at < body.length; at++) {
    const slot = (body.charCodeAt(at) * 961 + body.charCodeAt(at - 1) * 31 + body.charCodeAt(at - 2)) & 4095;
    const gap = last[slot] === 0 ? 0 : at - last[slot]!;
    last[slot] = at;
    steady = gap === before ? steady + 1 : 0;
    before = gap;
    if (steady < STEADY || gap === 0 || gap > CHARACTERS || followed[gap] === 1) continue;
    followed[gap] = 1;
    if (loopsBy(body, gap)) return true;
  }
  return false;
}

/** Where each trigram stood last; one table for all, as a new one for every turn costs more than the search. */
const LAST = new Int32Array(4096);

/** Places in a row that come back after the same gap before the gap is followed. */
const STEADY = 8;

function loopsBy(body: string, period: number): boolean {
  const least = Math.max(LOOPED, TIMES * period);
  let run = 0;
  for (let at = period; at < body.length; at++) {
    run = body.charCodeAt(at) === body.charCodeAt(at - period) ? run + 1 : 0;
    if (run + period < least) continue;
    const length = run + period;
    if (length >= DRAWN_OUT || (length === least && !isDrawnOut(body.slice(at - period + 1, at + 1))))
      return true;
  }
  return false;
}

function isDrawnOut(unit: string): boolean {
  return !/[\p{L}\p{N}]/u.test(unit) || LAUGH.test(unit.toLowerCase());
}

function wordLoop(words: readonly string[], numbers: Map<string, number>): string | null {
  const ids = new Int32Array(words.length);
  const last = new Int32Array(words.length);
  // How often a word came back after so many words: a loop's words come back after its period.
  const gaps = new Int32Array(PERIOD + 1);
  for (let at = 0; at < words.length; at++) {
    const id = numbers.get(words[at]!);
    if (id === undefined) {
      ids[at] = numbers.size;
      numbers.set(words[at]!, numbers.size);
    } else {
      ids[at] = id;
      const gap = at - last[id]!;
      if (gap <= PERIOD) gaps[gap]!++;
    }
    last[ids[at]!] = at;
  }
  for (let period = 1; period <= Math.min(PERIOD, words.length / 3); period++) {
    if (gaps[period]! < 2) continue;
    // A run is one period and all that repeats it: at least 6 of one word, 4 of two to four, 3 of more.
    const times = period === 1 ? FEWEST_TIMES : period <= 4 ? 4 : 3;
    const wanted = period * (times - 1);
    let run = 0;
    for (let at = period; at < words.length; at++) {
      run = ids[at] === ids[at - period] ? run + 1 : 0;
      if (run < wanted) continue;
      const unit = words.slice(at - period + 1, at + 1).join(' ');
      // People do say no, no, no.
      if (
        (period > 1 || unit.length > 3 || run > 6) &&
        /\p{L}{2}/u.test(unit) &&
        !unit.includes('|') &&
        !LAUGH.test(unit.replace(/\P{L}/gu, ''))
      )
        return 'repeats the same words without end';
      if (period > 1) run = 0;
    }
  }
  return null;
}

/** The same again with a counter or a filler between, or a handful of words in ever new order. */
function sameAgain(pieces: readonly string[]): string | null {
  const numbers = new Map<string, number>();
  const words: number[] = [];
  for (const piece of pieces) {
    const word = PLAIN.test(piece) ? piece : piece.replace(/[^\p{L}\p{M}]+/gu, '');
    if (word === '') continue;
    const known = numbers.get(word);
    if (known === undefined) numbers.set(word, numbers.size);
    words.push(known ?? numbers.size - 1);
  }
  if (words.length < FEWEST_WORDS) return null;
  const runs = new Set<number>();
  // Words are numbered up to 4,000, and runs told apart by 48 bits.
  for (let at = 3; at < words.length; at++)
    runs.add(((words[at - 3]! * 4096 + words[at - 2]!) * 4096 + words[at - 1]!) * 4096 + words[at]!);
  if (1 - runs.size / (words.length - 3) >= SAID_BEFORE) return 'says the same over and over';
  if (words.length < VOCABULARY.of) return null;
  return new Set(words.slice(0, VOCABULARY.of)).size <= VOCABULARY.different
    ? 'shuffles a handful of words'
    : null;
}

const PLAIN = /^[a-z]+$/;
