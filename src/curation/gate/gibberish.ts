/**
 * How a text is no language at all; null where it may be one. Random letters are told by what plain Latin letters do
 * in European languages; of other scripts only their mixture inside words is seen. `words`: lower-case pieces.
 */
export function gibberish(text: string, words: readonly string[]): string | null {
  return (
    stammer(words) ??
    randomLetters(text, words) ??
    fragments(words) ??
    noise(words) ??
    scriptMix(text) ??
    salad(text)
  );
}

/** Pairs of letters that words of European languages in Latin script all but never hold. */
const RARE_PAIRS =
  'bq bx cj cv cx dx fq fv fx fz gq gx hx hz jb jc jg jh jq jr jw jx kq kx mx pq px qb qc qd qe qf qg qh qj qk ql qm qn qo qp qr qs qt qv qw qx qy qz sx vb vf vg vh vj vk vm vp vq vw vx vz wq wv wx xj xk xq xr xz yq zf zj zq zx';
const RARE = new Uint8Array(26 * 26);
for (const pair of RARE_PAIRS.split(' ')) RARE[26 * (pair.charCodeAt(0) - 97) + pair.charCodeAt(1) - 97] = 1;

/** Every word twice, or every letter alone. */
function stammer(words: readonly string[]): string | null {
  if (words.length < 8 || words.length > 1000) return null;
  const twice = new Set<string>();
  let single = 0;
  for (let at = 0; at < words.length; at++) {
    if (at > 0 && words[at] === words[at - 1] && words[at]!.length > 1) twice.add(words[at]!);
    if (words[at]!.length === 1 && words[at]! >= 'a' && words[at]! <= 'z') single++;
  }
  if (twice.size >= 4 && 2 * twice.size >= 0.6 * words.length) return 'says every word twice';
  return single >= 12 && single >= 0.7 * words.length ? 'is spelt in single letters' : null;
}

