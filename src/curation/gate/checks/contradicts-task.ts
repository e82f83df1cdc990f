import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { corrections } from '../corrections.ts';
import { finding } from '../evidence.ts';
import { type Speech, speechOf } from '../speech.ts';

const NAME = 'contradicts-task';

interface Kind {
  readonly title: string;
  /** The group that matches is the value. Global. */
  readonly pattern: RegExp;
}

const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}';
const DATE = `\\d{4}-\\d{2}-\\d{2}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th)? ${MONTH} \\d{4}`;

/** Facts with a shape of their own, of which a scenario gives the user one. */
const KINDS: readonly Kind[] = [
  { title: 'user id', pattern: /\b([a-z]{2,20}_[a-z]{2,20}_\d{3,6})\b/gi },
  { title: 'e-mail address', pattern: /\b([\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{2,20}){1,3})\b/gi },
  {
    title: 'order number',
    pattern: /(?:#\s?|\border(?:\s(?:id|number|no\.?))?(?:\sis|:)?\s)#?([A-Z]{0,2}\d{5,10})\b|\b(W\d{7})\b/gi,
  },
  {
    title: 'reservation number',
    pattern:
      /\b(?:[Rr]eservations?|[Bb]ookings?|[Cc]onfirmation|PNR)(?:\s(?:[Ii][Dd]|numbers?|code|reference|under|with|is|of)){0,3}(?:\sis|:|\s#|,|'s)?\s{1,2}\(?["']?([A-Z0-9]{6})\b|\b((?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{6})\b(?=[^.?!\n]{0,40}\b(?:reservation|booking|confirmation))/g,
  },
  { title: 'zip code', pattern: /\b(?:zip|postal)[^0-9\n]{0,24}\b(\d{5})\b/gi },
  { title: 'phone number', pattern: /(?<![\d-])\(?(\d{3}\)?[-. ]{1,2}\d{3}[-. ]\d{4})\b/g },
  { title: 'payment method', pattern: /\b((?:credit_card|gift_card|certificate|paypal)_\d{4,10})\b/gi },
  {
    title: 'card',
    pattern: /\b(?:card|visa|mastercard|amex)[^.?!\n]{0,20}\bending (?:in|with) (?:the digits )?(\d{4})\b/gi,
  },
  {
    title: 'address',
    pattern:
      /\b(\d{1,5} [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})? (?:Street|Road|Avenue|Lane|Drive|Boulevard|Court|Place))\b/g,
  },
  { title: 'item number', pattern: /\bitem(?:\s(?:id|number))?(?:\sis|:)?\s#?(\d{8,12})\b/gi },
  {
    title: 'date of birth',
    pattern: new RegExp(`\\b(?:birth|born|birthday|dob)[^.?!\\n0-9]{0,16}?\\b(${DATE})`, 'gi'),
  },
];

const NAMED =
  /\b(?:[Yy]ou are|[Yy]our (?:full )?name is|[Yy]ou're)\s([A-Z][a-z'-]{1,20})\s([A-Z][a-z'-]{1,20})\b/;
const SAYS_NAME =
  /\b(?:[Mm]y (?:full )?name is|[Mm]y name's|[Tt]his is|[Uu]nder the name(?: of)?|(?:[Ff]ull )?[Nn]ame:|I'm|I am)\s([A-Z][a-z'-]{1,20})\s([A-Z][a-z'-]{1,20})\b/;
/** `You are mia_li_3668` names the user too. */
const NAMED_BY_ID = /\b(?:[Yy]ou are|[Yy]our user id is)\s([a-z]{2,20})_([a-z]{2,20})_\d{3,6}\b/;
/** A scenario that has the user be wrong on purpose. */
const MISLEADS =
  /\b(?:wrong|incorrect|fake|false|mistaken|made[- ]up|different|old|another|random|invalid|someone else's|friend's|partner's) (?:\w+ ){0,2}(?:name|id|e-?mail|zip|address|order number|number|code|phone|user|account|reservation|card|birth\w*)\b|\b(?:typo|misremember|make up|pretend|impersonat\w+|on behalf of|mistakenly (?:give|provide|say|state|tell)|lie about|invent)\b/i;

/**
 * The user states a fact that has a fixed shape otherwise than its scenario does, and did not hear it from anybody.
 * Only what stands at the end counts: who says the scenario's value with it or after it, or takes it back, is no liar.
 * A scenario that gives none of the kind says nothing about it. What has no shape is left to the judge.
 */
export const contradictsTask: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'the user states an id, address or name other than its scenario gives, or asks for what it forbids',
  inspect(episode) {
    const { scenario } = episode;
    if (scenario === null) return null;
    const said = speechOf(episode, 'user');
    if (MISLEADS.test(scenario)) return null;
    const isSetRight = corrections(said);
    for (const kind of KINDS) {
      const given = valuesOf(scenario, kind);
      if (given.size === 0) continue;
      // Who comes to its own value has set itself right; who leaves it has not.
      const lastOwn = said.reduce((last, { text, turn }) => (states(text, kind, given) ? turn : last), -1);
      for (const { text, turn } of said.filter(({ turn }) => turn > lastOwn))
        for (const match of text.matchAll(kind.pattern)) {
          const value = (match[1] ?? match[2])!;
          if (
            given.has(canonical(value)) ||
            !isValue(value) ||
            holds(scenario, value) ||
            heard(episode, turn, value) ||
            isSetRight({ text, turn }, match.index, match.index + match[0].length)
          )
            continue;
          return finding(
            NAME,
            'simulator',
            `the user states a ${kind.title} that is not its own: ${value} for ${[...given][0]}`,
            text,
            turn,
            match.index,
          );
        }
    }
    return otherName(scenario, said) ?? forbidden(scenario, said);
  },
};

function valuesOf(text: string, { pattern }: Kind): Set<string> {
  const values = new Set<string>();
  for (const match of text.slice(0, 50_000).matchAll(pattern)) {
    const value = (match[1] ?? match[2])!;
    if (isValue(value)) values.add(canonical(value));
  }
  return values;
}

const ANY_DATE = new RegExp(`\\b(?:${DATE})`, 'gi');

/** Whether a turn holds one of the values, whatever stands around it. */
function states(text: string, kind: Kind, given: ReadonlySet<string>): boolean {
  for (const match of text.matchAll(kind.title === 'date of birth' ? ANY_DATE : kind.pattern))
    if (given.has(canonical(match[1] ?? match[2] ?? match[0]))) return true;
  const plain = canonical(text);
  for (const value of given) {
    const at = plain.indexOf(value);
    // Four digits also stand inside of other numbers.
    if (at >= 0 && !/\d/.test(`${plain[at - 1] ?? ''}${plain[at + value.length] ?? ''}`)) return true;
  }
  return false;
}

/** `FLIGHT` and `number` are words, not values. */
function isValue(value: string): boolean {
  return /[\d@_]/.test(value) || /^[A-Z]{6}$/.test(value);
}

function canonical(value: string): string {
  return asDay(value) ?? value.toLowerCase().replace(/[-. ()]/g, '');
}

/** Dates in one form, `1990-04-05`; null for anything else. */
function asDay(value: string): string | null {
  const parts =
    /^(?:([a-z]{3})[a-z]* (\d{1,2})|(\d{1,2})(?:st|nd|rd|th)? ([a-z]{3})[a-z]*)(?:st|nd|rd|th)?,? (\d{4})$/i.exec(
      value,
    );
  if (parts === null) return null;
  const month = 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf((parts[1] ?? parts[4])!.toLowerCase()) / 3 + 1;
  return `${parts[5]}${`${month}`.padStart(2, '0')}${(parts[2] ?? parts[3])!.padStart(2, '0')}`;
}

function holds(text: string, value: string): boolean {
  return canonical(text).includes(canonical(value));
}

/** Whether anybody else, tools included, had told it before. */
function heard({ turns }: Trajectory, before: number, value: string): boolean {
  const plain = value.toLowerCase();
  for (let at = 0; at < before; at++) {
    const { role, text } = turns[at]!;
    if (role !== 'user' && text?.toLowerCase().includes(plain) === true) return true;
  }
  return false;
}

type Said = readonly Speech[];

/** Both parts differ: nicknames, married names and typing errors share one. */
function otherName(scenario: string, said: Said): Inspection {
  const own = NAMED.exec(scenario) ?? NAMED_BY_ID.exec(scenario);
  if (own === null) return null;
  const known = scenario.toLowerCase();
  const names = new RegExp(`(?<![\\w.@])(?:${capital(own[1]!)}|${capital(own[2]!)})(?![\\w@]|\\.\\w)`);
  if (said.some(({ text }) => names.test(text))) return null;
  for (const { text, turn } of said) {
    const match = SAYS_NAME.exec(text);
    if (match === null) continue;
    if (known.includes(match[1]!.toLowerCase()) || known.includes(match[2]!.toLowerCase())) continue;
    if (corrections(said)({ text, turn }, match.index, match.index + match[0].length)) continue;
    return finding(
      NAME,
      'simulator',
      `the user is ${own[1]} ${own[2]} and calls itself ${match[1]} ${match[2]}`,
      text,
      turn,
      match.index,
    );
  }
  return null;
}

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Whole sentences only: what follows a condition or a comma may take it back. */
const FORBIDS =
  /(?:^|[.!?\n]\s{0,3})(?:but |and )?you (?:do not|don't|never) (?:want|wish|like)(?: to)? ((?:[a-z-]{2,20} ){0,3}[a-z-]{2,20})(?=\s?[.!\n]|$)/gi;

function forbidden(scenario: string, said: Said): Inspection {
  for (const match of scenario.slice(0, 50_000).matchAll(FORBIDS)) {
    const what = match[1]!.toLowerCase().replace(/^(?:any|the|a|an) /, '');
    if (what.length < 5 || /\b(?:you|your|it|that|this|them|other|anything|more)\b/.test(what)) continue;
    for (const { text, turn } of said) {
      const lower = text.toLowerCase();
      const at = lower.indexOf(what);
      if (at < 0) continue;
      const before = lower.slice(Math.max(0, at - 40), at);
      if (
        /(?:^|[.!?]\s)(?:yes,? )?i(?:'d like| would like| want| wish|'d prefer) (?:to )?(?:add |have |get |buy |include )?(?:the |an? |some )?$/.test(
          before,
        ) &&
        /^[\s.!]*(?:$|[.!])/.test(lower.slice(at + what.length))
      )
        return finding(
          NAME,
          'simulator',
          `the user asks for what its scenario rules out: ${what}`,
          text,
          turn,
          at,
        );
    }
  }
  return null;
}
