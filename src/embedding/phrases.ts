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
    '(can|could|would) you (please |)(confirm|check|tell|give|provide|share|describe|explain|send|show|let me know)',
    'do you (know|have) (if|how|what|where|any|more|the|a website)',
    'never heard of',
    "haven't heard of",
    'not familiar with',
    'just to (confirm|clarify|be clear|be sure)',
  ],
  refuses: [
    '^(no|nope|nah)',
    '(but|maybe|probably|perhaps|guess|suppose) (no|not)',
    '^not (really|right now|today|now|interested|at this|at the|yet|that|without|my|enough|until)',
    'no (thanks|thank you|way|guarantee|proof)',
    "(not|isn't|aren't|wasn't) (interested|convinced|acceptable|fair|true|comfortable|willing|worth|enough|going to|what i|a fan)",
    "i (do not|don't) (want|wish|agree|care|trust|like|believe|donate|think|really|usually|see how|see why|need|currently|feel)",
    "i (won't|wouldn't|refuse|decline|disagree|doubt|can't|cannot|couldn't|haven't|never)",
    'i (can|could|do|have|will|would) not',
    "i (would|'d) (rather|prefer)",
    "i'd (rather|prefer)",
    'rather (not|keep|give|spend|donate|help)',
    "(i'm|i am) (hesitant|skeptical|reluctant|doubtful|unwilling|unable)",
    "(i'm|i am) (currently |really |just |)not (interested|willing|comfortable|convinced|going|happy|able|in a position|buying|satisfied)",
    "that (is not|isn't|doesn't)",
    "that's (not|wrong|incorrect|too|unacceptable|ridiculous)",
    "this (is not|isn't|doesn't|is ridiculous|is unacceptable)",
    'why (should|would) i',
    'i (already|just) (told|said|gave)',
    "(can't|cannot|couldn't|can not|don't) (really |)(afford|spare)",
    '(waste of|scam|scams|skeptical|suspicious|unwilling)',
    "(you're|you are) (wrong|mistaken)",
    "doesn't (make sense|help me|work for)",
    '(too|so) (expensive|pushy)',
    "(don't have|low on|no) (enough |much |any |the |extra |a lot of |)(money|funds|income|cash)",
    '(i worry|my concern|concerns me|bothers me)',
    "(aren't|isn't|not) (likely|sure i|sure that|sure about)",
    '(misuse|misused|lying|corrupt|dishonest)',
  ],
  /** Said with the words of a refusal and meaning none. */
  refusesNot: [
    'no (problem|worries|doubt|matter|one|longer)',
    "(can't|cannot|couldn't|can not|could not) (even |)(imagine|believe|wait|agree more|argue|complain|say no|tell|remember)",
    "(don't|dont) see why (not|i wouldn't)",
    "i (don't|do not) (think i have|have any questions|mind)",
    "(don't|wouldn't) mind",
    'not a problem',
    'why not',
  ],
  agrees: [
    '^(yes|yeah|yep|yup|ya|yea|yess|sure|absolutely|definitely|certainly|agreed|exactly|indeed|deal)',
    "^(ok|okay|alright) (i|i'll|i'd|that|sounds|let's|sure|great|good|you|then|go)",
    '^of course',
    'sounds (good|great|fair|like a|reasonable|perfect|wonderful|amazing|awesome|interesting|fine)',
    'i (completely |totally |definitely |fully |do |would |)agree',
    "(you're|you are) (absolutely |totally |so |very |)right",
    "(that's|that is|it's|this is) (very |so |a |really |quite |pretty |)(true|right|correct|fair|good|great|wonderful|awesome|amazing|nice|cool|fantastic|perfect|fine|reasonable|excellent|neat|okay|ok)",
    'that would be (very |so |)(good|great|wonderful|awesome|amazing|nice|cool|fantastic|perfect|fine|ok|okay|helpful)',
    '(good|great|fair|valid|worthy|noble|worthwhile|wonderful|amazing) (point|idea|cause|charity|organization)',
    'fair enough',
    'it makes sense',
    '^makes sense',
    'that (makes sense|works)',
    'go ahead',
    'please proceed',
    'i (confirm|accept)',
    '^why not',
    "i (think|guess|suppose) (so|i can|i could|i will|i would|i'll|i'd)",
    "(i'd|i would) (definitely |certainly |really |)(like to|love to|be happy|be willing|be glad|be okay|be ok|consider|donate|be interested)",
    "(i'll|i will) (do|take|give|donate|accept|go|definitely|certainly|consider|be donating|be happy|look|make|keep|try|help|probably|match)",
    "(i'm|i am) (willing|happy to|glad|convinced|in|sold|down|interested in|okay with|ok with|fine with)",
    'i can (donate|do|give|see)',
    'i (probably |definitely |certainly |)will',
    "let's (do|go)",
    'works for me',
    '^me too',
    'see your point',
    '(happy|glad) to (help|donate|give|do)',
    'i (like|love) (that|the|this|what)',
    "i've (heard|donated)",
    'i have (heard|donated)',
  ],
  thanks: ['(thank|thanks|thankyou|thx|ty|appreciate|appreciated|grateful)'],
  pleads: ['(please|pls|plz|kindly)', 'would you mind', "if you don't mind", 'if possible'],
  greets: [
    '^(hi|hello|hey|greetings|howdy|hiya)',
    'good (morning|afternoon|evening)',
    '^good day',
    '(how|what) about (you|yourself)',
    '^and you',
    '(how|hows) (are|r) (you|u)',
    "how's it going",
    'how is (it going|your day)',
    '(nice|pleased) to meet you',
    "^(i'm|i am|doing) (doing |very |)(good|well|great|fine|okay|ok)",
  ],
  parts: [
    '(bye|goodbye|cya|goodnight)',
    '^have a (very |)(great|good|nice|wonderful|lovely|blessed|amazing)',
    '(and|you|hope you) have a (very |)(great|good|nice|wonderful|lovely|blessed|amazing)',
    '^(you |)take care',
    '(and|you) take care',
    '(see|talk to) you (later|soon|then|around)',
    '(good|great|nice|pleasure|enjoyed) (chatting|talking|speaking|meeting)',
    '^(thanks |thank you |)(you too|you as well|same to you)',
    '(god bless|good luck)',
    'enjoy (your|the rest)',
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
