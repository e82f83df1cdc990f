import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, stopTokens, withoutStopTokens, wordsOf } from '../speech.ts';

const NAME = 'premature-stop';

/** A question that asks whether there is more: to leave is an answer to it. */
const CLOSING =
  /\b(?:anything|something|any|what) (?:else|other|further|more)\b|\bfurther (?:assistance|help|questions?)\b|\b(?:all set|have a (?:great|nice|good|wonderful|safe))\b|\b(?:goodbye|take care|feel free)\b|\b(?:to do|to handle|you need|can i do)(?: for you)? next\b|\bhow (?:you(?:'d|’d| would) like|would you like) to (?:proceed|continue)\b|\bother (?:questions?|concerns?|requests?)\b/i;
const REQUEST =
  /\bplease (?:provide|confirm|share|tell|send|reply|respond|specify|choose|select|verify|let me know (?:which|what|your|how you|if you(?:'d| would) like (?:to proceed|me to)))\b|\b(?:could|can|may|would) (?:you|i) (?:please )?(?:provide|confirm|share|have|get|tell|give|verify)\b/i;
/** What an agent has to know before it can do anything. */
const ASKS_WHO =
  /\byour (?:full name|name|user id|customer id|account|reservation|booking|order|confirmation|e-?mail|phone|zip|date of birth)\b/i;
const CONSENT = /\b(?:confirm|proceed|go ahead|would you like me to|do you want me to|shall i|should i)\b/i;
/** A yes alone, to a question for consent. */
const YES =
  /^(?:yes|yeah|yep|sure|ok|okay|confirmed|i confirm|correct|approved?)[\s.,!]{0,4}(?:please|thanks|thank you|go ahead)?[\s.!]{0,4}$/i;
/** What a user says that tells the agent to act now. */
const GO =
  /^(?:yes|yeah|yep|sure|okay|ok|confirmed|please|i confirm|go ahead|that works|sounds good|perfect)\b.{0,200}\b(?:proceed|go ahead|confirm(?:ed)?|book it|cancel it|do (?:that|it|so)|process (?:it|that|the)|make the|finali[sz]e)\b/is;
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
    const last = said.at(-1)!;
    const tokens = stopTokens(last.text);
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
  if (before === null) return null;
  const tail = before.slice(-400);
  if (CLOSING.test(tail)) return null;
  const question = /\?[\s"'*)\]}]{0,6}$/.test(tail);
  if (!question && !REQUEST.test(tail)) return null;
  const rest = withoutStopTokens(last.text).trim();
  if (wordsOf(rest).every((word) => GOODBYE.has(word)))
    return finding(
      NAME,
      'simulator',
      'the user leaves without answering the question',
      `${tail.slice(-150)} / ${last.text}`,
      last.turn,
    );
  if (
    stopTokens(last.text).length > 0 &&
    CONSENT.test(tail) &&
    rest.length < 400 &&
    (YES.test(rest) || GO.test(rest))
  )
    return finding(
      NAME,
      'simulator',
      'the user orders something and leaves before the agent can do it',
      `${tail.slice(-100)} / ${last.text}`,
      last.turn,
    );
  if (stopTokens(last.text).length > 0 && question && !acted(episode) && ASKS_WHO.test(tail))
    return finding(
      NAME,
      'simulator',
      'the user leaves while the agent still asks who it is',
      `${tail.slice(-150)} / ${last.text}`,
      last.turn,
    );
  return null;
}

/** What the agent said last before a turn; null where it had acted since, or said nothing. */
function lastOf({ turns }: Trajectory, before: number): string | null {
  const turn = turns[before - 1];
  return turn?.role === 'agent' ? turn.text : null;
}

/** Whether the agent did anything but talk. */
function acted({ turns }: Trajectory): boolean {
  return turns.some(
    (turn) => turn.role === 'tool' || (turn.role === 'agent' && (turn.toolCalls?.length ?? 0) > 0),
  );
}
