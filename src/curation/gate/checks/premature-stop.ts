import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, stopTokens, withoutStopTokens, wordsOf } from '../speech.ts';
import { degeneration } from './degenerate-text.ts';
import { dataShape } from './raw-json.ts';

const NAME = 'premature-stop';

/** A question that asks whether there is more: to leave is an answer to it. */
const CLOSING =
  /\b(?:anything|something|any|what) (?:else|other|further|more)\b|\bfurther (?:assistance|help|questions?)\b|\b(?:all set|have a (?:great|nice|good|wonderful|safe))\b|\b(?:goodbye|take care|feel free)\b|\b(?:to do|to handle|you need|can i do)(?: for you)? next\b|\bhow (?:you(?:'d|’d| would) like|would you like) to (?:proceed|continue)\b|\bother (?:questions?|concerns?|requests?)\b/i;
const REQUEST =
  /\bplease (?:provide|confirm|share|tell|send|reply|respond|specify|choose|select|verify|let me know (?:which|what|your|how you|if you(?:'d| would) like (?:to proceed|me to)))\b|\b(?:could|can|may|would) (?:you|i) (?:please )?(?:provide|confirm|share|have|get|tell|give|verify)\b/i;
const CONDITION = /\b(?:if|once|when|after|unless|until|tell me|reply|should you|let me know)\b/i;
const TRANSFER = /\btransfer|human agent|representative|specialist\b/i;
const OFFERS_TRANSFER =
  /\b(?:would you like|do you want|shall i|should i|may i|can i)\b[^?\n]{0,60}\b(?:transfer|connect|escalate|human agent)\b[^?\n]{0,80}\?/i;
const DECLINES = /^(?:no|nope|never ?mind|actually|forget|i(?:'|’)ll|i will|i don(?:'|’)t|then)\b/i;
/** Words of somebody who goes whatever was asked. */
const GOES =
  /\b(?:(?:have|need|got|gotta|must) (?:to )?(?:go|run|leave|hang up)|something (?:just )?came up|changed my mind|(?:call|come|get) back (?:later|another|tomorrow|to you)|try again later|(?:another|some other) time|never ?mind|forget (?:it|about it)|that(?:'|’)?s (?:all|everything)|i(?:'|’)?m (?:done|all set)|i think (?:i(?:'|’)m|we(?:'|’)re) (?:done|finished)|no longer need)\b/i;
/** The agent could not do it: a user may well give up. */
const REFUSED =
  /\b(?:unfortunately|unable|cannot|can(?:'|’)t|not (?:able|possible|eligible|allowed|permitted|available)|isn(?:'|’)t possible|policy|sorry)\b/i;
/** What an agent has to know before it can do anything. */
const ASKS_WHO =
  /\byour (?:full name|name|user id|customer id|account|reservation|booking|order|confirmation|e-?mail|phone|zip|date of birth)\b/i;
/** The user has to look something up first; the agent is content to wait for it. */
const LATER =
  /\b(?:get back|reach out|come back|call (?:again|back)|contact you|once i (?:have|find|get|know)|when i (?:have|find|get|know)|another time|later|look(?: for)? (?:it|them|that)(?: up)?)\b/i;
const LETS_GO =
  /\b(?:feel free|reach out|goodbye|take care|safe travels|have a (?:great|nice|good|wonderful|safe)|when(?:ever)? you(?:'|’)?(?:re| are) ready|once you have)\b/i;
const NEEDS = /\b(?:i(?:'|’)ll|i will|i|we) (?:just |first )?(?:need|require)\b|\bonce (?:i have|you)\b/i;
const CONSENT = /\b(?:confirm|proceed|go ahead|would you like me to|do you want me to|shall i|should i)\b/i;
/** The agent is about to do something. */
const AT_WORK =
  /\b(?:one moment|just a moment|please (?:hold|wait)|(?:let me|i(?:'|’)ll|i will|i am going to) (?:now |just |quickly )?(?:check|look|pull|process|cancel|book|update|search|verify|proceed))\b/i;
/** A yes alone, to a question for consent. */
const YES =
  /^(?:yes|yeah|yep|sure|ok|okay|confirmed|i confirm|correct|approved?)[\s.,!]{0,4}(?:please|thanks|thank you|go ahead)?[\s.!]{0,4}$/i;
/** What a user says that tells the agent to act now. */
const GO =
  /^(?!.{0,200}\b(?:no|not|don't|don’t|never|instead|but)\b).{0,200}\b(?:proceed|go ahead|confirm(?:ed)?|book it|cancel it|do (?:that|it|so)|process (?:it|that|the)|make the|finali[sz]e|let(?:'|’)s do|that works|sounds good)\b/is;
const GOODBYE = new Set(
  "thanks thank you so much very a lot for your the all help time assistance bye goodbye good ok okay great alright have nice day one perfect then now i am m done that is it s will be never mind nevermind fine leaving appreciate take care later that's it's i'm i'll we're everything cheers talk soon to go leave need end here".split(
    ' ',
  ),
);

/**
 * The user leaves before the agent could do anything. Only seen where the record tells that the user ended it, by a
 * stop token or a termination that says so: a dialogue that merely ends may have been cut by whoever made the file.
 */
export const prematureStop: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'the user ends the conversation at once, or leaves a question or its own order unanswered',
  inspect(episode) {
    const said = speechOf(episode, 'user');
    const first = said[0];
    if (first === undefined) return null;
    const opening = stopTokens(first.text);
    if (opening.length > 0)
      return finding(
        NAME,
        'simulator',
        'the user ends the conversation in its first turn',
        first.text,
        first.turn,
      );
    const early = said.slice(0, -1).find(({ text }) => stopTokens(text).includes('STOP'));
    if (early !== undefined)
      return finding(
        NAME,
        'simulator',
        'the user ends the conversation and talks on',
        early.text,
        early.turn,
      );
    const last = said.at(-1)!;
    if (said.length === 1 && isGoodbye(last.text) && last.turn >= episode.turns.length - 2)
      return finding(NAME, 'simulator', 'the user says nothing but goodbye', last.text, last.turn);
    const tokens = stopTokens(last.text);
    if (tokens.includes('TRANSFER') && isUnasked(episode, last))
      return finding(
        NAME,
        'simulator',
        'the user ends with a transfer that nobody offered',
        last.text,
        last.turn,
      );
    const ended = tokens.length > 0 ? tokens.every((token) => token === 'STOP') : userEnded(episode);
    if (!ended) return null;
    if (said.length === 1 && userEnded(episode))
      return finding(
        NAME,
        'simulator',
        'the user ends the conversation after its first turn',
        last.text,
        last.turn,
      );
    return left(episode, last);
  },
};

/** Parting words, a farewell among them, and no more. */
function isGoodbye(text: string): boolean {
  return (
    text.length < 200 && /\b(?:bye|goodbye)\b/i.test(text) && wordsOf(text).every((word) => GOODBYE.has(word))
  );
}

/** Whether the agent has just asked something, refuses nothing, and nobody spoke of a transfer. */
function isUnasked(episode: Trajectory, last: { text: string; turn: number }): boolean {
  const { turns } = episode;
  const before = lastOf(episode, last.turn);
  if (before === null || !/\?/.test(before.slice(-400)) || REFUSED.test(before)) return false;
  return !turns.some(
    ({ role, text, toolCalls }, at) =>
      at <= last.turn &&
      ((role !== 'tool' &&
        text !== null &&
        TRANSFER.test(at === last.turn ? withoutStopTokens(text) : text)) ||
        toolCalls?.some(({ name }) => TRANSFER.test(name)) === true),
  );
}

function userEnded({ termination }: Trajectory): boolean {
  return (
    termination !== null &&
    /^(?:user[ _-]?(?:stop|end|quit|left|hang[ _-]?up)|stopped[ _-]by[ _-]user)/i.test(termination)
  );
}

/** The last turn: does it leave what the agent asked, or what it ordered itself? */
function left(episode: Trajectory, last: { text: string; turn: number }): Inspection {
  if (episode.turns.slice(last.turn + 1).some(({ role }) => role === 'agent')) return null;
  const before = lastOf(episode, last.turn);
  if (before === null || isBroken(episode, before, last.turn - 1)) return null;
  const tail = before.slice(-400);
  if (stopTokens(last.text).includes('STOP') && isBarelyMet(episode, tail, last.text))
    return finding(
      NAME,
      'simulator',
      'the user leaves before the agent knows who it is',
      `${tail.slice(-150)} / ${last.text}`,
      last.turn,
    );
  // An agent that would pass the user on has given up itself.
  const how =
    CLOSING.test(tail) || OFFERS_TRANSFER.test(tail) ? null : howLeft(episode, before, tail, last.text);
  return how === null
    ? null
    : finding(NAME, 'simulator', `the user ${how}`, `${tail.slice(-150)} / ${last.text}`, last.turn);
}

function howLeft(episode: Trajectory, before: string, tail: string, text: string): string | null {
  const rest = withoutStopTokens(text).trim();
  const stopped = stopTokens(text).length > 0;
  const question = /\?[\s"'*)\]}]{0,6}$/.test(tail);
  if (!question && !REQUEST.test(tail))
    return stopped && isAtWork(tail) ? 'leaves while the agent is at work' : null;
  if (wordsOf(rest).every((word) => GOODBYE.has(word))) return 'leaves without answering the question';
  if (!stopped || rest.length > 400) return null;
  if (CONSENT.test(tail) && (YES.test(rest) || GO.test(rest)))
    return 'orders something and leaves before the agent can do it';
  if (REFUSED.test(before)) return null;
  if (GOES.test(rest) && !/\d/.test(rest)) return 'leaves without answering the question';
  if (
    question &&
    !acted(episode) &&
    !DECLINES.test(rest) &&
    !LATER.test(rest) &&
    (ASKS_WHO.test(tail) || /\d/.test(rest))
  )
    return 'leaves before the agent can use the answer';
  return null;
}

/** The agent has done nothing yet and asks for what it needs to begin; the user takes nothing back. */
function isBarelyMet(episode: Trajectory, tail: string, text: string): boolean {
  if (!ASKS_WHO.test(tail) || !(tail.includes('?') || REQUEST.test(tail) || NEEDS.test(tail))) return false;
  const rest = withoutStopTokens(text).trim();
  return (
    !DECLINES.test(rest) &&
    !LATER.test(rest) &&
    !LETS_GO.test(tail) &&
    !OFFERS_TRANSFER.test(tail) &&
    !acted(episode)
  );
}

/** What the agent said last before a turn; null where it had acted since, or said nothing. */
function lastOf({ turns }: Trajectory, before: number): string | null {
  const turn = turns[before - 1];
  return turn?.role === 'agent' ? turn.text : null;
}

/** Leaving an agent that talks in circles or writes no sentences is sound: the policy failed. */
function isBroken({ turns }: Trajectory, text: string, at: number): boolean {
  if (dataShape(text) !== null || degeneration(text) !== null) return true;
  return turns.some((turn, index) => index < at && turn.role === 'agent' && turn.text === text);
}

/** The agent's last sentence says what it does now, with no condition. */
function isAtWork(tail: string): boolean {
  const sentence = tail.split(/[.!\n]+/).findLast((part) => /\w{2}/.test(part)) ?? '';
  return AT_WORK.test(sentence) && !CONDITION.test(sentence) && !TRANSFER.test(tail);
}

/** Whether the agent did anything but talk. */
function acted({ turns }: Trajectory): boolean {
  return turns.some(
    (turn) => turn.role === 'tool' || (turn.role === 'agent' && (turn.toolCalls?.length ?? 0) > 0),
  );
}
