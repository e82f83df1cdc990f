/** Small things that people put around what they say, whatever it is. */

/** After a request: before its last mark. */
export const REQUEST_ENDS = [', please'] as const;
export const REQUEST =
  /^(?:(?:can|could|would|will|may) (?:you|i|we)|i (?:want|need)|i(?:'d| would) like)\b/i;

/** Before something declined or denied. */
export const REGRETS = ['Sorry, ', "I'm sorry, ", 'Sorry but '] as const;
export const DENIAL =
  /^(?:no|not|never|i'd rather|(?:i|it|that|this|these) (?:\w+ )?(?:not|never|cannot|\w+n't))\b/i;

/** After anything else. */
export const THANKS = [
  ' Thanks.',
  ' Thank you.',
  ' I appreciate it.',
  ' Thanks a lot.',
  ' Thank you for that.',
] as const;

/** Nothing is added to these. */
export const GREETING = /^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|bye|goodbye)\b/i;
/** No thanks after these: they would be scorn. */
export const PARTING = /\b(?:going|leaving|leave|forget|enough|stop|off|annoying|tiresome|too long|waste)\b/i;
export const COURTESY = /\b(?:please|thanks?|thx|sorry|appreciate|grateful|kindly)\b/i;

/** What a curt user leaves out. */
export const CURT: readonly (readonly [RegExp, string])[] = [
  [/,? please(?=[.?!,]|$)/gi, ''],
  [/\bplease /gi, ''],
  [/(?<=[.?!] )(?:many thanks|thanks|thank you)(?: a lot| so much| very much)?[.!] ?/gi, ''],
  [/^(?:thanks|thank you)(?: a lot| so much| very much)?[,.!] (?=\S)/gi, ''],
  [/^(?:i'm |i am )?sorry,? (?:but )?(?=\S)/gi, ''],
];

/** Before a statement of somebody who hesitates, and before a question. */
export const HEDGES = ['Well, ', 'Hmm, ', 'I guess ', 'Honestly, ', 'I mean, ', 'Um, '] as const;
export const PAUSES = ['Hmm, ', 'Um, ', 'So, ', 'Well, ', 'Wait, '] as const;

/** First words that lose their capital behind something; of others it is not known whether they are names. */
export const COMMON_STARTS: ReadonlySet<string> = new Set(
  (
    'a all am and are as at but can could did do does for from give how if in is it its just let maybe my no not of ok ' +
    'okay on one or our please so some sure tell that the there these they this those to was we well what when where ' +
    'which who why will with would yes you your'
  ).split(' '),
);

export const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bI am\b(?! not\.|[.?!])/g, "I'm"],
  [/\bI have (?=been|found|had|never|not)/g, "I've "],
  [/\b([Dd])o not\b/g, "$1on't"],
  [/\b([Dd])oes not\b/g, "$1oesn't"],
  [/\b([Dd])id not\b/g, "$1idn't"],
  [/\b([Ii])s not\b/g, "$1sn't"],
  // At the start of a clause only: "how much it is now" has no short form.
  [/(?<=^|[.?!,:] |\b(?:and|but|so) )([Ii])t is\b(?![.?!])/g, "$1t's"],
  [/(?<=^|[.?!,:] |\b(?:and|but|so) )([Tt])hat is\b(?![.?!])/g, "$1hat's"],
  [/\b([Cc])annot\b/g, "$1an't"],
  [/\bI would\b(?![.?!])/g, "I'd"],
  [/\bI will\b(?![.?!])/g, "I'll"],
];
