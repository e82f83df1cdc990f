/** How the two sides say things, by act. Notation: pattern.ts. */

export const USER_WORDINGS = {
  greet: [
    '(Hi|Hello|Hey|Good morning|Good evening)( there|)(.|!|,)',
    '(Hi|Hello), (thanks for taking this|hope you are well).',
    '(Good day|Greetings).',
  ],
  want: [
    'I (want|need|would like) to <want>.',
    'I am (writing|here) (because I|since I) (have to|must|need to) <want>.',
    '(Can|Could) you help me (to |)<want>?',
    '(Is it possible|Would it be possible) to <want>?',
    'What (I want|I need) is to <want>.',
  ],
  wantTerse: ['<want>', '(Need|Want) to <want>.', '<want>, please.'],
  noFact: [
    "I (do not|don't) have (that|the number) (with me|here|at hand).",
    '(Can|Could) you (not|) (look it up|find it) (by my name|yourself)?',
    '(Why|What) do you need (that|it) for?',
    'I would (have to|need to) look (that|it) up.',
  ],
  ack: [
    '(Okay|OK|Alright|All right|I see|Right|Fine|Sure).',
    '(That makes sense|Understood|Got it|Good to know).',
    '(Hm|Mhm|Well), (okay|all right).',
  ],
  accept: [
    '(Yes|Sure|Okay), (please do|go ahead|let us do that|that works)(.|!)',
    '(That is fine|That works|Sounds good)( for me| to me|)(.|!)',
    'I (agree|am happy with that|can live with that).',
    '(Let us|I will) (do|take|go with) (that|it).',
    '(You have convinced me|All right, you win|Good, I am in).',
  ],
  refuse: [
    'No(, thank you|, thanks|, sorry|).',
    "I (do not|don't) want (that|it)(, sorry|).",
    "That (is not|isn't) (good enough|acceptable|for me).",
    'I will (pass|leave it)(, thanks|).',
    '(Not today|Not now), (maybe another time|I have to think).',
  ],
  insist: [
    '(That is not|I do not think that is) (right|fair|correct).',
    'I (still|really) (expect|want) (more than that|what I asked for).',
    '(You must|Surely you can) (have another way|make an exception|check again).',
    'I (was|have been) told (something else|otherwise).',
    '(Please check again|Look again), I am (sure|certain) (about it|of that).',
    'Let me (speak|talk) to (a manager|someone else|your supervisor).',
  ],
  doubt: [
    '(I am not sure|I do not know) (about that|if I believe that|whether that is true).',
    '(That sounds|It sounds) (too good|a bit vague|like a sales talk).',
    '(Really|Is that so|Who says that)?',
    'I (wonder|doubt) (if|whether) (that|it) (holds|helps|works).',
  ],
  stall: [
    '(Maybe|Perhaps|Possibly)(, I am not sure|, let me think|).',
    'I (need|would need) (a moment|some time) (to think|to decide).',
    '(I guess|I suppose) (so|it depends|that could work).',
    '(It|That) (depends|is hard to say).',
  ],
  clarify: [
    'What do you mean (by that|exactly)?',
    "(Sorry|Wait), I (did not|didn't) (get|understand|follow) that.",
    '(Could|Can) you (explain|say) (that|this) (again|in plain words|once more)?',
    'So (does that mean|you are saying) (I pay|nothing changes|it is settled)?',
  ],
  complain: [
    '(This is|It is) (so|really|very) (annoying|frustrating|tiring)(.|!)',
    'I (have been waiting|have waited|waited) (for ages|an hour|long enough)(.|!)',
    '(Unbelievable|Ridiculous|Come on)(.|!)',
    'I am (really |)(upset|angry|fed up)( with this| by now|)(.|!)',
  ],
  warm: [
    'I (appreciate|am grateful for) (your help|your patience|that).',
    '(You are|That is) (very kind|kind of you|really helpful)(.|!)',
    "(It is|That's) (lovely|nice|good) (to talk|to hear|that you ask)(.|!)",
  ],
  small: [
    '(How are you|How is your day)( today| so far|)?',
    'It is (raining|cold|far too hot|grey) here (today|again|this week).',
    '(My cat|My neighbour|My boss) (keeps me busy|is driving me mad|woke me at five)(.|!)',
    'I (just|only) (made coffee|got home|came off a shift).',
  ],
  correct: [
    '(Sorry|Wait|Ah), (I meant|that is wrong|let me correct that): <detail>',
    '(Actually|No, actually), <detail>',
    '(I mixed something up|My mistake). <detail>',
  ],
  thanks: [
    '(Thanks|Thank you|Cheers)(!|.)',
    '(Thank you so much|Many thanks|Thanks a lot)(!| for your help.|.)',
  ],
  bye: [
    '(Bye|Goodbye|Take care|See you)(.|!)',
    '(Have a (good|nice) day|All the best|Good night)(.|!)',
    'That is all( then| from me|).',
  ],
  please: [
    'Please (help me with this|let me know|have a look).',
    '(If you would|If that is all right|Would you be so kind).',
  ],
} as const;

export const AGENT_WORDINGS = {
  greet: [
    '(Hello|Hi|Good day)(!|,) (how can I help( you|)( today|)?|what can I do for you?)',
    '(Welcome|Thanks for getting in touch)(.|!) (What is it about?|How may I help?)',
  ],
  open: [
    '(Hello|Hi)(!|,) (do you have|have you got) a (moment|minute) to talk about <thing>?',
    '(Hi|Good day)(!|,) I would like to (tell you|talk with you) about <thing>. (How are you today?|What do you think of it?|)',
  ],
  ask: [
    '(Could|Can) you (give|tell) me (the number|your details|a little more)(, please|)?',
    '(To look this up|To find it|For that) I need (the number and a name|some details|to know who you are).',
    '(May I ask|Could you say) (why|what happened|how it came about)?',
  ],
  askPersonal: [
    '(How do you see it|What do you think|How is it with you)( so far|)?',
    '(May I ask|Could you tell me) (what holds you back|how you do it now|what matters to you)?',
  ],
  sympathise: [
    '(I am sorry|Sorry) (to hear that|about that|for the trouble).',
    '(I understand|I see your point|That is a fair point).',
    '(Thank you|Thanks) for (telling me|explaining|your patience).',
  ],
  push: [
    '(This is the best I can do|There is no better offer), (shall we|let us) (close this|do it) now?',
    '(Just say yes|One word is enough) and (it is done|I take care of the rest)(.|!)',
    '(Most people|Nearly everyone) (says yes|takes it|agrees) (right away|at once)(.|!)',
    '(Why wait|Do not wait)(?|:) (Let us settle it now.|Now is the moment.)',
  ],
  done: [
    '(Done|It is done|That is settled)(.|!) (You will get a mail shortly.|Is there anything else?|That was all from my side.)',
    '(Great|Wonderful|Perfect)(.|!) I have (noted|arranged) (that|it).',
  ],
  close: [
    '(All right|I understand), (then we leave it at that|perhaps another time).',
    '(Thank you|Thanks) for your time. (Goodbye.|Have a good day.)',
  ],
  answer: [
    '(Good question|Of course|Certainly)(:|.|,) <pitch>',
    '(As far as I know|From what I see here), (yes|that is so|it can be done). <pitch>',
  ],
} as const;

export type UserAct = keyof typeof USER_WORDINGS | 'fact' | 'reason' | 'worry' | 'question';
