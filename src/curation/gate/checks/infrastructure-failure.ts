import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check, Inspection } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf } from '../speech.ts';

const NAME = 'infrastructure-failure';

/** Of terminations and outcomes, with `_` and `-` read as spaces. */
const ENDED =
  /\b(?:errors?|exceptions?|time ?outs?|timed out|crash(?:ed)?|infrastructure|infra|api failure|rate limit(?:ed)?|connection (?:lost|reset|refused)|oom|out of memory|aborted|cancelled by system)\b/i;

/** A turn that is an error message and nothing else: anchored, as people also talk about errors. */
const BEGINS = [
  /^(?:an? )?(?:error|exception)?[\s:]{0,4}traceback \(most recent call last\)/i,
  /^(?:api )?error code: ?\d{3}\b/i,
  /^(?:litellm|openai|anthropic|httpx|requests|google\.genai|botocore|aiohttp|urllib3)\.[\w.]*(?:Error|Exception|Timeout)\b/,
  /^(?:[a-z_]+\.){0,4}[A-Z]\w{0,60}(?:Error|Exception)\s?[:(]\s?\S/,
  /^(?:http(?:\/\d(?:\.\d)?)?\s)?(?:error[:\s]{1,3})?(?:(?:429|5\d\d)[\s:-]{1,3})?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|too many requests|rate limit (?:exceeded|reached))\b/i,
  /^\[?(?:error|failed)\]?[\s:]{1,3}(?:failed to (?:generate|get|call)|(?:request|connection|read) tim(?:ed ?out|eout)|no response from|empty response)/i,
];
/** Wording that only an API uses, wherever it stands. */
const HOLDS = [
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
