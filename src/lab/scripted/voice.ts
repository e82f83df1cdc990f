import type { Random } from '../../math/index.ts';

/** `plain`: writing as people do, more or less casual. `forum`: one odd hand, whatever is said. */
export type Voice = 'plain' | 'forum';

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bI am\b/g, "I'm"],
  [/\bI have (?=been|found|had)/g, "I've "],
  [/\b([Dd])o not\b/g, "$1on't"],
  [/\b([Ii])t is\b/g, "$1t's"],
  [/\b([Tt])hat is\b/g, "$1hat's"],
  [/\b([Cc])annot\b|\b([Cc])an not\b/g, "can't"],
  [/\bI would\b/g, "I'd"],
  [/\bI will\b/g, "I'll"],
];
const SHORTHAND: readonly (readonly [RegExp, string])[] = [
  [/\byou\b/g, 'u'],
  [/\byour\b/g, 'ur'],
  [/\bplease\b/g, 'pls'],
  [/\bthanks|thank you\b/g, 'thx'],
  [/\bbecause\b/g, 'cause'],
  [/\bwant to\b/g, 'wanna'],
];
const FORUM_START = ['ok so', 'ngl', 'tbh', 'lol', 'hmm', 'yo', 'welp', 'honestly'];
const FORUM_END = ['lol', ':)', 'haha', 'idk', '...', 'just saying', 'tho', ':/', 'imo'];

const pass = (text: string, table: readonly (readonly [RegExp, string])[]) =>
  table.reduce((now, [from, to]) => now.replace(from, to), text);

/** Writes a turn in a hand. `casual` 0..1 moves a plain hand from full forms to lower case without marks. */
export function inVoice(text: string, voice: Voice, casual: number, random: Random): string {
  if (voice === 'forum') {
    const bare = pass(text.toLowerCase(), SHORTHAND)
      .replace(/[.!](?=\s|$)/g, ' ...')
      .replace(/\s+\.\.\.$/, '');
    const start = FORUM_START[random.integer(FORUM_START.length)]!;
    return `${start} ${bare} ${FORUM_END[random.integer(FORUM_END.length)]!}`;
  }
  let out = text;
  if (random.next() < casual + 0.3) out = pass(out, CONTRACTIONS);
  if (random.next() < 1.6 * casual - 0.6) {
    out = out.toLowerCase().replace(/[.!]$/, '').replace(/'/g, '');
    if (random.next() < casual) out = pass(out, SHORTHAND);
  } else if (random.next() < casual - 0.3) out = out.replace(/\.$/, '');
  return out;
}
