import type { Speech } from './speech.ts';

/** Characters before and behind a value in which a word about it stands. */
const NEAR = 160;
/** Characters in which a value is called somebody else's, or one among others. */
const CLOSE = 60;

/** Words of somebody who takes back what was said, wherever they stand. */
const TAKES_BACK =
  /\b(?:i mean[t]?\b|typos?\b|mis-?(?:typed|spoke|read|spelled|spelt|remembered|dialled|heard)|mistyp\w+|scratch that|strike that|ignore that|forget that|disregard|correction|correcting (?:my|that)|(?:let me|to|have to|need to|should|must) correct\b|my (?:mistake|bad|error)|i (?:made a mistake|was wrong|got (?:it|that|them) wrong)|i (?:gave|told|sent|said|typed|wrote|quoted|read) (?:you |out )?(?:the |a |it |that )?wrong\w*|mix(?:ed|ing) (?:\w+ )?up|mixed (?:them|those|these)|confus(?:ed|ing) (?:it|that|them|this|the|my)|wrong (?:one|line|paper|letter|digit|number|order|way|booking|id|e-?mail|address|name|year|day|date|code|card|tab|account|person)|not (?:the )?(?:right|correct) one|swapped|transposed|slip of|i should have said|instead of what i said|no,? wait|wait,? no|autocorrect\w*|fat[- ]finger\w*)/i;
/** Words that take back what stands before them. */
const AFTERWARDS =
  /\b(?:sorry|actually|let me (?:double[- ]?)?(?:check|look|see|try)|oops|whoops|hang on|hold on|wait|apologies|pardon|or rather|rather,|no, (?:it|that|the|my|make)|that(?:'s| is| was) (?:not|wrong|my (?:old|wife|husband|son|daughter|mother|father|brother|sister|friend|colleague))|should (?:be|read|say)|make that)\b/i;
/** `not #W1 but`, `instead of #W1`. */
const DENIED =
  /\b(?:not|isn't|wasn't|never|instead of|rather than|no longer)\s(?:[\w'-]{1,20}\s){0,4}["'(#]?$/i;
/** A value beside the user's own. */
const BESIDE =
  /\b(?:second|another|additional|alternative|alternate|back-?up|spare|old|older|former|previous|earlier|outdated|expired|work|office|wife|husband|partner|son|daughter|mother|mom|mum|father|dad|brother|sister|friend|colleague|roommate|neighbou?r|used to|as well|too)\b/i;
/** The turn after it begins by taking it back. */
const NEXT =
  /^\W{0,3}(?:(?:oh|ah|uh|um|hm+|wait|sorry|actually|oops|hold on|hang on|no|i'm|i am|so|my|apologies|please)\b[\s,.!-]{0,3}){1,4}[^\n]{0,80}\b(?:wrong|incorrect|not right|check(?:ed|ing)?|mixed|mis\w{4,}|meant|should be|other one|mistake|correct|instead)\b/i;

/**
 * Tells of values, each from `from` to `to` of a turn, whether they do not stand for good: the user denies one, takes
 * it back there or later, or names it beside its own. `said`: all turns of the user, in order.
 */
export function corrections(said: readonly Speech[]): (speech: Speech, from: number, to: number) => boolean {
  let last: number | null = null;
  return ({ text, turn }, from, to) => {
    const before = text.slice(Math.max(0, from - NEAR), from);
    const behind = text.slice(to, to + NEAR);
    if (DENIED.test(before) || TAKES_BACK.test(before) || TAKES_BACK.test(behind)) return true;
    if (AFTERWARDS.test(behind)) return true;
    const rest = /^[^.!?\n]*/.exec(behind)![0].slice(0, CLOSE);
    if (BESIDE.test(sentenceEnd(before).slice(-CLOSE)) || BESIDE.test(rest)) return true;
    last ??= said.findLast((one) => TAKES_BACK.test(one.text))?.turn ?? -1;
    if (last > turn) return true;
    const next = said.find((one) => one.turn > turn);
    return next !== undefined && NEXT.test(next.text);
  };
}

/** What follows the last full stop. */
function sentenceEnd(text: string): string {
  return /[^.!?\n]*$/.exec(text)![0];
}
