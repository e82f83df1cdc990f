import { unquoted } from './speech.ts';

/** What belongs to a customer and is in the hands of a service. */
const THINGS =
  '(?:account|profile|reservations?|bookings?|orders?|itinerary|tickets?|flights?|refund|returns?|exchange|requests?|card|payment method|gift card|user id|identity|subscription|membership|purchase|shipment|package|appointment|balance)';
/** The same, which people also ask of others. */
const OWNED =
  '(?:details|information|name|e-?mail|phone|zip|address|confirmation|device|bill|line|plan|case|claim|bags?|passengers?|items?|cabin)';
const DEEDS =
  '(?:process|cancel|look|locate|update|issue|submit|arrange|book|rebook|refund|initiate|apply|waive|escalate|forward|review|check|verify|assist|help|guide|connect|transfer|offer|change|modify|exchange|proceed|pull|find|access|retrieve|confirm|schedule|remove|resolve|reset|credit|charge|open|close|take care|go ahead)';

/**
 * Ways of speaking that a service has and its customers do not, with how much each says. No one of weight 1 decides:
 * people thank and wait and have policies of their own too.
 */
const CUES: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [
    2,
    new RegExp(
      `\\byour (?!own\\b)(?:[\\w'’-]{1,20} ){0,2}${THINGS}\\b(?! (?:system|page|site|line|desk|team|website|service|manager|department|policy|confirmation e-?mail|says?|said|shows?|told))`,
      'i',
    ),
  ],
  [1, new RegExp(`\\byour (?!own\\b)(?:[\\w'’-]{1,20} ){0,1}${OWNED}\\b`, 'i')],
  [2, /\bon your behalf\b|\b(?:(?:we|i) have on file|in our (?:system|records?|database))\b/i],
  [
    1,
    new RegExp(
      `\\b(?:i|we)(?:'ll| will| can| am going to|'m going to| would be happy to|'d be happy to|'ve| have)(?: now| also| just| gladly| certainly| definitely| successfully| already)? ${DEEDS}(?:e?d|t)?\\b[^.?!\\n]{0,60}\\b(?:you|your|yours)\\b`,
      'i',
    ),
  ],
  [
    1,
    /\b(?:would you like me to|do you want me to|shall i|would you like to proceed|do you wish to proceed|how would you like to (?:proceed|continue)|let me know (?:how|if|which|whether) you(?:'d| would) (?:like|prefer)|which (?:one |option )?would you (?:like|prefer))\b/i,
  ],
  [
    1,
    /\b(?:i|we) (?:completely |fully |totally |really )?(?:understand|hear) (?:your (?:frustration|concern|disappointment|situation)|how you feel|that you(?:'re| are|'d| would| want| need| have))|\b(?:i'?m|i am|we'?re|we are) (?:so |very |really )?sorry to hear\b/i,
  ],
  [
    1,
    /\b(?:please (?:allow (?:me|us)|hold(?: on)?\b|bear with|stay on the line|give me a (?:moment|minute))|(?:one|just a) moment(?: please)?,? while i|allow me a (?:few|moment|minute)|while i (?:review|look into|check|pull up|verify|process|locate) (?:your|this|that|the))/i,
  ],
  [
    1,
    /\b(?:do not|don't|don’t) hesitate to\b|\bfeel free to (?:contact|reach out|ask|let (?:me|us) know)\b|\bif you (?:have|need) any (?:further|other|more|additional|questions)\b|\b(?:any|with) further (?:assistance|questions)\b/i,
  ],
  [
    1,
    /\bour (?:[\w-]{1,15} )?(?:policy|policies|guidelines|terms|records?|system|availability|customers?|service|representatives?|specialists?|support|department|team|agents?|inventory|store|airline)\b/i,
  ],
  [
    1,
    /\b(?:apologi[sz]e|sorry|apologies) for (?:the|any|this) (?:inconvenience|trouble|confusion|delay|frustration)\b/i,
  ],
  [1, /\b(?:contact|call|e-?mail|reach|visit|write to|get back to) us\b|\breach out to us\b/i],
  [1, /\bwould you mind (?:sharing|providing|confirming|verifying|telling|spelling)\b/i],
  // Courtesies count once, however many there are.
  [
    1,
    /\bthank(?:s| you)(?: so much| very much)? for (?:providing|sharing|verifying|confirming|your (?:patience|understanding|cooperation|call)|bringing this|holding|waiting)\b|\byou(?:'re| are) (?:very |most )?welcome\b|\b(?:glad|happy|pleased) (?:i|we) could (?:help|assist|be of)\b|\bhave a (?:great|wonderful|lovely|nice|safe|pleasant) (?:day|trip|flight|rest|evening|stay)\b|\bi appreciate your (?:patience|understanding)\b/i,
  ],
  [
    2,
    /\bthank(?:s| you)(?: so much| very much)? for (?:calling|contacting|reaching out to|choosing|your (?:loyalty|business)|being (?:a|our) (?:\w+ )?(?:customer|member))\b|\b(?:we|our team) (?:appreciates?|values?) your\b|\benjoy your (?:trip|flight|stay|new|purchase)\b/i,
  ],
  [
    1,
    /\byou(?:'ll|’ll| will| should)(?: soon| shortly| also| now)? (?:receive|get|see|be (?:charged|refunded|notified|contacted|credited|transferred))\b|\b(?:business|working) days\b/i,
  ],
  [2, /\byou are (?:now )?being (?:transferred|connected)\b/i],
  [
    2,
    /\b(?:reply|respond|type)(?: with)?(?: an?)? ?["“'*]{0,3}yes\b|\bsay(?: an?)? ?["“'*]{1,3}yes\b|\byour (?:explicit )?(?:confirmation|consent) (?:to|before|so)\b|\bi(?:'ll| will)? need your (?:explicit )?(?:confirmation|consent|approval)\b/i,
  ],
  [
    1,
    /\b(?:to (?:proceed|get started|continue|begin|assist|help|complete|verify)|before i (?:proceed|make|can|process)|in order to|so (?:that )?i can)\b[^.?!\n]{0,50}\b(?:you|your|i(?:'ll| will)? need|i require|we need|we require)\b/i,
  ],
  [
    1,
    /\b(?:once|when|after|as soon as) you(?:'ve| have)? (?:confirm|provide|share|verify|reply|send|let me)/i,
  ],
  [
    1,
    /\b(?:may i|could i|can i|could you|can you|would you(?: mind)?|please)(?: please| kindly)? (?:have|get|provid(?:e|ing)|shar(?:e|ing)|verify(?:ing)?|confirm(?:ing)?|tell me|give me|send me)\b[^.?!\n]{0,40}\b(?:your|you(?:'d| would) like|the (?:zip|name|e-?mail|last four|account))\b/i,
  ],
  [
    1,
    /^\W{0,3}(?:certainly|absolutely|of course|sure thing|great choice|excellent choice|great news|good news|no problem at all|understood|got it)\b/i,
  ],
  [2, /\bi can offer you\b|\bi(?:'m| am) able to offer you\b/i],
  [
    1,
    /\bhere(?:'s| is| are) (?:a summary|the (?:available|options|summary)|what we (?:can|found|have|did)|what i found)\b|\bi (?:see|found|have found|have located) (?:\w+ ){1,3}(?:flights?|options?|matches|results|reservations?|orders?|items?)\b/i,
  ],
  [
    1,
    /\b(?:i'?m afraid|unfortunately,?|i'?m sorry,? but) (?:our|i|we)(?:'m| am|'re| are)? ?(?:can(?:no|')t|cannot|unable|not able|don't|do not|policy|polic(?:y|ies) (?:does|do)|system|rules)\b/i,
  ],
  [
    1,
    /\blet me (?:just |quickly |see if i can )?(?:see|check|look)(?: into)? (?:what (?:i|we) can|our|your|if (?:i|we) can|the available|this for you|that for you)\b/i,
  ],
  [1, /\bmake (?:this|it|things) right\b|\bfor you (?:right away|today|shortly)\b|\brest assured\b/i],
];

/** Without one of these words no three ways of speaking come together. */
const MAY_SERVE =
  /\b(?:your|our|us|behalf|assist|hesitate|apologi[sz]e|would you|help you|for you|offer you|being transferred)\b/i;

/** What only the one who is served says. */
const OWN: readonly (readonly [weight: number, pattern: RegExp])[] = [
  [
    3,
    new RegExp(
      `\\bmy (?!(?:colleague|team|supervisor|manager|system|end|screen|apolog|records)\\w*\\b)(?:[\\w'-]{1,20} ){0,2}(?:name is|${THINGS}|${OWNED})\\b`,
      'i',
    ),
  ],
  [1, /\b(?:i'd|i would) (?:like|prefer|rather|love)\b|\bi (?:want|prefer|need to|was hoping|wanted)\b/i],
  [
    1,
    /\b(?:can|could|will|would) you (?:please )?(?:pull|look|help|check|cancel|change|book|find|tell me|explain|make|process|refund|use)\b/i,
  ],
  [
    1,
    /\bplease (?:apply|charge|use|keep|move|adjust|cancel|book|rebook|proceed|go ahead|process|refund|exchange|return|modify|upgrade)\b/i,
  ],
];

/** So much of it, in more than one way, that no customer speaks like this. */
const ENOUGH = 3;

/**
 * Where a turn begins to sound like somebody who serves; null where it does not, or sounds as much like somebody who
 * is served. The weights (1 or 2) were set by
 * hand, after counting how many agents and users of tau-bench dialogues say each; they are not fitted. Quotes
 * and code do not count.
 */
export function serviceVoice(text: string): number | null {
  if (!MAY_SERVE.test(text)) return null;
  const spoken = unquoted(text).replaceAll('’', "'");
  let weight = 0;
  let first = spoken.length;
  for (const [worth, pattern] of CUES) {
    const at = spoken.search(pattern);
    if (at < 0) continue;
    weight += worth;
    first = Math.min(first, at);
  }
  if (weight < ENOUGH) return null;
  for (const [worth, pattern] of OWN) if (pattern.test(spoken)) weight -= worth;
  return weight >= ENOUGH ? first : null;
}
