/** Word lists of the rules, English. `(a|b)` are alternatives, `^` binds to the start of a sentence. */

export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being but by can can't could
  couldn't did didn't do does doesn't doing don't down else ever every few for from further get go going got had
  has have haven't having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its just
  like let let's many me more most much my myself no nor not now of off ok okay on once one only or other our out
  over own please really same she should so some such than thank thanks that that's the their them then there
  there's these they they're this those through to too under until up us very was wasn't way we we'll we're well
  were what what's when where which while who why will with won't would wouldn't yes you you'd you'll you're
  you've your yours hi hello hey yeah oh thing things something anything want need know think see make sure
  good great right help`.split(/\s+/),
);

/** Of these, the ones that name no meaning at all: their share tells English from other languages. */
export const ENGLISH_MARKERS: ReadonlySet<string> = new Set(
  `the and to of a in is it you that i for on are with as this be at have from or not but what all were when we
  there can an your which their if do will how about would them these so some her him my me more no just they he
  she was by been has had could should any than then because am i'm i've don't it's that's can't yes please thanks
  thank okay ok`.split(/\s+/),
);

export const FIRST_PERSON: ReadonlySet<string> = new Set("i i'm i've i'd i'll me my mine myself".split(' '));

/** Chat spellings and common slips, beside contractions without their apostrophe and the pronoun i in lower case. */
export const INFORMAL: ReadonlySet<string> = new Set(
  `u ur r thx ty pls plz idk lol lmao btw omg imo imho tbh gonna wanna gotta kinda sorta ya yea yeah yep yup nah
  nope cuz coz cos bc b4 tho thru k kk hmu np ppl smth sth dunno lemme gimme haha hahaha ok alot teh recieve
  definately seperate untill wich thier becuase beleive realy tommorow wierd occured ive im dont cant wont didnt
  doesnt isnt wasnt arent couldnt wouldnt shouldnt havent hasnt hadnt thats whats theyre youre youve theres lets`.split(
    /\s+/,
  ),
);

export const EMOTION: ReadonlySet<string> = new Set(
  `love loved hate hated happy glad sad wow omg amazing awesome wonderful fantastic terrible horrible awful
  frustrated frustrating frustration angry annoyed annoying upset worried worry anxious excited exciting scared
  afraid disappointed disappointing heartbreaking ugh yay haha lol ridiculous unacceptable outrageous devastated
  devastating furious stressed stressful tragic desperate desperately proud hopeful touched moved thrilled`.split(
    /\s+/,
  ),
);

/** What a sentence of the user does. */
export const USER_CUES = {
  asks: [
    "^(what|what's|how|why|where|when|who|which) (is|are|was|were|do|does|did|can|could|would|will|should|kind|type|sort|about|much|many|long|often|exactly|if|percent|percentage|else|made|makes|happens|organization|charity|way)",
    '^(can|could|would|will|do|did|have|are|should|were) (you|they|we|i)',
    '^(is|was|does|did|has|are|can|could|will|would) (there|it|this|that|they|the)',
    "^(what's|who's|how's|where's)",
    '^(any|anything) (idea|other|else)',
  ],
  clarifies: [
    'what (do|did) you mean',
    'what (does|did|do) (that|this|it|they|the)',
    '(clarify|elaborate|explain|rephrase)',
    'could you repeat',
    'tell me (more|about|what|how|a little|a bit)',
    '(more|further|additional|some) (info|information|details|detail)',
    '(know|hear|learn|find out) (a bit |a little |some |)more',
    "(not|unclear|don't) (sure |)(understand|follow)",
    "i'm (a bit |a little |)confused",
    '(how|what) exactly',
    'what (is|are|was|were) (the|this|that|it|they|their|your)',
    "what's (the|this|that|it|their|your)",
    'what (kind|type|sort|percent|percentage|amount|organization|charity|else)',
    'how (does|do|is|are|much|many|can|could|would|will|long|would) (i|it|this|that|they|the|of|money|people|children|kids|one|we|my)',
    'how (does|do) (save|donating|donations)',
    '(where|who|when) (is|are|does|do|did|was|were|will|would|can) (it|this|that|they|the|i|my|these|those)',
    '^(is|does|do|are|has|have|will|would) (it|this|that|they|there|the|these|those|my)',
    '(can|could|would) you (please |)(confirm|check|tell|give|provide|share|describe|explain|send|show|let me know)',
    'do you (know|have) (if|how|what|where|any|more|the|a website)',
    'never heard of',
    "haven't heard of",
    'not familiar with',
    'just to (confirm|clarify|be clear|be sure)',
  ],
  refuses: [
    '^(no|nope|nah)',
    '^not (really|right now|today|now|interested|at this|at the|yet|that)',
    'no (thanks|thank you)',
    "(not|isn't|aren't|wasn't) (interested|convinced|acceptable|fair|true|comfortable|willing|worth|good enough|going to)",
    "i (do not|don't) (want|wish|agree|care|trust|like|believe|donate|think i|think that|think so|think it|really|usually|have)",
    "i don't think",
    "i (won't|wouldn't|refuse|decline|disagree|doubt|can't|cannot|couldn't|haven't|never)",
    'i (can|could|do|will|would) not',
    "i'd (rather|prefer) (not|keep|to keep)",
    "(would|'d) rather (not|keep|give|spend|donate|help)",
    'rather not',
    "i'm (not|hesitant|skeptical|reluctant|doubtful)",
    'i am (not|hesitant|skeptical|reluctant|doubtful)',
    "that (is not|isn't|doesn't)",
    "that's (not|wrong|incorrect|too)",
    "this (is not|isn't|doesn't|is ridiculous|is unacceptable)",
    'why (should|would) i',
    'i (already|just) (told|said|gave)',
    "(can't|cannot|couldn't|can not|don't) (really |)(afford|spare)",
    '(waste of|a scam|scams|skeptical|suspicious)',
    "you're wrong",
    "doesn't (make sense|help me|work for)",
    '(too|so) (expensive|pushy)',
    "still (not|don't)",
    'but (i|that|it|there|how|what|why|my|we)',
    '^however',
    'unfortunately',
    "(not|don't have|tight|low) (enough |much |any |)(money|funds|budget|on money|on cash)",
  ],
  agrees: [
    '^(yes|yeah|yep|yup|ya|yea|sure|absolutely|definitely|certainly|agreed|exactly|indeed|deal)',
    "^(ok|okay|alright) (i|i'll|i'd|that|sounds|let's|sure|great|good|you|then|go)",
    '^of course',
    'sounds (good|great|fair|like a|reasonable|perfect|wonderful|amazing|awesome|interesting|fine)',
    'i (completely |totally |definitely |fully |do |would |)agree',
    "you're (absolutely |totally |)right",
    'you are (absolutely |totally |)right',
    'that (is) (very |so |a |really |quite |)(true|right|correct|fair|good|great|wonderful|awesome|amazing|nice|cool|fantastic|perfect|fine|reasonable|excellent|neat)',
    "that's (very |so |a |really |quite |pretty |)(true|right|correct|fair|good|great|wonderful|awesome|amazing|nice|cool|fantastic|perfect|fine|reasonable|excellent|neat)",
    '(good|great|fair|valid|worthy|noble|worthwhile|wonderful|amazing) (point|idea|cause|charity|organization)',
    'fair enough',
    '(that|it) (makes sense|works)',
    'makes sense',
    'go ahead',
    'please proceed',
    'i (confirm|accept)',
    'why not',
    "i (think|guess|suppose) (so|i can|i could|i will|i would|i'll|i'd)",
    "(i'd|i would) (definitely |certainly |really |)(like to|love to|be happy to|be willing to|be glad to|consider|donate|be interested)",
    "(i'll|i will) (do|take|give|donate|accept|go|definitely|certainly|consider|be donating|be happy|look)",
    "i'm (willing|happy to|convinced|in|sold|interested|down)",
    'i am (willing|happy to|convinced|interested)',
    'i can (donate|do|give|see)',
    "let's (do|go)",
    'works for me',
    'see your point',
    'i (like|love) (that|the|this|what)',
  ],
  thanks: ['(thank|thanks|thankyou|thx|ty|appreciate|appreciated|grateful)'],
  pleads: ['(please|pls|plz|kindly)', 'would you mind', "if you don't mind", 'if possible'],
  greets: [
    '^(hi|hello|hey|greetings|howdy|hiya)',
    'good (morning|afternoon|evening|day)',
    'how (are|r) (you|u)',
    "how's it going",
    'how is (it going|your day)',
    '(nice|pleased) to meet you',
  ],
  parts: [
    '(bye|goodbye|cya)',
    'have a (great|good|nice|wonderful|lovely|blessed)',
    'take care',
    '(see|talk to) you',
    '(good|great|nice) (chatting|talking|speaking) (with|to)',
  ],
  hedges: [
    '(maybe|perhaps|probably|possibly|might|seems|somewhat|apparently|kinda|sorta|idk|unsure|guess|suppose)',
    '(kind|sort) of',
    'i (think|believe|wonder|feel like)',
    'not (sure|certain)',
    "i (don't|do not) (really |)know",
    'a (bit|little)',
    '(could|may) be',
  ],
  corrects: [
    'i (meant|misspoke|mistyped|misread|misunderstood)',
    '^(actually|wait|oops|correction)',
    'my (mistake|bad|apologies|error)',
    'let me (correct|rephrase)',
    'on second thought',
    'scratch that',
    'changed my mind',
    'i was (wrong|mistaken)',
    'i (forgot to|should have) (mention|mentioned|say|said|add|tell)',
  ],
} as const satisfies Record<string, readonly string[]>;

/** What an agent says when it erred or could not do what was asked. */
export const AGENT_CUES = {
  erred: [
    '(apologize|apologise|apologies|unfortunately|invalid)',
    "(i'm|i am|so|very) sorry",
    'sorry (about|for|but|i)',
    'my (mistake|bad|error)',
    '(unable|not able) to',
    "i (cannot|can't|couldn't|could not)",
    '(an|the|this|system|technical) error',
    'went wrong',
    '(failed|failure|issue) (to|with)',
    'not (possible|allowed|eligible|permitted|available)',
  ],
} as const satisfies Record<string, readonly string[]>;
