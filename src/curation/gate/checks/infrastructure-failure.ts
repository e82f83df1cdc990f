import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { codeTalk, tellsOf } from '../code-talk.ts';
import { errorIn } from '../error-messages.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';
import { dataShape } from './raw-json.ts';

const NAME = 'infrastructure-failure';

/** Of terminations and outcomes, with `_` and `-` read as spaces. */
const ENDED =
  /\b(?:errors?|exceptions?|time ?outs?|timed out|crash(?:ed)?|infrastructure|infra|rate limit(?:ed)?|oom|out of memory|aborted|killed|preempted|evicted|interrupted|disconnected|unreachable|(?:connection|session) (?:lost|reset|refused|closed|dropped)|(?:sandbox|environment|env|worker|server|network|harness|container|api|generation|model|simulator) (?:failures?|failed|died|down|unavailable|lost)|context (?:length|window) (?:exceeded|overflow)|quota (?:exceeded|exhausted)|insufficient quota)\b/i;

/** Errors that the agent makes: tau2 ends a run whose agent calls tools in vain too often. */
const OF_POLICY =
  /^\s?(?:too many (?:tool )?(?:errors|failed calls|invalid (?:calls|actions))|(?:agent|assistant|policy) (?:errors?|failure|failed)|(?:invalid|malformed) (?:agent |assistant )?(?:action|message|tool call|response)s?)\s?$/i;

/** The run broke: what the episode shows is neither the user's nor the policy's doing. */
export const infrastructureFailure: Check = {
  name: NAME,
  blame: 'infrastructure',
  title: 'the run ended in an error, or a turn is the error message of an API',
  inspect(episode) {
    return (
      ended(episode) ??
      spoken(episode, 'agent') ??
      spoken(episode, 'user') ??
      unreachable(episode) ??
      speechless(episode) ??
      emptyEnd(episode)
    );
  },
};

function ended(episode: Trajectory): Inspection {
  for (const field of ['termination', 'outcome'] as const) {
    const value = episode[field];
    if (value === null) continue;
    const plain = value
      .slice(0, 500)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replace(/[_-]+/g, ' ');
    if (OF_POLICY.test(plain))
      return finding(NAME, 'policy', `its ${field} says that the agent erred`, value, null);
    if (ENDED.test(plain) && !/\b(?:no|without|0) errors?\b/i.test(plain))
      return finding(NAME, 'infrastructure', `its ${field} names an error`, value, null);
  }
  return null;
}

function spoken(episode: Trajectory, role: 'agent' | 'user'): Inspection {
  const ofCode = codeTalk(episode, isBroken);
  for (const { text, turn } of speechOf(episode, role)) {
    const error = errorIn(text);
    if (error === null || tellsOf(text) || ofCode(turn)) continue;
    return error.whole
      ? finding(NAME, 'infrastructure', `the ${role}'s turn is an error message`, text, turn)
      : finding(NAME, 'infrastructure', `the ${role}'s turn holds an API's error`, text, turn, error.at);
  }
  return null;
}

function isBroken(text: string): boolean {
  return errorIn(text) !== null || dataShape(text) !== null;
}

const NO_ANSWER =
  /\b(?:max retries exceeded|connection (?:refused|reset|aborted|error|timed out)|failed to establish a new connection|name or service not known|read timed out|gateway time-?out|bad gateway|service (?:temporarily )?unavailable|ECONNREFUSED|ETIMEDOUT|no route to host|host unreachable)\b/i;

/** Every tool that was called is out of reach: errors that the policy could mend look different each time. */
function unreachable({ turns }: Trajectory): Inspection {
  let first = -1;
  let count = 0;
  for (let turn = 0; turn < turns.length; turn++) {
    const { role, text } = turns[turn]!;
    if (role !== 'tool') continue;
    if (text === null || !NO_ANSWER.test(text.slice(0, 2000))) return null;
    if (count++ === 0) first = turn;
  }
  return count < 2
    ? null
    : finding(NAME, 'infrastructure', 'no tool could be reached', turns[first]!.text!, first);
}

/** What stands where a call returned nothing. */
const NOTHING = /^\s*(?:none|null|undefined|nan|n\/a|nil|\(empty\)|\[empty\])?[\s.]*$/i;

/** Every turn of the user is empty, or the word for nothing. */
function speechless({ turns }: Trajectory): Inspection {
  let first = -1;
  let count = 0;
  for (let turn = 0; turn < turns.length; turn++) {
    const { role, text, toolCalls } = turns[turn]!;
    if (role !== 'user') continue;
    if ((toolCalls?.length ?? 0) > 0 || (text !== null && !NOTHING.test(text.slice(0, 40)))) return null;
    if (count++ === 0) first = turn;
  }
  return count < 2
    ? null
    : finding(NAME, 'infrastructure', 'the user never says a word', turns[first]!.text ?? '', first);
}

/** Nothing was said at the end although somebody had the floor, or one side never spoke at all. */
function emptyEnd({ turns }: Trajectory): Inspection {
  if (turns.length === 0) return finding(NAME, 'infrastructure', 'the episode has no turns', '', null);
  const at = turns.length - 1;
  const last = turns[at]!;
  if (last.role === 'tool' || last.role === 'system' || (last.toolCalls?.length ?? 0) > 0) return null;
  if (last.text !== null && last.text.trim() !== '') return null;
  return finding(NAME, 'infrastructure', `the episode ends in an empty turn of the ${last.role}`, '', at);
}
