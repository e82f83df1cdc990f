import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens } from '../speech.ts';

const NAME = 'degenerate-text';

/** UTF-8 read as Latin-1 or CP1252, or bytes that no decoder knew. */
const MOJIBAKE =
  /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ''""•–—˜™š›œžŸ]|â€[\u0080-\u00bf™œ“”˜¦¢\u009d]|Â[\u00a0-\u00bf]|ï¿½|\ufffd/g;
/** One may come from whatever wrote the file. */
const MOJIBAKES = 3;

const LETTER_RUN = /([a-z])\1{15}/i;
const CHUNK_RUN = /([a-z]{3,8})\1{5}/i;
const LAUGH = /^(?:ha|he|hi|ho|lo|la|na|da|bla|blah|yada)+$/i;

/** Pairs of letters that words of European languages in Latin script all but never hold. */
const RARE = new Set(
  'bq bx cj cv cx dx fq fv fx fz gq gx hx hz jb jc jg jh jq jr jw jx kq kx mx pq px qb qc qd qe qf qg qh qj qk ql qm qn qo qp qr qs qt qv qw qx qy qz sx vb vf vg vh vj vk vm vp vq vw vx vz wq wv wx xj xk xq xr xz yq zf zj zq zx'.split(
    ' ',
  ),
);

/**
 * What is broken about a text's form, whoever wrote it; null where nothing is. Loops need words between spaces and
 * gibberish needs plain Latin letters: other scripts are read for mojibake alone.
 */
export function degeneration(text: string): { what: string; at: number } | null {
  const body = withoutStopTokens(text);
  if (body.length < 12) return null;
  const letters = LETTER_RUN.exec(body);
  if (letters !== null) return { what: 'repeats a letter without end', at: letters.index };
  const chunk = CHUNK_RUN.exec(body);
  if (chunk !== null && !LAUGH.test(chunk[1]!))
    return { what: 'repeats a part of a word without end', at: chunk.index };
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
  return loop(body) ?? gibberish(body);
}

/** Longest period of a loop in words, and words looked at. */
const PERIOD = 16;
const LOOKED_AT = 4000;

function loop(text: string): { what: string; at: number } | null {
  const words: string[] = [];
  const places: number[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    if (words.length >= LOOKED_AT) break;
    words.push(match[0].toLowerCase());
    places.push(match.index);
  }
  const most = Math.min(PERIOD, Math.floor(words.length / 4));
  for (let period = 1; period <= most; period++) {
    // A run is one period and all that repeats it: at least 8 of one word, 5 of two or three, 4 of more.
    const times = period === 1 ? 8 : period <= 3 ? 5 : 4;
    const wanted = period * (times - 1);
    let run = 0;
    for (let at = period; at < words.length; at++) {
      run = words[at] === words[at - period] ? run + 1 : 0;
      if (run < wanted) continue;
      const from = at - run - period + 1;
      const unit = words.slice(from, from + period).join(' ');
      if (/\p{L}{2}/u.test(unit) && !/[|]/.test(unit) && !LAUGH.test(unit.replace(/\P{L}/gu, '')))
        return { what: 'repeats the same words without end', at: places[from]! };
      run = 0;
    }
  }
  return null;
}

const ODD_SHARE = 0.4;
const FEWEST_WORDS = 5;

/** Random letters. Names, codes and addresses are odd too, so most of the words must be. */
function gibberish(text: string): { what: string; at: number } | null {
  if (text.length > 4000) text = text.slice(0, 4000);
  const words = text.match(/(?<![\p{L}\p{N}_@/.])[a-zA-Z]{4,40}(?![\p{L}\p{N}_@/])/gu) ?? [];
  if (words.length < FEWEST_WORDS) return null;
  let odd = 0;
  for (const word of words) if (isOdd(word)) odd++;
  if (odd < FEWEST_WORDS - 1 || odd < ODD_SHARE * words.length) return null;
  return { what: 'is made of random letters', at: 0 };
}

function isOdd(word: string): boolean {
  // HAT069 and JFKSEA are codes.
  if (word === word.toUpperCase()) return false;
  const lower = word.toLowerCase();
  if (lower.length >= 5 && !/[aeiouy]/.test(lower)) return true;
  for (let at = 0; at + 1 < lower.length; at++) if (RARE.has(lower.slice(at, at + 2))) return true;
  return /[bcdfghjklmnpqrstvwxz]{6}/.test(lower);
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
