import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens } from '../speech.ts';

const NAME = 'degenerate-text';

/** UTF-8 read as Latin-1 or CP1252, or bytes that no decoder knew. */
const MOJIBAKE =
  /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ''""•–—˜™š›œžŸ]|â€[\u0080-\u00bf™œ“”˜¦¢\u009d]|Â[\u00a0-\u00bf]|ï¿½|ðŸ|[ÐÑ][\u0080-\u00bf]|\ufffd/g;
/** One may come from whatever wrote the file. */
const MOJIBAKES = 2;

/** Read inside long words only. */
const LETTER_RUN = /([a-z])\1{11}/;
const CHUNK_RUN = /([a-z]{3,12}?)\1{3}|([a-z]{2})\2{6}/;
const LAUGH = /^(?:ha|he|hi|ho|hu|ah|eh|lo|la|na|da|bla|blah|yada|xo|no|so|a|o|e|m|z|w)+$/;

/** Pairs of letters that words of European languages in Latin script all but never hold. */
const RARE_PAIRS =
  'bq bx cj cv cx dx fq fv fx fz gq gx hx hz jb jc jg jh jq jr jw jx kq kx mx pq px qb qc qd qe qf qg qh qj qk ql qm qn qo qp qr qs qt qv qw qx qy qz sx vb vf vg vh vj vk vm vp vq vw vx vz wq wv wx xj xk xq xr xz yq zf zj zq zx';
const RARE = new Uint8Array(26 * 26);
for (const pair of RARE_PAIRS.split(' ')) RARE[26 * (pair.charCodeAt(0) - 97) + pair.charCodeAt(1) - 97] = 1;

/**
 * What is broken about a text's form, whoever wrote it; null where nothing is. Loops need words between spaces and
 * gibberish needs plain Latin letters: other scripts are read for mojibake alone.
 */
export function degeneration(text: string): { what: string; at: number } | null {
  const body = withoutStopTokens(text);
  if (body.length < 12) return null;
  if (/[Ãâ€ÂïðÐÑ\ufffd]/.test(body)) {
    const broken = [...body.matchAll(MOJIBAKE)];
    if (broken.length >= MOJIBAKES)
      return { what: 'holds characters of a wrong encoding', at: broken[0]!.index };
  }
  if (!/[\p{L}\p{N}]/u.test(body)) {
    const marks = body.replace(/[\s\p{Extended_Pictographic}\p{M}\p{Cf}.!?…_*=~-]/gu, '');
    if (marks.length >= 12) return { what: 'has marks and no words', at: 0 };
    return null;
  }
  const words = body
    .toLowerCase()
    .split(/\s+/, LOOKED_AT)
    .filter((word) => word !== '');
  const what =
    remains(body) ?? stutter(words) ?? stammer(words) ?? loop(words) ?? gibberish(words) ?? noise(words);
  return what === null ? null : { what, at: 0 };
}

