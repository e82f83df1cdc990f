import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { speechOf, withoutStopTokens } from '../speech.ts';

const NAME = 'raw-json';

const FENCE = /^\s*```(?:json|jsonc|tool_call)?\s*\n?/i;
const KEYED = /^[[{]\s*(?:[[{]\s*)?"[\w -]{1,60}"\s*:/;
const FIELD =
  /\{\s{0,20}\\?["'](?:response|reply|message|content|text|role|thoughts?|reasoning|action|user_response|user_message|utterance|stop|tool|speaker|output|next_message|function_call|tool_calls)\\?["']\s{0,20}:/;
const PYTHON_LIST = /^\[\s{0,20}(?:'[^'\n]{0,400}'|"[^"\n]{0,400}")\s{0,20},\s{0,20}['"]/;
const REACT =
  /^(?:thought[ \t]?:[^\n]{0,2000}\n{1,3})?action[ \t]?:[^\n]{0,200}\n{1,3}(?:action )?input[ \t]?:/i;
const MARKED_UP =
  /^<(message|reply|output|user_message|utterance|answer|text|content|candidate|candidates|responses?)>[\s\S]*<\/\1>$/i;
const CALL =
  /"(?:name|tool|tool_name|function|action)"\s*:\s*"[^"\n]{0,100}"\s*,\s*"(?:arguments|parameters|args|kwargs|input|action_input)"\s*:/;
const CALL_TAG = /<\/?(?:tool_call|function_call|tool_use|invoke|function_calls)>|<function=\w|<tool_call\b/i;
const CALL_CODE =
  /^\s*(?:print\()?[a-z][a-z0-9]*(?:[._][a-z0-9]+)+\((?:\s*\w+\s*=\s*[^\n]{0,400})?\)\)?\s*$/i;
const CALL_OBJECT = /^[a-z_]\w{2,60}\(\s{0,20}\{/i;
const ANNOUNCED =
  /\b(?:here are|below are|these are|i(?:'ll| will) (?:give|provide|generate|list)|generated?) (?:[\w-]+ ){0,3}(?:possible|candidate|potential|alternative|sample|different|plausible|likely|diverse|user)(?: [\w-]+){0,2}? (?:responses?|replies|messages|turns|utterances|candidates|answers)\b/i;
const NUMBERED =
  /^[ \t]{0,8}(?:[-*•] |\*\*|#{1,4} )?(?:response|candidate|reply|alternative|sample|utterance|user (?:message|reply|response))[ \t]?#?(?:\d{1,2}|[A-E])\b/gim;
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
  if (body.endsWith('}') && !text.includes('```') && FIELD.test(body)) return 'raw JSON';
  if (PYTHON_LIST.test(body)) return 'a list of candidate replies';
  if (body.length < 2000 && CALL_OBJECT.test(body)) return 'a tool call';
  if (REACT.test(body)) return 'a tool call';
  if (body.startsWith('<') && MARKED_UP.test(body)) return 'raw data between tags';
  if (ANNOUNCED.test(body) || (body.match(NUMBERED)?.length ?? 0) >= 2) return 'a list of candidate replies';
  if (scored(body)) return 'a list of candidate replies';
  if (/^[[{]/.test(body) && /[\]}]`{0,3}$/.test(body) && isJson(body)) return 'raw JSON';
  if (body.includes('<') && CALL_TAG.test(body)) return 'a tool call';
  if (body.includes('<') && RESPONSE_TAG.test(body)) return 'a list of candidate replies';
  if (body.length < 600 && CALL_CODE.test(body)) return 'a tool call';
  if (MAY_RANK.test(body) && (body.match(LISTED)?.length ?? 0) >= 2 && isRanked(body))
    return 'a list of candidate replies';
  return null;
}

const SCORE = /[^\d.,$€£](0?\.\d{1,4}|1\.0{1,4}|0|1|\d{1,3}(?:\.\d)? ?%)[ \t]?[)\]|"']{0,3}$/;
const SCORE_FIRST = /^[ \t]{0,8}[[(|]?[ \t]?(0?\.\d{1,4}|\d{1,3} ?%)[ \t]?[)\]|:,-]/;

/** Two or more lines of words of which each carries a share, and the shares make up about one. */
function scored(body: string): boolean {
  if (!body.includes('\n') || body.length > 6000 || !/\.\d|\d ?%/.test(body)) return false;
  const lines = body.split('\n').filter((line) => /[a-z]{2}/i.test(line));
  let sum = 0;
  let found = 0;
  for (const line of lines) {
    const score = (SCORE.exec(line.trimEnd()) ?? SCORE_FIRST.exec(line))?.[1];
    if (score === undefined) continue;
    sum += score.endsWith('%') ? Number.parseFloat(score) / 100 : Number(score);
    found++;
  }
  return found >= 2 && found >= 0.7 * lines.length && sum > 0.5 && sum < 1.1;
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
