import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';

const NAME = 'contradicts-task';

interface Kind {
  readonly title: string;
  /** First group: the value. Global. */
  readonly pattern: RegExp;
  /** The user says that it is its own; null where the shape alone tells. */
  readonly own: RegExp | null;
}

/** Facts with a shape of their own, of which a scenario gives the user one. */
const KINDS: readonly Kind[] = [
  { title: 'user id', pattern: /\b([a-z]{2,20}_[a-z]{2,20}_\d{3,6})\b/gi, own: null },
  { title: 'e-mail address', pattern: /\b([\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{2,20}){1,3})\b/gi, own: null },
  { title: 'order number', pattern: /#\s?([A-Z]{0,2}\d{5,10})\b/gi, own: null },
  {
    title: 'reservation number',
    pattern:
      /\b(?:reservation|booking|confirmation)s?(?:\s(?:id|number|code|reference|under|with)){0,2}(?:\sis|:|\s#|,)?\s{1,2}([A-Z0-9]{6})\b/g,
    own: null,
  },
  {
    title: 'zip code',
    pattern: /\b(?:zip|postal)(?:\scode)?(?:\sis|:|\sof)?\s{1,2}(\d{5})\b/gi,
    own: null,
  },
  { title: 'phone number', pattern: /\b(\d{3}[-. ]\d{3}[-. ]\d{4})\b/g, own: null },
];

const NAMED =
  /\b(?:[Yy]ou are|[Yy]our (?:full )?name is|[Yy]ou're)\s([A-Z][a-z'-]{1,20})\s([A-Z][a-z'-]{1,20})\b/;
const SAYS_NAME =
  /\b(?:[Mm]y (?:full )?name is|[Mm]y name's|[Tt]his is)\s([A-Z][a-z'-]{1,20})\s([A-Z][a-z'-]{1,20})\b/;
/** A scenario that has the user be wrong on purpose. */
const MISLEADS =
  /\b(?:wrong|incorrect|fake|false|mistaken(?:ly)?|mistakes?|typo|misremember|made[- ]up|make up|pretend|lie|lying|invent|different (?:name|id|e-?mail|zip|user|order|number)|someone else|impersonat\w+|on behalf of|friend'?s|old (?:address|e-?mail|zip))\b/i;

/**
 * The user states a fact that has a fixed shape otherwise than its scenario does, and did not hear it from anybody.
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
    for (const kind of KINDS) {
      const given = valuesOf(scenario, kind);
      if (given.size === 0) continue;
      for (const { text, turn } of said)
        for (const match of text.matchAll(kind.pattern)) {
          const value = match[1]!;
          if (
            given.has(canonical(value)) ||
            !isValue(value) ||
            holds(scenario, value) ||
            heard(episode, turn, value)
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
  for (const match of text.slice(0, 50_000).matchAll(pattern))
    if (isValue(match[1]!)) values.add(canonical(match[1]!));
  return values;
}

/** `FLIGHT` and `number` are words, not values. */
function isValue(value: string): boolean {
  return /[\d@_]/.test(value) || /^[A-Z]{6}$/.test(value);
}

function canonical(value: string): string {
  return value.toLowerCase().replace(/[-. ]/g, '');
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

type Said = readonly { readonly text: string; readonly turn: number }[];

/** Both parts differ: nicknames, married names and typing errors share one. */
function otherName(scenario: string, said: Said): Inspection {
  const own = NAMED.exec(scenario);
  if (own === null) return null;
  const known = scenario.toLowerCase();
  for (const { text, turn } of said) {
    const match = SAYS_NAME.exec(text);
    if (match === null) continue;
    if (known.includes(match[1]!.toLowerCase()) || known.includes(match[2]!.toLowerCase())) continue;
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
