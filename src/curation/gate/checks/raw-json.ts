import { isCandidateList } from '../candidates.ts';
import type { Check } from '../check.ts';
import { codeTalk, tellsOf } from '../code-talk.ts';
import { errorIn } from '../error-messages.ts';
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
const CALL =
  /"(?:name|tool|tool_name|function|action)"\s*:\s*"[^"\n]{0,100}"\s*,\s*"(?:arguments|parameters|args|kwargs|input|action_input)"\s*:/;
const CALL_TAG = /<\/?(?:tool_call|function_call|tool_use|invoke|function_calls)>|<function=\w|<tool_call\b/i;
const CALL_CODE =
  /^\s*(?:print\()?[a-z][a-z0-9]*(?:[._][a-z0-9]+)+\((?:\s*\w+\s*=\s*[^\n]{0,400})?\)\)?\s*$/i;
const CALL_OBJECT = /^[a-z_]\w{2,60}\(\s{0,20}\{/i;
const CANDIDATES = /"(?:responses|candidates|replies|options|messages)"\s*:\s*\[\s*[{"]/;
const PROBABILITY = /["'](?:probability|prob|likelihood)["']\s*:\s*["']?[\d.]/;
const RESPONSE_TAG =
  /<response>\s*(?:<text>|<probability>|[^<]{0,2000}<\/response>\s*<response>)|<probability>/i;
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
  if (body.startsWith('<')) {
    const tags = wrapped(body);
    if (tags > 0) return tags > 1 ? 'a list of candidate replies' : 'raw data between tags';
  }
  if (/^\{\s{0,20}\w{1,40}\s{0,4}:\s{0,4}["'[{\dtfn]/.test(body) && body.endsWith('}')) return 'raw JSON';
  if (body.startsWith('"{') || body.startsWith('"[')) {
    const inner = unescaped(body);
    if (inner !== null && isJson(inner)) return 'raw JSON';
  }
  if (isRecord(body)) return 'a record of fields';
  if (isCandidateList(body)) return 'a list of candidate replies';
  if (/^[[{]/.test(body) && /[\]}]`{0,3}$/.test(body) && isJson(body)) return 'raw JSON';
  if (body.includes('<') && CALL_TAG.test(body)) return 'a tool call';
  if (body.includes('<') && RESPONSE_TAG.test(body)) return 'a list of candidate replies';
  if (body.length < 600 && CALL_CODE.test(body)) return 'a tool call';
  return null;
}

const TAGGED = /<([a-z][\w-]{0,40})(?:\s[^<>]{0,200})?>([\s\S]*?)<\/\1>/gi;
/** Tags of pages, which people paste. */
const OF_PAGES =
  /^(?:a|b|i|u|s|p|br|div|span|li|ul|ol|td|tr|th|table|html|body|head|h[1-6]|pre|code|strong|em|img|script|style|section|svg|form|input|button|label|details|summary|quote|blockquote)$/i;

/** How many tags of one name a turn consists of, of those that no page has; 0 where there is anything else. */
function wrapped(body: string): number {
  let count = 0;
  let at = 0;
  let name = '';
  for (const match of body.matchAll(TAGGED)) {
    if (body.slice(at, match.index).trim() !== '' || OF_PAGES.test(match[1]!)) return 0;
    if (name !== '' && name !== match[1]) return 0;
    name = match[1]!;
    at = match.index + match[0].length;
    count++;
  }
  return body.slice(at).trim() === '' ? count : 0;
}

const LINE_KEY = /^[ \t]{0,4}(?:- )?["']?([a-z][a-z_ ]{1,30})["']?[ \t]?[:=]/gim;
const SAYS = /^(?:(?:user|next)?[_ ]?(?:response|reply|utterance|message|turn)|content|output|say)$/i;
const STEERS =
  /^(?:thoughts?|reasoning|rationale|stop|done|terminate|end(?:_conversation)?|should_stop|is_final|finished|action|emotion|intent|mood|sentiment|satisfaction|satisfied|strategy|goal_reached|next_action|inner_thoughts?|internal_\w+|persona_\w+)$/i;

/** Lines that begin with keys, one for what is said and one for what steers it. */
function isRecord(body: string): boolean {
  if (!body.includes('\n')) return false;
  let says = false;
  let steers = false;
  for (const [, key] of body.slice(0, 4000).matchAll(LINE_KEY)) {
    says ||= SAYS.test(key!);
    steers ||= STEERS.test(key!);
  }
  return says && steers;
}

/** What stands in a JSON string; null where the text is none. */
function unescaped(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
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
    const ofCode = codeTalk(episode, isBroken);
    for (const { text, turn } of speechOf(episode, 'user')) {
      const shape = dataShape(text);
      if (shape === null) continue;
      // Data is what talk about code is about; alternatives to choose from are not.
      if (!isReplies(text) && (isShown(text) || ofCode(turn))) continue;
      return finding(NAME, 'simulator', `the user's turn is ${shape}`, text, turn);
    }
    return null;
  },
};

function isBroken(text: string): boolean {
  return dataShape(text) !== null || errorIn(text) !== null;
}

function isReplies(text: string): boolean {
  return (
    RESPONSE_TAG.test(text) || (CANDIDATES.test(text) && PROBABILITY.test(text)) || isCandidateList(text)
  );
}

/** Data below a line of words that shows it. */
function isShown(text: string): boolean {
  const at = text.search(/[[{<]/);
  return at > 0 && tellsOf(text.slice(0, at));
}
