import { errorIn } from './error-messages.ts';
import { wordsOf } from './speech.ts';

/** An agent that failed, put into words. */
const FAILED =
  /\b(?:technical (?:issue|difficult|problem|error|glitch)|something went wrong|(?:system|server|tool|page) (?:error|is (?:down|slow|unavailable|not responding))|(?:please )?try (?:again|that again)|an? (?:\w+ )?error|unable to (?:process|understand)|cannot process)\b/i;
/** It did not take in what was said. */
const MISSED =
  /\b(?:(?:repeat|rephrase|restate|clarify|say) (?:that|it|your|what|the)\b|(?:didn't|did not|don't|do not|couldn't|could not) (?:quite )?(?:catch|get|understand|follow|hear)|not sure (?:i|what you)|what (?:do|did) you mean|(?:what|how) (?:can|may|could) (?:i|we) (?:do|help|assist)|what (?:seems to be|is|'s|was) (?:the|your) (?:problem|issue|request|question|matter|concern|reason)|(?:describe|explain|tell me|tell us|share) (?:more|again|what|why|the|your) ?(?:about )?(?:the |your )?(?:problem|issue|request|concern|you need|you want|going on|happened|is wrong|it is about)|what (?:brings you|would you like|do you (?:want|need)|are you (?:calling|looking)))/i;
/** It puts off and says nothing else. */
const PUTS_OFF =
  /^\W*(?:(?:one|just a|a) (?:moment|second|minute)|please (?:hold|wait|stand by|be patient)|hold on|hang on|bear with me|thank(?:s| you) for (?:your patience|waiting|holding|contacting|reaching out))\b[^?]{0,80}$/i;

/** What agents ask for, and what it looks like where it was told. */
const ASKED: readonly (readonly [RegExp, RegExp])[] = [
  [/\border (?:number|id|#|no\b)/i, /#?\bW?\d{5,12}\b/i],
  [
    /\b(?:reservation|booking|confirmation) (?:number|id|code|reference)/i,
    /\b(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8}\b/,
  ],
  [/\be-?mail\b/i, /\S@\S+\.\w/],
  [
    /\b(?:user|customer|member|account) (?:id|number)\b/i,
    /\b[a-z]{2,20}_[a-z]{2,20}_\d{2,6}\b|\b\d{5,12}\b/i,
  ],
  [/\b(?:zip|postal|post) ?code\b/i, /\b\d{5}\b/],
  [/\b(?:phone|mobile|line) (?:number)?\b/i, /\d{3}\W{0,2}\d{3}\W?\d{4}/],
  [/\b(?:your|full|first|last) name\b/i, /\b(?:my name(?: is|'s)|this is|i'm|i am) [A-Z]/i],
  [/\bflight number\b/i, /\b[A-Z]{2,3} ?\d{2,4}\b/],
];

const ASKS =
  /\b(?:what|which|when|where|who|whose|why|how (?:many|much|long|old)|(?:provide|give|tell|send|share|state|specify|let me know|need|have))\b/i;
/** What says nothing about what is asked for. */
const EMPTY = new Set(
  'what which when where who whose why how many much long old provide give tell send share state specify let me know need have has had a an the is are was were be been do does did you your yours i my we our us it its this that these those of to for in on at by with from about and or so as if can could may might will would should please kindly sure thanks thank like want wish okay ok sorry just exactly again more any some there'.split(
    ' ',
  ),
);
/** Share of a question's words that stood in what was told. */
const TOLD = 1;

/**
 * Whether an answer shows that its speaker did not listen: it is empty, an error, a request to say it again, a mere
 * delay, or a question for what had been told. `told`: all that the other side had said before.
 */
export function isDeaf(answer: string, told: readonly string[]): boolean {
  if (answer.trim() === '' || errorIn(answer) !== null) return true;
  if (FAILED.test(answer) || MISSED.test(answer) || PUTS_OFF.test(answer)) return true;
  const known = new Set(told.flatMap((text) => wordsOf(text)));
  for (const sentence of answer.split(/(?<=[.!?])\s|\n/)) {
    if (!ASKS.test(sentence)) continue;
    const asked = ASKED.filter(([name]) => name.test(sentence));
    if (asked.length > 0 && asked.every(([, shape]) => told.some((text) => shape.test(text)))) return true;
    if (!sentence.trimEnd().endsWith('?')) continue;
    const words = wordsOf(sentence).filter((word) => !EMPTY.has(word));
    if (words.length > 0 && words.filter((word) => known.has(word)).length >= TOLD * words.length)
      return true;
  }
  return false;
}
