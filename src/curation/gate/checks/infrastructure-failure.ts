import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';

const NAME = 'infrastructure-failure';

/** Of terminations and outcomes, with `_` and `-` read as spaces. */
const ENDED =
  /\b(?:errors?|exceptions?|time ?outs?|timed out|crash(?:ed)?|infrastructure|infra|rate limit(?:ed)?|oom|out of memory|aborted|killed|preempted|evicted|interrupted|disconnected|unreachable|(?:connection|session) (?:lost|reset|refused|closed|dropped)|(?:sandbox|environment|env|worker|server|network|harness|container|api|generation|model|simulator) (?:failures?|failed|died|down|unavailable|lost)|context (?:length|window) (?:exceeded|overflow)|quota (?:exceeded|exhausted)|insufficient quota)\b/i;

/** A turn that is an error message and nothing else: anchored, as people also talk about errors. */
const BEGINS = [
  /^(?:an? )?(?:error|exception)?[\s:]{0,4}traceback \(most recent call last\)/i,
  /^(?:api )?error code: ?\d{3}\b/i,
  /^(?:litellm|openai|anthropic|httpx|requests|google\.genai|botocore|aiohttp|urllib3)\.[\w.]*(?:Error|Exception|Timeout)\b/,
  /^(?:[a-z_]+\.){0,4}[A-Z]\w{0,60}(?:Error|Exception)\s?[:(]\s?\S/,
  /^(?:http(?:\/\d(?:\.\d)?)?\s)?(?:error[:\s]{1,3})?(?:(?:429|5\d\d)[\s:-]{1,3})?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests|rate limit (?:exceeded|reached))\b/i,
  /^\[?(?:error|failed|fatal)\]?[\s:-]{1,3}(?:failed to |(?:the )?(?:request|connection|read|api|model|server|upstream|generation|completion)\b|timed? ?out|no response from|empty response|an? (?:unexpected|internal|unknown) error|context|rate|maximum|\d{3}\b|could not (?:generate|connect|reach|parse)|unable to (?:generate|connect|reach)|too many)/i,
  /^(?:request|connection|api call|completion|generation|inference)\s(?:error|failed|failure|timed ?out|aborted|refused|reset|rejected|could not)\b/i,
  /^(?:sorry, |oops[,!] |unfortunately, )?an? (?:unexpected |internal |unknown |server )?error (?:has )?occurr?ed (?:while|during|when) (?:generating|processing|calling|contacting)\b/i,
  /^(?:upstream connect error|the server (?:had an error|is (?:overloaded|currently unavailable))|no response from|model (?:is )?overloaded|(?:cuda|torch|gpu)[\w. ]{0,20}out of memory|\(?(?:econnreset|etimedout|econnrefused)\b)/i,
  /^<(?:!doctype )?html\b[\s\S]{0,400}\b(?:50[0-4]|429|bad gateway|service unavailable|time-?out|internal server error)\b/i,
  /^\{\s?"(?:error|detail)"\s?:/,
];
/** Wording that only an API uses, wherever it stands. */
const HOLDS = [
  /\b(?:request failed with status code|http error|status code:?) ?(?:429|5\d\d)\b/i,
  /\b(?:RateLimitError|APIConnectionError|APITimeoutError|APIStatusError|InternalServerError|ServiceUnavailableError|BadRequestError|AuthenticationError|ReadTimeout(?:Error)?|ConnectTimeout|RemoteProtocolError|ContentPolicyViolationError)\b\s?[:(]/,
  /\b(?:content management policy|content_filter|insufficient_quota|exceeded your current quota)\b/i,
  /\bCUDA out of memory\b|\bconnection reset by peer\b|\b(?:ECONNRESET|ETIMEDOUT|ECONNREFUSED)\b/,
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
    return ended(episode) ?? spoken(episode, 'agent') ?? spoken(episode, 'user') ?? emptyEnd(episode);
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

/** Nothing was said at the end although somebody had the floor, or one side never spoke at all. */
function emptyEnd({ turns }: Trajectory): Inspection {
  if (turns.length === 0) return finding(NAME, 'infrastructure', 'the episode has no turns', '', null);
  const at = turns.length - 1;
  const last = turns[at]!;
  if (last.role === 'tool' || last.role === 'system' || (last.toolCalls?.length ?? 0) > 0) return null;
  if (last.text !== null && last.text.trim() !== '') return null;
  return finding(NAME, 'infrastructure', `the episode ends in an empty turn of the ${last.role}`, '', at);
}
