import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';

const NAME = 'infrastructure-failure';

/** Of terminations and outcomes, with `_` and `-` read as spaces. */
const ENDED =
  /\b(?:errors?|exceptions?|time ?outs?|timed out|crash(?:ed)?|infrastructure|infra|rate limit(?:ed)?|oom|out of memory|aborted|killed|preempted|evicted|interrupted|disconnected|unreachable|(?:connection|session) (?:lost|reset|refused|closed|dropped)|(?:sandbox|environment|env|worker|server|network|harness|container|api|generation|model|simulator) (?:failures?|failed|died|down|unavailable|lost)|context (?:length|window) (?:exceeded|overflow)|quota (?:exceeded|exhausted)|insufficient quota)\b/i;

/** Errors that the agent makes: tau2 ends a run whose agent calls tools in vain too often. */
const OF_POLICY =
  /^\s?(?:too many (?:tool )?(?:errors|failed calls|invalid (?:calls|actions))|(?:agent|assistant|policy) (?:errors?|failure|failed)|(?:invalid|malformed) (?:agent |assistant )?(?:action|message|tool call|response)s?)\s?$/i;

/** A turn that is an error message and nothing else: anchored, as people also talk about errors. */
const BEGINS = [
  /^(?:an? )?(?:error|exception)?[\s:]{0,4}traceback \(most recent call last\)/i,
  // A class by its path, whatever it is called.
  /^(?:[a-z_]\w{0,40}\.){2,8}[A-Z]\w{2,60}\s?[:(]/,
  /^(?:[a-z_]\w{0,40}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Timeout|Exhausted|Disconnected|Unavailable|Failure|Refused|Aborted|Fault)\s?[:(]\s?\S/,
  /^(?:segmentation fault|bus error \(|illegal instruction \(|fatal error:|panic: |terminate called after|\(core dumped\))/i,
  /^(?:unhandled|uncaught) (?:promise )?(?:rejection|exception|error)\b|^exception (?:in|at|while|during|from) (?!my\b|the (?:order|bill|policy))/i,
  // A note of the harness in place of a turn.
  /^[[(<{]{1,2}\s?(?:[\w'-]{1,20}[ _:]{1,2}){0,5}(?:error|exception|failed|failure|time(?:d )?[ -]?out|unavailable|no[ _](?:response|output|content|reply|completion)|empty[ _](?:response|completion|output|message|reply)|(?:content|safety)[ _]filter(?:ed)?|blocked|filtered)\b[^\])>}]{0,160}[\])>}]{1,2}\s*$/i,
  /^(?:giving up|failed|gave up|max(?:imum)?(?: number of)?|all|too many)\b[^.\n]{0,40}\b(?:retries|attempts|tries)\b(?: (?:exceeded|failed|exhausted|reached|used up)|\W*$)/i,
  /^(?:api )?error code: ?\d{3}\b/i,
  /^(?:litellm|openai|anthropic|httpx|requests|google\.genai|botocore|aiohttp|urllib3)\.[\w.]*(?:Error|Exception|Timeout)\b/,
  /^(?:http(?:\/\d(?:\.\d)?)?\s)?(?:error[:\s]{1,3})?(?:(?:429|5\d\d)[\s:-]{1,3})?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests|rate limit (?:exceeded|reached))\b/i,
  /^\[?(?:error|failed|fatal)\]?[\s:-]{1,3}(?:failed to |(?:the )?(?:request|connection|read|api|model|server|upstream|generation|completion)\b|timed? ?out|no response from|empty response|an? (?:unexpected|internal|unknown) error|context|rate|maximum|\d{3}\b|could not (?:generate|connect|reach|parse)|unable to (?:generate|connect|reach)|too many)/i,
  /^(?:request|connection|api call|completion|generation|inference)\s(?:error|failed|failure|timed ?out|aborted|refused|reset|rejected|could not)\b/i,
  /^(?:sorry, |oops[,!] |unfortunately, )?an? (?:unexpected |internal |unknown |server )?error (?:has )?occurr?ed (?:while|during|when) (?:generating|processing|calling|contacting)\b/i,
  /^(?:upstream connect error|the server (?:had an error|is (?:overloaded|currently unavailable))|no response from|model (?:is )?overloaded|(?:cuda|torch|gpu)[\w. ]{0,20}out of memory|\(?(?:econnreset|etimedout|econnrefused)\b)/i,
  /^<(?:!doctype )?html\b[\s\S]{0,400}\b(?:5[0-2]\d|429|bad gateway|service unavailable|time-?out|internal server error)\b/i,
  /^\{\s{0,8}["'](?:error|detail|errors|exception|fault|error_?(?:message|code|type))["']\s?:/i,
  /^\{[^{}]{0,200}["'](?:status|code|status_?code)["']\s?:\s?["']?(?:4[0-2]\d|5\d\d)\b/i,
];
/** Wording that only an API uses, wherever it stands. */
const HOLDS = [
  /\b(?:request failed with status code|http error|status code:?) ?(?:429|5\d\d)\b/i,
  /\b(?:RateLimitError|APIConnectionError|APITimeoutError|APIStatusError|InternalServerError|ServiceUnavailableError|BadRequestError|AuthenticationError|ReadTimeout(?:Error)?|ConnectTimeout|RemoteProtocolError|ContentPolicyViolationError)\b\s?[:(]/,
  /\b(?:content management policy|content_filter|insufficient_quota|exceeded your current quota)\b/i,
  /\bCUDA out of memory\b|\bconnection reset by peer\b|\b(?:ECONNRESET|ETIMEDOUT|ECONNREFUSED)\b/,
  /\b(?:RESOURCE_EXHAUSTED|DEADLINE_EXCEEDED|StatusCode\.[A-Z_]{4,30})\b/,
  /\bfinish_reason["']?\s?[=:]\s?["']?(?:length|content_filter|error|safety|recitation)\b/i,
  /\b(?:blocked|filtered|removed|flagged|stopped) (?:by|due to|because of) (?:the |our |azure |openai(?:'s)? |google(?:'s)? )?(?:content|safety|moderation) (?:filters?|polic(?:y|ies)|management|systems?|settings)\b/i,
  /\bFile "[^"\n]{1,200}", line \d{1,6}, in \w/,
  /\berror code: ?\d{3} ?- ?\{/i,
  /\blitellm\.(?:exceptions\.)?\w+(?:Error|Exception|Timeout)\b/,
  /\bmaximum context length (?:is|of) [\d,]+ tokens/i,
  /\bcontext_length_exceeded\b|\bContextWindowExceededError\b/,
  /"type": ?"(?:server_error|overloaded_error|rate_limit_error|invalid_request_error|insufficient_quota)"/,
];

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
  for (const { text, turn } of speechOf(episode, role)) {
    const start = text.trimStart();
    for (const pattern of BEGINS)
      if (pattern.test(start))
        return finding(NAME, 'infrastructure', `the ${role}'s turn is an error message`, text, turn);
    for (const pattern of HOLDS) {
      const match = pattern.exec(text);
      if (match !== null)
        return finding(
          NAME,
          'infrastructure',
          `the ${role}'s turn holds an API's error`,
          text,
          turn,
          match.index,
        );
    }
  }
  return null;
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
