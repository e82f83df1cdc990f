/** A part of an intent that negation does not reach across. */
export interface Clause {
  readonly text: string;
  /** Joined by "and" or "or" to a negated clause, without a verb of its own: whether "not" reaches it is unclear. */
  readonly unclear: boolean;
}

/** Lower case, plain quotes and dashes, single spaces: what the rules' patterns are written for. */
export function normalised(intent: string): string {
  return intent
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

// A comma or point inside a number ends nothing.
const BREAK =
  /(?:[;:!?()\n"]|,(?!\d{3}\b)|\.(?!\d)|\b(?:(?<!\bnothing )but|then|while|whereas|although|also|plus)\b)+/;
const JOIN = /\b(?:and|or|nor|&)\b/;
const VERB =
  /^\s*(?:please |also |to )*(?:add|aim|balance|be|choose|correct|do|don't|drop|export|favou?r|focus|give|have|keep|make|never|no|not|pick|prefer|reduce|reject|scale|select|set|spend|stay|train|use|want|weight|with|without|write)\b/;

export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const part of text.split(BREAK)) {
    let negated = false;
    part.split(JOIN).forEach((own, at) => {
      const clause = own.trim();
      if (clause === '') return;
      const fresh = at === 0 || VERB.test(clause) || negators(clause) > 0;
      if (fresh) negated = negators(clause) > 0;
      clauses.push({ text: clause, unclear: !fresh && negated });
    });
  }
  return clauses;
}

const NEGATOR =
  /\b(?:no|not|never|without|nor|neither|cannot|don't|do not|does not|doesn't|can't|isn't|aren't|mustn't|shouldn't|won't|avoid|skip|skipping|disable|disabling|bypass|bypassing|circumvent|relax|loosen|weaken|ignore|ignoring|exclude|remove|removing|less|fewer|instead of|rather than|turn off|switch off|turning off|switching off|off)\b/g;

/** Words of negation in a text. */
export function negators(text: string): number {
  return [...text.replace(/\bnot only\b/g, '').matchAll(NEGATOR)].length;
}

/** "weights off", "gate disabled". */
export const OFF_AFTER = /^\s*(?:(?:to|is|are|be)\s+)*(?:off|disabled|unwanted|away)\b/;

const STOP = new Set(
  (
    'a about after against agent agents all also am an any are as at away be been behave being but by can could data dialogue dialogues do ' +
    'does each episode episodes for from get give have i if in into is it its just keep kept keeping let like make making may me more most much must ' +
    'my need needs of off on one only or our out please policy prefer really recipe row rows set should simulated simulator simulators ' +
    'so some stay stays such than that the their them then there these they this those to too towards train trained training turn switch up use used user ' +
    'users using very want wants we well when which who will with would write you your and export exports exported file files as format people ' +
    'over across between rollout rollouts group groups add against focus favour favor customers customer good'
  ).split(' '),
);

/** What is left of a clause when understood parts are blanked: runs of words that carry meaning. */
export function leftover(text: string): string[] {
  const runs: string[] = [];
  for (const part of text.split('\u0000')) {
    const words = part.split(' ').filter((word) => word !== '');
    while (words.length > 0 && isEmpty(words[0]!)) words.shift();
    while (words.length > 0 && isEmpty(words.at(-1)!)) words.pop();
    if (words.length > 0) runs.push(words.join(' '));
  }
  return runs;
}

const isEmpty = (word: string) => STOP.has(word) || !/[\p{L}\p{N}]/u.test(word);