/** Marks of a tokeniser, control characters, one mark or one piece of text without spaces over and over. */
const TOKENS = /[ĠĊ▁]\p{L}|<(?:unk|pad|mask|bos|eos|0x[0-9A-F]{2})>|\[(?:UNK|PAD|MASK|CLS|SEP)\]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g;
const MARK_RUN = /([!?$%&@+,;:'"()<>/\\|^~`{}[\]])\1{19}/;
const UNSPACED_LOOP = /([\u0250-\uffff]{2,12}?)\1{7}/;

const ZALGO = /[\u0300-\u036f]{3}/g;
const PRIVATE = /[\ue000-\uf8ff]/g;
const ESCAPED = /\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|&#\d{2,5};|&(?:amp|quot|apos|lt|gt|nbsp);/gi;

function remains(text: string): string | null {
  if (BEYOND_LATIN.test(text)) {
    if ((text.match(ZALGO)?.length ?? 0) >= 3) return 'is covered in accents';
    if ((text.match(PRIVATE)?.length ?? 0) >= 2) return 'holds characters that mean nothing';
  }
  if (/[\\&]/.test(text) && (text.match(ESCAPED)?.length ?? 0) >= 3)
    return 'holds characters of a wrong encoding';
  if (/\blorem ipsum\b/i.test(text)) return 'is filler text';
  if (/[ĠĊ▁<[]/.test(text) && (text.match(TOKENS)?.length ?? 0) >= 2) return "holds a tokeniser's marks";
  if ((text.match(CONTROL)?.length ?? 0) >= 3) return 'holds control characters';
  if (MARK_RUN.test(text)) return 'repeats a mark without end';
  const piece = BEYOND_LATIN.test(text) ? UNSPACED_LOOP.exec(text) : null;
  if (piece !== null && new Set(piece[1]!).size > 1 && /\p{L}/u.test(piece[1]!))
    return 'repeats the same words without end';
  return null;
}

/** Combining accents and all that comes after Latin letters. */
const BEYOND_LATIN = /[\u0250-\uffff]/;

/** Longest period of a loop in words, and words looked at. */
const PERIOD = 40;
const LOOKED_AT = 4000;

function stutter(words: readonly string[]): string | null {
  for (const word of words) {
    if (word.length < 12) continue;
    const part = word.slice(0, 2000);
    const letter = LETTER_RUN.exec(part);
    if (letter !== null) return 'repeats a letter without end';
    const chunk = CHUNK_RUN.exec(part);
    if (chunk !== null && !LAUGH.test((chunk[1] ?? chunk[2])!)) return 'repeats a part of a word without end';
  }
  return null;
}

/** Every word twice, or every letter alone. */
function stammer(words: readonly string[]): string | null {
  if (words.length < 8 || words.length > 1000) return null;
  const twice = new Set<string>();
  let single = 0;
  for (let at = 0; at < words.length; at++) {
    if (at > 0 && words[at] === words[at - 1] && words[at]!.length > 1) twice.add(words[at]!);
    if (/^[a-z]$/.test(words[at]!)) single++;
  }
  if (twice.size >= 4 && 2 * twice.size >= 0.6 * words.length) return 'says every word twice';
  return single >= 12 && single >= 0.7 * words.length ? 'is spelt in single letters' : null;
}

function loop(words: readonly string[]): string | null {
  const numbers = new Map<string, number>();
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
    const times = period === 1 ? 6 : period <= 4 ? 4 : 3;
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

const ODD_SHARE = 0.4;
const FEWEST_ODD = 4;
/** Words of plain Latin letters with the marks around them; ids, addresses and other scripts are not such words. */
const PLAIN = /^["'(]{0,3}([a-z]{4,40})["').,;:!?]{0,4}$/;

/** Random letters. Names and codes are odd too, so a good part of the words must be. */
function gibberish(words: readonly string[]): string | null {
  let plain = 0;
  let odd = 0;
  for (let at = 0; at < words.length && plain < 200; at++) {
    const word = PLAIN.exec(words[at]!)?.[1];
    if (word === undefined) continue;
    plain++;
    if (isOdd(word)) odd++;
  }
  return odd >= FEWEST_ODD && odd >= ODD_SHARE * plain ? 'is made of random letters' : null;
}

/** Strings that mix letters, digits and marks: most of a turn, or one as long as no id is. */
function noise(words: readonly string[]): string | null {
  let mixed = 0;
  for (const word of words.slice(0, 200)) {
    if (/^[a-z0-9+/=]{64,}$/.test(word) && /\d/.test(word)) return 'holds a long string of random characters';
    if (
      word.length >= 5 &&
      !/\w@\w+\.\w|[/:]|\d[-,.]\d|^[#("'$]{0,2}[a-z]{0,4}\d+\W*$/.test(word) &&
      switches(word) >= 3
    )
      mixed++;
  }
  return mixed >= 4 && mixed >= 0.5 * words.length ? 'is made of random characters' : null;
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
  /asdf|sdfg|dfgh|fghj|ghjk|hjkl|qwer|rtyu|tyui|yuio|uiop|zxcv|xcvb|cvbn|vbnm|lkjh|kjhg|jhgf|fdsa|poiu|rewq|mnbv/;

function isOdd(word: string): boolean {
  if (MASHED.test(word)) return true;
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

/** Text that no reader could take for speech. The policy's is noted and stays: that it degenerates is signal. */
export const degenerateText: Check = {
  name: NAME,
  blame: 'simulator',
  title: "a turn is a token loop, random letters or wrongly decoded text (the policy's is only noted)",
  inspect(episode) {
    for (const [role, blame, who] of [
      ['user', 'simulator', "the user's"],
      ['agent', 'policy', "the agent's"],
    ] as const)
      for (const { text, turn } of speechOf(episode, role)) {
        const broken = degeneration(text);
        if (broken !== null) return finding(NAME, blame, `${who} turn ${broken.what}`, text, turn, broken.at);
      }
    return silence(episode);
  },
};

/** The user has the floor, says nothing, does nothing, and the dialogue goes on. */
function silence({ turns }: Trajectory): Inspection {
  for (let turn = 0; turn < turns.length - 1; turn++) {
    const { role, text, toolCalls } = turns[turn]!;
    if (role === 'user' && (toolCalls?.length ?? 0) === 0 && text !== null && text.trim() === '')
      return finding(NAME, 'simulator', "the user's turn is empty", JSON.stringify(text.slice(0, 40)), turn);
  }
  return null;
}
