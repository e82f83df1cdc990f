import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { firstMatch, speechOf } from '../speech.ts';

const NAME = 'role-reversal';

const RECORD =
  '(?:user |customer |member |loyalty )?(?:account|profile|reservation|booking|order|itinerary|flight details|ticket|file|records?)';
const KEY =
  '(?:full name|user id|customer id|account (?:number|id)|reservation (?:number|id|code)|booking (?:number|reference)|order (?:number|id)|confirmation (?:number|code)|e-?mail(?: address)?|phone number|zip code|date of birth)';

/** What people in need of help do not say to those who help them. */
const AS_AGENT = [
  /\b(?:how|what) (?:can|may|could|else can) (?:i|we) (?:help|assist|do for) you (?:today|with (?:your|this|that)|further|now)\b/i,
  /\b(?:how|what) (?:can|may|could) (?:i|we) (?:assist|help) you\s?\?/i,
  /\b(?:i'?m|i am|we'?re|we are) (?:here|happy|glad|ready|able) to (?:assist|help) you (?:today|with (?:your|this|that)|further|now|in)\b/i,
  /\bi(?:'d| would) be (?:happy|glad|delighted) to (?:assist|help) you with (?:your|this|that)\b/i,
  /\b(?:is there|do you have|did you need) (?:anything|something|any other \w+) (?:else )?(?:that )?(?:i|we) (?:can|could|may) (?:help|assist)(?: you\b| with\b|\s?\?)/i,
  /\bas your (?:\w+ )?(?:assistant|(?:support|service|booking|travel) (?:agent|representative)|customer service \w+)\b/i,
  /\b(?:as|i'?m|i am) an? (?:ai|artificial intelligence|large)(?: |-)(?:language model|assistant|model|chatbot)\b/i,
  /\b(?:as|i'?m|i am) an? (?:language model|ai)\b(?!\w)/i,
  /\b(?:thank you|thanks) for (?:contacting|calling|choosing|reaching out to) (?:us|our|customer|technical|tech|the (?:support|help)|\w+ (?:airlines?|support|customer|service|help))\b/i,
  new RegExp(
    `\\b(?:let me|i(?:'ll| will| can| am going to|'m going to)) (?:quickly |just |now |go ahead and )?(?:look up|pull up|check|look into|access|locate|retrieve|verify|review) your ${RECORD}\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:please|could you|can you|may i|could i)(?: please)? (?:provide|share|confirm|have|get|give me|tell me|send me)(?: me with| me)? your ${KEY}\\b`,
    'i',
  ),
  new RegExp(
    `\\bi(?:'ve| have)? (?:now |just |successfully |already )*(?:processed|cancell?ed|updated|refunded|issued|booked|located|modified|found|verified) your (?:\\w+ )?(?:refund|return|exchange|identity|${RECORD})\\b`,
    'i',
  ),
  /\b(?:i(?:'ll| will|'m| am)|let me) (?:now )?transfer(?:ring)? you to (?:an?|the|one of our) (?:human|live|real|specialist|supervisor|representative)/i,
  /\bto assist you (?:further|better|with (?:your|this|that)),? (?:i(?:'ll| will)? need|please|could you|may i)\b/i,
];

/** The simulator changed seats: it plays the one who is trained. */
export const roleReversal: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'the user speaks as the agent, or as a language model',
  inspect(episode) {
    for (const { text, turn } of speechOf(episode, 'user')) {
      const match = firstMatch(text, AS_AGENT);
      if (match !== null)
        return finding(NAME, 'simulator', 'the user speaks as the agent', text, turn, match.at);
    }
    return null;
  },
};
