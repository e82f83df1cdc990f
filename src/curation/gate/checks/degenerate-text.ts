import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens } from '../speech.ts';

const NAME = 'degenerate-text';

/** UTF-8 read as Latin-1 or CP1252, or bytes that no decoder knew. */
const MOJIBAKE =
  /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ''""•–—˜™š›œžŸ]|â€[\u0080-\u00bf™œ“”˜¦¢\u009d]|Â[\u00a0-\u00bf]|ï¿½|\ufffd/g;
/** One may come from whatever wrote the file. */
const MOJIBAKES = 3;

/** Read inside long words only. */
const LETTER_RUN = /([a-z])\1{15}/;
const CHUNK_RUN = /([a-z]{2,12}?)\1{5}/;
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
  if (/[Ãâ€Âï\ufffd]/.test(body)) {
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
  const what = stutter(words) ?? loop(words) ?? gibberish(words);
  return what === null ? null : { what, at: 0 };
}

/** Longest period of a loop in words, and words looked at. */
const PERIOD = 16;
const LOOKED_AT = 4000;

function stutter(words: readonly string[]): string | null {
  for (const word of words) {
    if (word.length < 16) continue;
    const part = word.slice(0, 2000);
    const letter = LETTER_RUN.exec(part);
    if (letter !== null) return 'repeats a letter without end';
    const chunk = CHUNK_RUN.exec(part);
    if (chunk !== null && !LAUGH.test(chunk[1]!)) return 'repeats a part of a word without end';
  }
  return null;
}

function loop(words: readonly string[]): string | null {
  const numbers = new Map<string, number>();
  const ids = new Int32Array(words.length);
  const counts = new Int32Array(words.length);
  let most = 0;
  for (let at = 0; at < words.length; at++) {
    let id = numbers.get(words[at]!);
    if (id === undefined) {
      id = numbers.size;
      numbers.set(words[at]!, id);
    }
    ids[at] = id;
    most = Math.max(most, ++counts[id]!);
  }
  if (most < 4) return null;
  for (let period = 1; period <= Math.min(PERIOD, words.length / 4); period++) {
    // A run is one period and all that repeats it: at least 8 of one word, 5 of two or three, 4 of more.
    const times = period === 1 ? 8 : period <= 3 ? 5 : 4;
    const wanted = period * (times - 1);
    let run = 0;
    for (let at = period; at < words.length; at++) {
      run = ids[at] === ids[at - period] ? run + 1 : 0;
      if (run < wanted) continue;
      const unit = words.slice(at - period + 1, at + 1).join(' ');
      if (/\p{L}{2}/u.test(unit) && !unit.includes('|') && !LAUGH.test(unit.replace(/\P{L}/gu, '')))
        return 'repeats the same words without end';
      run = 0;
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
    } else if (++consonants === 6) return true;
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
    return null;
  },
};
