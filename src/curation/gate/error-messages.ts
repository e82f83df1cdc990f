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

/** Where a turn is an error message, or holds one of an API; null where neither. */
export function errorIn(text: string): { readonly whole: boolean; readonly at: number } | null {
  const start = text.trimStart();
  if (BEGINS.some((pattern) => pattern.test(start))) return { whole: true, at: 0 };
  for (const pattern of HOLDS) {
    const match = pattern.exec(text);
    if (match !== null) return { whole: false, at: match.index };
  }
  return null;
}