const ODD_SHARE = 0.4;
const FEWEST_ODD = 4;
/** Words of plain Latin letters with the marks around them; ids, addresses and other scripts are not such words. */
const PLAIN = /^["'(]{0,3}([a-z]{4,40})["').,;:!?]{0,4}$/;

/** Random letters. Names and codes are odd too, so a good part of the words must be. */
function randomLetters(text: string, words: readonly string[]): string | null {
  const mashed = MASHED.test(text);
  let plain = 0;
  let odd = 0;
  for (let at = 0; at < words.length && plain < 200; at++) {
    const word = PLAIN.exec(words[at]!)?.[1];
    if (word === undefined) {
      if (words[at]!.length >= LONG_WORD && isMashed(words[at]!)) return 'is made of random letters';
      continue;
    }
    plain++;
    if (isOdd(word) || (mashed && MASHED.test(word))) odd++;
  }
  return odd >= FEWEST_ODD && odd >= ODD_SHARE * plain ? 'is made of random letters' : null;
}

/** No word of any language in plain letters is as long. */
const LONG_WORD = 41;

/** A run of letters too long for a word, of which pieces of 12 look odd. */
function isMashed(piece: string): boolean {
  const run = /[a-z]{41,}/.exec(piece.slice(0, 2000))?.[0];
  if (run === undefined) return false;
  let odd = 0;
  let parts = 0;
  for (let at = 0; at + 12 <= run.length; at += 12) {
    parts++;
    if (isOdd(run.slice(at, at + 12))) odd++;
  }
  return odd >= 2 && odd >= ODD_SHARE * parts;
}

/** Short pieces without a vowel or a meaning, bytes in hexadecimal, numbers and nothing else. */
function fragments(words: readonly string[]): string | null {
  if (words.length < 16) return null;
  const length = words.reduce((sum, word) => sum + word.length, 0);
  // Numbers apart, pieces of words are short.
  if (length > 3.2 * words.length && words.some((word) => /[a-z]/.test(word))) return null;
  const most = Math.min(words.length, 200);
  let latin = 0;
  let voiceless = 0;
  let bytes = 0;
  let numbers = 0;
  let mixed = false;
  for (let at = 0; at < most; at++) {
    const word = words[at]!;
    if (/^[a-z]+[.,;:!?]?$/.test(word)) {
      latin++;
      if (!/[aeiouy]/.test(word)) voiceless++;
    }
    if (/^(?:0x)?[0-9a-f]{2}$/.test(word)) {
      bytes++;
      mixed ||= /[a-f]/.test(word);
    }
    if (/^[[(]?-?\d+(?:\.\d+)?[,;\])]*$/.test(word)) numbers++;
  }
  if (latin >= 20 && latin >= 0.8 * most && voiceless >= 0.45 * latin) return 'is made of random letters';
  if (mixed && bytes >= 16 && bytes >= 0.8 * most) return 'is made of bytes in hexadecimal';
  return numbers >= 40 && numbers === words.length ? 'is a list of numbers and nothing else' : null;
}

/** Letters with the marks of a sentence around them. */
const SPOKEN = /^["'(]{0,3}[a-z\u0080-\uffff'-]{1,60}["').,;:!?]{0,4}$/;

/** Strings that mix letters, digits and marks: most of a turn, or one as long as no id is. */
function noise(words: readonly string[]): string | null {
  let mixed = 0;
  for (const word of words.slice(0, 200)) {
    if (SPOKEN.test(word)) continue;
    if (word.length >= 64 && /^[a-z0-9+/=]{64,}$/.test(word) && /\d/.test(word))
      return 'holds a long string of random characters';
    if (word.length >= 40 && !/^\W?(?:https?:|www\.)/.test(word) && isNoise(word.slice(0, 400)))
      return 'is made of random characters';
    if (
      word.length >= 5 &&
      !/\w@\w+\.\w|[/:]|\d[-,.]\d|^[#("'$]{0,2}[a-z]{0,4}\d+\W*$/.test(word) &&
      switches(word) >= 3
    )
      mixed++;
  }
  return mixed >= 4 && mixed >= 0.5 * words.length ? 'is made of random characters' : null;
}

/** As many changes as random draws have, of marks that are seldom seen together. */
function isNoise(word: string): boolean {
  return new Set(word.match(/[#$%@^~|&*!]/g)).size >= 4 && switches(word) >= 0.3 * word.length;
}

/** Changes between letter, digit and mark inside a word; `_`, `-` and apostrophes join. */
function switches(word: string): number {
  let count = 0;
  let before = '';
  for (const one of word.replace(/^[\W_]+|[\W_]+$/g, '')) {
    const kind = /[a-z\u0080-\uffff]/.test(one)
      ? 'a'
      : /\d/.test(one)
        ? '1'
        : /['’_-]/.test(one)
          ? before
          : '#';
    if (before !== '' && kind !== before) count++;
    before = kind;
  }
  return count;
}

/** Neighbours on a keyboard. */
const MASHED =
  /asdf|sdfg|dfgh|fghj|ghjk|hjkl|qwer|rtyu|tyui|yuio|uiop|zxcv|xcvb|cvbn|vbnm|lkjh|kjhg|jhgf|fdsa|poiu|rewq|mnbv/i;

function isOdd(word: string): boolean {
  let consonants = 0;
  let vowels = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charCodeAt(at) - 97;
    if (at > 0 && RARE[26 * (word.charCodeAt(at - 1) - 97) + letter] === 1) return true;
    // a e i o u y
    if (letter === 0 || letter === 4 || letter === 8 || letter === 14 || letter === 20 || letter === 24) {
      consonants = 0;
      vowels++;
    } else if (++consonants === 5) return true;
  }
  return vowels === 0 && word.length >= 5;
}

const SCRIPTS: readonly (readonly [from: number, to: number, script: number])[] = [
  [0x41, 0x24f, 1], // Latin
  [0x370, 0x3ff, 2], // Greek
  [0x400, 0x52f, 3], // Cyrillic
  [0x590, 0x5ff, 4], // Hebrew
  [0x600, 0x77f, 5], // Arabic
  [0x900, 0x97f, 6], // Devanagari
  [0xe00, 0xe7f, 7], // Thai
  [0x3040, 0x30ff, 8], // kana, with Chinese characters one script
  [0x4e00, 0x9fff, 8],
  [0xac00, 0xd7af, 9], // Hangul
];
/** Neighbouring letters of two scripts, for which no language has a use. */
const SWITCHES = 8;

/** Letters of many scripts side by side. Latin beside Chinese, Japanese, Korean or Thai is common. */
function scriptMix(text: string): string | null {
  if (!/[\u0370-\u1cff\u3040-\ud7ff]/.test(text)) return null;
  let switched = 0;
  let before = 0;
  const met = new Set<number>();
  for (let at = 0; at < text.length && at < 2000; at++) {
    const code = text.charCodeAt(at);
    const script = /\p{L}/u.test(text[at]!)
      ? (SCRIPTS.find(([from, to]) => code >= from && code <= to)?.[2] ?? 0)
      : 0;
    if (before !== 0 && script !== 0 && script !== before && !isCommon(before, script)) {
      switched++;
      met.add(script);
    }
    before = script;
  }
  return switched >= SWITCHES && met.size >= 3 ? 'mixes scripts inside words' : null;
}

function isCommon(a: number, b: number): boolean {
  return (a === 1 && b >= 7) || (b === 1 && a >= 7);
}

/** What holds English sentences together: a third of the words of people who set no marks, at the very least. */
const GLUE = new Set(
  "the to and of i you a is it that in for my this have be not do are with on but so can me if was as at just we i'm it's don't no they what or will would from your am he she his her has had were been".split(
    ' ',
  ),
);
const ENGLISH = new Set(
  'the and that this with they because until whose whom which what when where into among against toward under between through without none if than there never very only seven nine'.split(
    ' ',
  ),
);
const SALAD = { words: 40, glue: 0.2, english: 3, length: 4.7 };

/** English words in no order: forty without a mark between, with hardly anything that joins them. */
function salad(text: string): string | null {
  if (text.length < SALAD.words * SALAD.length) return null;
  for (const stretch of text.slice(0, 6000).split(/[^a-z' \n]+/i)) {
    if (stretch.length < SALAD.words * SALAD.length) continue;
    const words = stretch.toLowerCase().match(/[a-z']+/g) ?? [];
    if (words.length < SALAD.words) continue;
    let glue = 0;
    let letters = 0;
    const english = new Set<string>();
    for (const word of words) {
      letters += word.length;
      if (GLUE.has(word)) glue++;
      if (ENGLISH.has(word)) english.add(word);
    }
    if (
      glue <= SALAD.glue * words.length &&
      letters >= SALAD.length * words.length &&
      english.size >= SALAD.english
    )
      return 'is words without order';
  }
  return null;
}
