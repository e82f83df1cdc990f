/** Keys that hold a reply; those that servers' messages have too, so that users speak of them; what stands beside. */
const REPLIES = new Set(['response', 'reply', 'candidates', 'responses', 'replies']);
const COMMON = new Set(['text', 'message', 'content']);
const BESIDE = new Set(['probability', 'prob', 'reasoning', 'role']);

/**
 * "Sure! Here is my answer:": words that announce an answer and say nothing else. Whoever says whose answer it is, or
 * where it comes from, speaks of JSON.
 */
const ANNOUNCEMENT =
  /^(?:(?:sure|okay|ok|certainly|of course|absolutely)\b[,.!: ]*)?(?:(?:here(?:['’]s| is| are)|this is|below is)\s+)?(?:(?:my|the|your|a|one)\s+)?(?:(?:next|final|requested|possible|user['’]?s|json)\s+){0,3}(?:(?:answers?|repl(?:y|ies)|responses?|messages?|turn|output|json|candidates?)\b)?(?:\s+(?:as|in)\s+json(?:\s+format)?)?\s*[:.!]?$/i;
/** Whose answer it is: only then common keys are taken for a reply. */
const OWN = /\b(my|your|next|user|answers?|repl(y|ies)|sure|certainly|of course|absolutely)\b/i;
/** Characters of an announcement. */
const LONGEST = 120;

/**
 * Whether a text is a reply in JSON behind an announcement ("Here is my answer: {...}"): that is a model that goes on
 * with a format it was asked for, and no user. A user may well speak of JSON and code; hence all of it must hold:
 * nothing but an announcement before, nothing behind, no key but those of replies, and words under one of them.
 */
export function isWrapped(text: string): boolean {
  const bare = text.trim().replace(/```$/, '').trim();
  const from = bare.search(/[{[]/);
  if (from < 0 || from > LONGEST || !/[}\]]$/.test(bare)) return false;
  const before = bare
    .slice(0, from)
    .replace(/```\w*\s*$/, '')
    .trim();
  if (!ANNOUNCEMENT.test(before)) return false;
  try {
    return holdsReply(JSON.parse(bare.slice(from)), OWN.test(before));
  } catch {
    return false;
  }
}

function holdsReply(value: unknown, own: boolean): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => holdsReply(one, own));
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  const isReply = (key: string) => REPLIES.has(key) || (own && COMMON.has(key));
  return (
    entries.every(([key]) => isReply(key) || BESIDE.has(key)) &&
    entries.some(([key, held]) => isReply(key) && (Array.isArray(held) || typeof held === 'string'))
  );
}
