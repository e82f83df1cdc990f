import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { gibberish } from '../gibberish.ts';
import { characterLoop, LAUGH, redundancy } from '../redundancy.ts';
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
    return characterLoop(body) ? { what: 'repeats the same characters without end', at: 0 } : null;
  }
  const words = body
    .toLowerCase()
    .split(/\s+/, LOOKED_AT)
    .filter((word) => word !== '');
  const what = remains(body) ?? stutter(words) ?? redundancy(body, words) ?? gibberish(body, words);
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

/** Words looked at. */
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

/** Anything to see: no blanks, no joiners and marks of direction, no fillers that show nothing. */
const VISIBLE = /[^\s\p{Cf}\u2800\u3164\u115f\u1160]/u;

/** The user has the floor, says nothing, does nothing, and the dialogue goes on. */
function silence({ turns }: Trajectory): Inspection {
  for (let turn = 0; turn < turns.length - 1; turn++) {
    const { role, text, toolCalls } = turns[turn]!;
    if (role === 'user' && (toolCalls?.length ?? 0) === 0 && text !== null && !VISIBLE.test(text))
      return finding(NAME, 'simulator', "the user's turn is empty", JSON.stringify(text.slice(0, 40)), turn);
  }
  return null;
}
