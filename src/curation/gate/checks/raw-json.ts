import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens } from '../speech.ts';

const NAME = 'raw-json';

const FENCE = /^\s*```(?:json|jsonc|tool_call)?\s*\n?/i;
const KEYED = /^[[{]\s*(?:[[{]\s*)?"[\w -]{1,60}"\s*:/;
const CALL =
  /"(?:name|tool|tool_name|function|action)"\s*:\s*"[^"\n]{0,100}"\s*,\s*"(?:arguments|parameters|args|kwargs|input|action_input)"\s*:/;
const CALL_TAG = /<\/?(?:tool_call|function_call|tool_use|invoke|function_calls)>|<function=\w|<tool_call\b/i;
const CALL_CODE =
  /^\s*(?:print\()?[a-z][a-z0-9]*(?:[._][a-z0-9]+)+\((?:\s*\w+\s*=\s*[^\n]{0,400})?\)\)?\s*$/i;
const CANDIDATES = /"(?:responses|candidates|replies|options|messages)"\s*:\s*\[\s*[{"]/;
const PROBABILITY = /["'](?:probability|prob|likelihood)["']\s*:\s*["']?[\d.]/;
const RESPONSE_TAG =
  /<response>\s*(?:<text>|<probability>|[^<]{0,2000}<\/response>\s*<response>)|<probability>/i;
/** What a list with probabilities holds somewhere, cheap to look for. */
const MAY_RANK = /probab|likelihood|\bprob\b|\bp ?[=:]|[([] ?[01]?\.\d{1,4} ?[)\]]/i;
const LISTED =
  /^[ \t]{0,8}(?:\d{1,2}[.):]|[-*•]|(?:option|response|candidate|reply) \d{1,2}\b)[^\n]{0,600}?(?:\b(?:probability|prob|likelihood|p)\b[ \t]?[:=≈]?[ \t]?|[([][ \t]?)(?:[01]?\.\d{1,4}|\d{1,3}[ \t]?%)[^\n]{0,40}$/gim;

/**
 * What kind of data a turn is instead of speech; null where it is speech. Speech that holds a bit of JSON stays
 * speech, but a tool call or a list of candidate replies is data wherever it stands.
 */
export function dataShape(text: string): string | null {
  const body = withoutStopTokens(text).replace(FENCE, '').trim();
  const keyed = body.includes('":') || body.includes('" :') || body.includes("':");
  if (keyed) {
    if (CANDIDATES.test(body) && PROBABILITY.test(body)) return 'a list of candidate replies';
    if (PROBABILITY.test(body) && /["'](?:text|response|reply|message|content)["']\s*:/.test(body))
      return 'a list of candidate replies';
    if (CALL.test(body)) return 'a tool call';
    if (KEYED.test(body)) return CANDIDATES.test(body) ? 'a list of candidate replies' : 'raw JSON';
  }
  if (/^[[{]/.test(body) && /[\]}]`{0,3}$/.test(body) && isJson(body)) return 'raw JSON';
  if (body.includes('<') && CALL_TAG.test(body)) return 'a tool call';
  if (body.includes('<') && RESPONSE_TAG.test(body)) return 'a list of candidate replies';
  if (body.length < 600 && CALL_CODE.test(body)) return 'a tool call';
  if (MAY_RANK.test(body) && (body.match(LISTED)?.length ?? 0) >= 2 && isRanked(body))
    return 'a list of candidate replies';
  return null;
}

/** Percentages also stand in lists of offers; probabilities of replies are named so, or are decimals below 1. */
function isRanked(body: string): boolean {
  if (/\b(?:probability|prob|likelihood)\b|\bp ?=/i.test(body)) return true;
  return (body.match(/[([][ \t]?[01]?\.\d{1,4}[ \t]?[)\]][ \t]*$/gm)?.length ?? 0) >= 2;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/`{3}$/, ''));
    // `[1]` or `[]` alone may be a citation or a shrug.
    return value !== null && typeof value === 'object' && text.length > 8;
  } catch {
    return false;
  }
}

/** The simulator's output was not parsed: a structure stands where speech should. */
export const rawJson: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'a user turn is JSON, a tool call or a list of candidates instead of speech',
  inspect(episode) {
    for (const { text, turn } of speechOf(episode, 'user')) {
      const shape = dataShape(text);
      if (shape !== null) return finding(NAME, 'simulator', `the user's turn is ${shape}`, text, turn);
    }
    return null;
  },
};
