import type { Trajectory } from '../../../trajectory/trajectory.ts';
import type { Check } from '../check.ts';
import { finding } from '../evidence.ts';
import { serviceVoice } from '../service-voice.ts';
import { firstMatch, speechOf } from '../speech.ts';

const NAME = 'role-reversal';

const RECORD =
  '(?:user |customer |member |loyalty )?(?:account|profile|reservation|booking|order|itinerary|flight details|ticket|file|records?)';
const KEY =
  '(?:full name|name|account|last (?:four|4) digits|user id|customer id|account (?:number|id)|reservation (?:number|id|code)|booking (?:number|reference)|order (?:number|id)|confirmation (?:number|code)|e-?mail(?: address)?|phone number|zip code|date of birth)';

/** What people in need of help do not say to those who help them. */
const AS_AGENT = [
  /\b(?:how|what) (?:can|may|could|else can) (?:i|we) (?:help|assist|do for) you (?:today|with (?:your|this|that)|further|now)\b/i,
  /\b(?:how|what) (?:can|may|could) (?:i|we) (?:assist|help) you\s?\?/i,
  /\b(?:i'?m|i am|we'?re|we are) (?:here|happy|glad|ready|able) to (?:assist|help) you (?:today|with (?:your|this|that)|further|now|in)\b/i,
  /\bi(?:'d| would) be (?:happy|glad|delighted) to (?:assist|help) you with (?:your|this|that)\b/i,
  /\b(?:is there|do you have|did you need) (?:anything|something|any other \w+) (?:else )?(?:that )?(?:i|we) (?:can|could|may) (?:help|assist)(?: you\b| with\b|\s?\?)/i,
  /\bas your (?:\w+ )?(?:assistant|(?:support|service|booking|travel) (?:agent|representative)|customer service \w+)\b/i,
  /\b(?:as|i'?m|i am) an? (?:ai|artificial intelligence|large)(?: |-)(?:language model|assistant|model|chatbot)\b/i,
  /\b(?:as|i'?m|i am) (?:just |only )?an? (?:large )?(?:language model|ai|llm|chat ?bot)\b(?![\w-])(?! (?:user|person|skeptic|expert|engineer|student|researcher|enthusiast))/i,
  /\b(?:i was|i am|i'm|my) (?:created|developed|trained|built|made|training) by (?:openai|anthropic|google|meta|alibaba|deepseek|mistral|xai)\b|\bmy (?:training data|knowledge cut-?off)\b/i,
  /\b(?:thank you|thanks) for (?:contacting|calling|choosing|reaching out to) (?:us|our|customer|technical|tech|the (?:support|help)|\w+ (?:airlines?|support|customer|service|help))\b/i,
  new RegExp(
    `\\b(?:let me|i(?:'ll| will| can| am going to|'m going to)) (?:quickly |just |now |go ahead and )?(?:look up|pull up|check|look into|access|locate|retrieve|verify|review) your ${RECORD}\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:please|could you|can you|may i|could i|can i|i(?:'ll| will)? need|i(?:'ll| will) (?:just )?need)(?: please| to| you to)? (?:provide|share|confirm|verify|have|get|give me|tell me|send me|know)?(?: me with| me)? ?your ${KEY}\\b`,
    'i',
  ),
  new RegExp(
    `\\bi(?:'ve| have)? (?:now |just |successfully |already )*(?:processed|cancell?ed|updated|refunded|issued|booked|located|modified|found|verified) your (?:\\w+ )?(?:refund|return|exchange|identity|${RECORD})\\b`,
    'i',
  ),
  /\b(?:i(?:'ll| will|'m| am)|let me) (?:now )?transfer(?:ring)? you to (?:an?|the|one of our) (?:human|live|real|specialist|supervisor|representative)/i,
  /\bto assist you (?:further|better|with (?:your|this|that)),? (?:i(?:'ll| will)? need|please|could you|may i)\b/i,
  new RegExp(`\\bwhat(?:'s| is) your (?!name)${KEY}\\b`, 'i'),
  /\bwhat can (?:i|we) do for you today\b/i,
  /\b(?:sure|certainly|of course|absolutely)[,!.] (?:i|we) can (?:help|assist)(?: you)? with (?:that|this|your)\b/i,
  /\bi can (?:certainly |definitely )?(?:help|assist) you with (?:that|this|your)\b/i,
  /\bwelcome to (?:the )?(?:\w+ ){0,3}(?:customer (?:service|support|care)|support|help ?desk)\b/i,
  /\bi(?:'m| am) an? (?:virtual|ai|automated|customer (?:service|support)|support|helpful) (?:\w+ )?(?:assistant|agent|representative)\b/i,
  /\b(?:as|i'?m|i am) (?:an?|your) (?:customer (?:service|support)|support|helpful|virtual|booking|travel) (?:assistant|agent|representative)\b/i,
  /\bi(?:'m| am)? (?:sorry, but i )?(?:can(?:no|')t|cannot|(?:am |'m )?unable to|am not able to|'m not able to) (?:assist|help) (?:you )?with (?:that|this)(?: request)?\b/i,
  /\byour (?:[\w#-]{1,20} ){0,3}(?:order|reservation|booking|flight|refund|return|exchange|request|account|ticket)(?: [\w#-]{1,20}){0,3} (?:has|have) (?:now |already )?been (?:successfully |fully )?(?:processed|cancel?led|booked|updated|refunded|issued|confirmed|changed|modified|verified|submitted|approved|located)\b/i,
  /\byou(?:'ll| will| should) (?:soon |shortly )?(?:receive|get|see) (?:an?|your|the) (?:\w+ )?(?:refund|confirmation|e-?mail|credit|voucher)\b/i,
  /\bwould you like me to (?:process|cancel|book|refund|issue|transfer|rebook|exchange|update|modify) (?:your|the|this|that|it|you)\b/i,
  /\b(?:according to|per|as per|under|based on) our (?:\w+ )?polic(?:y|ies)\b|\bour (?:system|records?|database) (?:shows?|indicates?|says)\b/i,
  /\b(?:please (?:hold|wait)|one moment(?: please)?|just a moment|give me a moment|bear with me),? while i (?:check|look|pull|review|access|retrieve|process|verify|locate|search)(?: up| into)? your\b/i,
  /\bto (?:verify|confirm) your (?:identity|account)\b|\bfor (?:verification|security) purposes,? (?:please|could|can|may|i)\b/i,
  new RegExp(`\\bthank(?:s| you) for (?:providing|sharing|confirming) your ${KEY}\\b`, 'i'),
];

/** Just before it: the user tells what somebody else said. */
const REPORTED =
  /\b(?:you|he|she|they|it|agent|representative|somebody|someone|e-?mail|message|chat|bot|colleague|website|app) (?:\w+ ){0,2}(?:said|asked|told|wrote|says?|asks?|reads?|promised|replied|answered|states?|stated)\b[^.?!\n]{0,40}$/i;

/** The simulator changed seats: it plays the one who is trained. */
export const roleReversal: Check = {
  name: NAME,
  blame: 'simulator',
  title: 'the user speaks as the agent, or as a language model',
  inspect(episode) {
    for (const { text, turn } of speechOf(episode, 'user')) {
      const match = firstMatch(text, AS_AGENT);
      if (match !== null && !REPORTED.test(text.slice(Math.max(0, match.at - 60), match.at)))
        return finding(NAME, 'simulator', 'the user speaks as the agent', text, turn, match.at);
      const voice = serviceVoice(text);
      if (voice !== null && !isQuoted(episode, text.slice(voice, voice + QUOTED), turn))
        return finding(NAME, 'simulator', 'the user speaks as one who serves', text, turn, voice);
      if (isEcho(episode, text, turn))
        return finding(NAME, 'simulator', "the user says the agent's own words", text, turn);
    }
    return null;
  },
};

/** Characters of a quote without marks. */
const QUOTED = 30;

/** Whether the agent said a piece before: who reads its words back does not speak as it does. */
function isQuoted({ turns }: Trajectory, piece: string, before: number): boolean {
  for (let at = 0; at < before; at++)
    if (turns[at]!.role === 'agent' && turns[at]!.text?.includes(piece)) return true;
  return false;
}

/** Characters from which the same words are no coincidence. */
const ECHO = 60;

/** Whether a turn is one that the agent said before, word for word. */
function isEcho({ turns }: Trajectory, text: string, before: number): boolean {
  if (text.length < ECHO) return false;
  const said = text.trim();
  for (let at = 0; at < before; at++) {
    const turn = turns[at]!;
    if (turn.role !== 'agent' || turn.text === null) continue;
    if (Math.abs(turn.text.length - text.length) < 20 && turn.text.trim() === said) return true;
  }
  return false;
}
