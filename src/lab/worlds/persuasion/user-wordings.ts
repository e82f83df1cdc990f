/** A persuadee's acts as patterns (speech/pattern.ts): what is said, said shortly, and what a talkative one adds. */
export interface Told {
  readonly core: readonly string[];
  readonly terse: readonly string[];
  readonly more: readonly string[];
}

export const USER_TOLD: Readonly<Record<string, Told>> = {
  refuse: {
    core: [
      '(Sorry, |)I (do not|really do not|would rather not) (want to give|donate|part with) (anything|any of my payment)(| today| this time).',
      'No, I (am going to|will|want to) keep (my payment|the money|what I earned).',
      "I(| am afraid I| think I) (can't|cannot) (give|donate) (right now|at the moment|this month).",
      '(That is|This is) not (something I want to give to|a thing I would pay for), (sorry|to be honest).',
      "(I'll|I will) (have to say no|pass)(| on that| on this one).",
      '<charity> (will|has to) do without (my money|me)(|, I am afraid).',
    ],
    terse: ['No.', 'No, (sorry|thanks).', "(I'll|I will) pass.", 'Not (today|for me).', 'Rather not.'],
    more: [
      'I had (meant|put aside) it for <purpose>.',
      '<life>, so (it adds up|every dollar counts|I have to watch it).',
      '(Please|I hope you) (do not take it|understand, it is not) personal.',
      '(I have|My mind is) made up (about it|on that).',
    ],
  },
  amount: {
    core: [
      '(Maybe|Perhaps|I guess) I could (do|give|spare) (a few cents|a small part|a bit of it|a quarter of it|half of it).',
      '(How about|What about|Would) (fifty cents|a quarter|twenty cents|a dollar|a small part of my pay)(| be alright)?',
      'I (was thinking of|had in mind|would go for) (about |)(ten cents|a quarter|half a dollar|a dollar|half of what I get).',
      '(Put me down for|Take|You can have) (some cents|a quarter|half|a part) of (it|my payment).',
      '(A|One) (quarter|dollar|small share) (is|would be) (what I can spare|fine with me|about right).',
    ],
    terse: [
      '(A few|Fifty|Twenty|Ten) cents(| maybe).',
      'Half, (maybe|say).',
      '(A|One) dollar(| then)?',
      'A (bit|part) of it.',
    ],
    more: [
      'More than that (is|would be) (hard|too much) (for me|right now).',
      '<life>, so (that is what I have|I can not go wild).',
      'The rest (is|goes) for <purpose>.',
      '(It is not a lot|I know it is little), but (it is something|it may help).',
    ],
  },
  agree: {
    core: [
      '(Yes|Sure|Alright|Okay), I (will|would like to|am happy to|can) (give|donate|chip in)(| something| a part of it).',
      '(You have|I think you have|Well, you have) (won me over|convinced me).',
      '(I am in|Count me in), (let us do it|I want to help|take some of my payment).',
      '(Fine|Good), (some|part) of my (payment|money) can go to <charity>.',
      'I (think|guess|do think) I will (donate|help|give them something).',
      '(That is|It is) (a good idea|worth it), I (will|shall) (give|join in).',
    ],
    terse: ['(Sure|Okay|Yes|Alright)(|, why not|, I will).', 'I am in.', 'Will do.', 'Yes, gladly.'],
    more: [
      '<cause>(| really) (matter|are important) to me.',
      '(It is|That is) a small thing for me(| and a big one for them).',
      'I (feel|think) (it is|that is) the right thing to do.',
      '(I would have spent it|It would have gone) on <purpose> anyway.',
    ],
  },
  'push-back': {
    core: [
      'I (am not sure|doubt|am not convinced) (that |)(this|my money|a few cents) (really helps|gets there|changes anything).',
      '(Why|How come) (should I|would I have to) (pay|give) for (this|that)?',
      '(A lot|Most|Much) of (that money|what is given) (goes|seems to go) (to offices|into ads|missing), (no|does it not)?',
      '(There are|I see) (so many|too many) (causes|charities), (one can not help them all|and all of them ask).',
      "I (don't|do not) (like|enjoy) being (asked|pushed) for money (like this|here).",
      'It is (a little|not much of a) (odd|fair) (thing to ask|request) (here|of people paid this little).',
    ],
    terse: [
      '(Hmm, |)not (sure|convinced).',
      '(Does|Would) it (help|matter)?',
      'I doubt (it|that).',
      'Why (me|that one)?',
    ],
    more: [
      '(I have|One has) (read|heard) (bad things|stories) about (charities|such funds).',
      '<life>, (and nobody asks how I do|and I earn little here).',
      'I (would rather|prefer to) (help|give to) people (I know|near me).',
      '(Others|Richer people|Governments) (could|should) (do|pay for) that.',
    ],
  },
  'ask-procedure': {
    core: [
      'How (would I|do I|does one) (give|donate|pay)(|, exactly)?',
      '(Does it|Will it|Would it) (come off|be taken from) my payment (directly|by itself|at the end)?',
      '(Is there|Do you need) (a form|a link|a site|anything from me)(| for that)?',
      '(When|Where) (do I say|can I enter|will they ask) how much (I give|it is)?',
      '(Can|May) I (choose|decide) (the amount|how much)(| myself)?',
    ],
    terse: [
      'How (does it work|do I pay)?',
      'From my payment?',
      'How much(| do you want)?',
      'Where do I (give|click)?',
    ],
    more: [
      '(I have|I) never (done|did) (this|that) (before|in a task).',
      'I (do not|would not) want to (enter|type in) (card details|my bank data).',
      '(Just|I ask) so that I (know|understand) (it|what happens).',
    ],
  },
  'ask-charity': {
    core: [
      '(What|Can you tell me what) (does <charity> do|<charity> does)(|, exactly)(?|?)',
      '(Who|What kind of people) (runs|is behind|works for) <charity>?',
      '(How much of|What share of|Which part of) (a donation|the money|each dollar) (reaches|gets to|is spent on) <cause>?',
      '(Where|In which places) (do they|does <charity>) (work|help)?',
      '(Is <charity>|Are they) (known|checked by anyone|a real charity)?',
      'I (have not|had not|never) (heard of|come across) <charity>, (what is it|what do they do)?',
    ],
    terse: [
      'What is <charity>?',
      '(Who|What) are they?',
      'Where (do they work|is that)?',
      'What (for|is it about)?',
    ],
    more: [
      'I (like to|want to) know (who I give to|where money goes).',
      '(There are|One hears of) so many (charities|of them).',
      '<help>, (is that it|you said, did you not)?',
    ],
  },
  'ask-back': {
    core: [
      '(Do|Did|Will) you (give|donate) (to them |)(yourself|too|as well)?',
      '(And you|What about you), (how much|what) (do you give|did you give|are you giving)?',
      '(Why|How come) do you (care|ask|speak up) for <cause>?',
      '(What|How) (made you|did you come to) (choose|know) <charity>?',
      '(Are you|Do you) (paid for this|working for them|one of them)?',
    ],
    terse: ['(And|What about) you?', 'Do you (give|donate)?', 'Why (them|this one)?', 'Did you?'],
    more: [
      '(I am just|Only) (curious|asking).',
      '(It would|That would) (help|tell me something) to know.',
      'People (often|like to) ask (without giving|for what they do not do).',
    ],
  },
  'answer-no': {
    core: [
      'No, I (have not|never|do not)(| really)(| as far as I know).',
      '(I can not say|I would not say) (so|that I do|that I have).',
      '(Not|Never) (that I remember|so far|really), (no|to be honest).',
      'No, (I do not|I never) (give|gave) to (charities|such things)(| much| often).',
      '(It is|That is) not (really |)(something I do|my thing|for me).',
      'No, (I know|I have heard) (little|nothing) (about it|of that).',
    ],
    terse: ['No(|pe|t really).', '(Not so|No, not) much.', 'Never(| did).', 'No, I (have not|do not).'],
    more: [
      '<life>, so (I had other things to do|there was little to spare).',
      '(Nobody|No one) (ever asked|told me about it).',
      'I (keep|kept) (to myself|out of it) (mostly|in such things).',
    ],
  },
  'answer-yes': {
    core: [
      'Yes, I (have|do|did)(| now and then| once or twice| quite often).',
      '(I do|I have), (a few times|every now and then|around the holidays).',
      '(Yes|Yeah), (I know|I have heard of) (them|it|that).',
      '(Oh yes|Yes|Sure), (I give|I gave) (to a charity|something) (last year|before|each winter).',
      '(I would say so|I think so|That is right), yes.',
      '(Yes|I do), (it is|that is) (close to|dear to) (me|my family).',
    ],
    terse: ['Yes(|, I do|, sometimes).', 'I (do|have).', 'Yeah(|, a bit).', 'Sure(| do).'],
    more: [
      '<life>, and (one sees things|it happens that I help).',
      '(Mostly|Usually) (clothes|small sums|my time).',
      '(It was|That was) (good to do|nice to see).',
    ],
  },
  warm: {
    core: [
      '(That sounds|That is|What you say is) (good|wonderful|like a great thing|touching).',
      '(I like|I really like) (what they do|the idea|that they bring <help>).',
      '<cause> (deserve|really need) (help|that).',
      '(It is|How) (good to|nice to) (hear|know) (that|this|about them).',
      '(I did not|I had no idea|I never) (know|realise|think) (that|it was so bad|so much could be done).',
      '(You|They) (do|are doing) (good|important) work(| there).',
    ],
    terse: [
      '(That is|Sounds) (good|great|nice).',
      'I like that.',
      '(Good|Great) cause.',
      'How (nice|sad)(|, really).',
    ],
    more: [
      '(It|That) (makes|made) me (think|want to help).',
      '<life>, so I (know|can see) what (it means|that is like).',
      '<fact>, (that is not much|so little does it)(|, is it).',
      '(More|Most) people (should|ought to) (know|hear about) (it|that).',
    ],
  },
  close: {
    core: [
      '(Thank you|Thanks) (for telling me|for the talk|for your time|for what you do).',
      '(It was|This was) (nice|good|a pleasure) (to talk|talking) (to|with) you.',
      '(Have a|I wish you a) (good|nice|lovely) (day|evening|week).',
      '(You are|You are very) welcome(|, and all the best).',
      '(Goodbye|Bye|Take care), and (thanks|good luck)(| with it| with <charity>).',
    ],
    terse: [
      '(Thanks|Thank you)(|!).',
      '(Bye|Take care).',
      '(No problem|You are welcome).',
      'Thanks, you too.',
    ],
    more: [
      'I (learned|took away) something.',
      '(Good luck|All the best) with <charity>.',
      '(Maybe|Perhaps) we (meet|talk) again.',
    ],
  },
  greet: {
    core: [
      '(Hello|Hi|Hey)(| there), (how are you|how is your day|how are things)?',
      '(Hi|Hello|Good day), (I am fine|doing well|all good here)(|, thanks).',
      '(Hey|Hello)(|, good) (to meet you|meeting you|to see someone here).',
      '(Hi|Hello), (what is this about|what are we to talk about)?',
      '(Good morning|Good evening|Hello)(|, nice to meet you), (I am ready|let us start).',
    ],
    terse: ['(Hi|Hey|Hello)(|!|.)', '(Hi|Hello) there.', 'Hey, how are you?', '(Fine|Good), you?'],
    more: [
      '(I hope|Hope) your day is (good|going well).',
      '<life>, (just having a break|I do these tasks in between).',
      '(It is|We have) (cold|sunny|raining) here.',
    ],
  },
  acknowledge: {
    core: [
      '(I see|I understand|Right|Okay)(|, that makes sense|, go on|, I get that).',
      '(That is|It is) (true|a point|fair enough)(|, I suppose|, yes).',
      '(I can|One can) see (that|why|what you mean).',
      '(Okay|Alright|Well), (good to know|I did not know that|I will think about it).',
      '(Hm|Mhm|Right), (I hear you|I am listening|I follow).',
    ],
    terse: ['(Okay|Ok|I see|Right|Mhm).', 'Got it.', '(Fair|True) (enough|that).', 'Makes sense.'],
    more: [
      'I (have to|will) (think|sleep) (about|on) it.',
      '(There is|I see) (something|a lot) (in|to) (that|it).',
      '(Tell me|Go on, tell me) more(|, if you like).',
    ],
  },
  chat: {
    core: [
      '(I hope|Let us hope) (this task|the chat|it) (goes through|does not take long|counts).',
      '(Do you do|Are you doing) (many|a lot) of (these tasks|these)(| today)?',
      '(By the way, |)(it is|we have) (so hot|raining|snow) (here|where I am)(| today).',
      '<life>, (that keeps me busy|so the days are full)(|, you know).',
      '(How|What) (is|was) (your week|the weather at your place)(|, by the way)?',
      '(Are you|You are) (a person|a real person|not a bot), (right|are you not)?',
    ],
    terse: [
      '(Ha|Haha|Lol)(|, okay).',
      '(Nice|Funny) (day|one).',
      '(Are you|You) a bot?',
      'Busy day(|, here).',
    ],
    more: [
      '(Anyway|Well), (where were we|so much for that).',
      '(I|One) (needs|could use) (a coffee|a break)(| now).',
      '(The|My) (cat|dog|phone) (just |)(interrupted|distracted) me.',
    ],
  },
  leave: {
    core: [
      '(I am|I will be) (leaving|off) now, (this is too much|you keep asking|it goes in circles).',
      '(That is|This is) enough(| for me), (goodbye|I am done|I will stop here).',
      '(You said|We had) (that|this) (already|before), I (am going|will go) (now|at this point).',
      '(I have|I have got) (to go|other things to do)(|, no donation|, and I give nothing).',
      '(Please stop|Stop asking), I (am out|will close this|end the chat here).',
    ],
    terse: ['(I am|I will be) (out|off).', '(Enough|Stop)(|, bye).', 'Bye(|, no).', 'Done here.'],
    more: [
      '(I told you|You heard) what I think.',
      '(It|This) (does|did) not (feel|seem) like a talk.',
      'I (keep|will keep) my payment.',
    ],
  },
  'give-0': {
    core: [
      'I (will give|am giving|donate) (nothing|zero)(|, I am afraid|, sorry)(| this time).',
      '(No donation|Nothing)(| from me)(| today| this time), (sorry|I keep it all|I want to keep my payment).',
      '(I have|I) decided (to keep|that I keep) (all of it|the two dollars|my whole payment).',
      '(Put|Write) (zero|nothing) (down |)for me(|, please).',
      '(In the end|After all|All in all), I (will not|am not going to) (give|donate)(| anything).',
    ],
    terse: ['(Nothing|Zero|0)(|, sorry).', 'No donation.', 'I keep it(| all).', '0 dollars.'],
    more: [
      'It is for <purpose>.',
      '<life>, I (need it|can not).',
      '(I wish|Still, I wish) <charity> well(| though).',
    ],
  },
  'give-0.10': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (ten cents|10 cents|$0.10)(|, that is all).',
      '(Ten cents|10 cents|A dime) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (ten cents|0.10|a dime) (down |)for me(|, please).',
      '(I have|I) decided on (ten cents|10 cents|a small ten cents).',
      '(A small one|Just a little): (ten cents|10 cents|$0.10).',
    ],
    terse: ['(Ten|10) cents(|, ok).', '$0.10.', 'A dime.', '0.10 (then|please).'],
    more: [
      '(It is not much|Little as it is), I know.',
      '<life>, (so it is small|more is not in it).',
      'The rest is for <purpose>.',
    ],
  },
  'give-0.25': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (25 cents|a quarter|twenty-five cents)(| of it|, then).',
      '(A quarter|25 cents|Twenty-five cents) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (a quarter|0.25|25 cents) (down |)for me(|, please).',
      '(I have|I) decided on (a quarter|25 cents|$0.25).',
      '(You get|They get|<charity> gets) (a quarter|25 cents) (from|of) me.',
    ],
    terse: ['(A quarter|25 cents)(|, ok).', '$0.25.', '25 cents (then|please).', 'A quarter, fine.'],
    more: [
      '(It is|That is) what I can spare(| today).',
      'I (hope|do hope) it helps(| a little).',
      'The rest is for <purpose>.',
    ],
  },
  'give-0.50': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (50 cents|fifty cents|half a dollar)(|, then).',
      '(Fifty cents|50 cents|Half a dollar) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (fifty cents|0.50|half a dollar) (down |)for me(|, please).',
      '(I have|I) decided on (fifty cents|50 cents|$0.50).',
      '(They get|<charity> gets) (fifty cents|50 cents|half a dollar) (from|of) me.',
    ],
    terse: ['(Fifty|50) cents(|, ok).', '$0.50.', 'Half a dollar.', '50 cents (then|please).'],
    more: [
      '(It is|That is) (fair|a good part of it)(|, I think).',
      'I (hope|do hope) it (helps|reaches them).',
      'So (something|a bit) is left for <purpose>.',
    ],
  },
  'give-1': {
    core: [
      '(I will|I can|Let me) (give|donate) (one dollar|a dollar|half of my payment)(|, then).',
      '(A dollar|One dollar|Half of it) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (one dollar|$1|half of it) (down |)for me(|, please).',
      '(I have|I) decided on (one dollar|a whole dollar|half, so one dollar).',
      '(We go|I go) (halves|half and half): (a dollar|one dollar) for <charity>.',
    ],
    terse: ['(One|A|1) dollar(|, ok).', '$1.', 'Half of it.', '1 dollar (then|please).'],
    more: [
      '<cause> (need|can use) it(| more than I do).',
      '(Happy|Glad) to (help|do it).',
      'The other dollar is for <purpose>.',
    ],
  },
  'give-2': {
    core: [
      '(I will|I can|Let me) (give|donate) (all of it|two dollars|the whole payment)(|, gladly).',
      '(Two dollars|All of it|The full two dollars) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (two dollars|$2|the whole sum) (down |)for me(|, please).',
      '(I have|I) decided (to give everything|on the full two dollars|on all of it).',
      '(They|<charity>) can have (all of it|my whole payment|both dollars).',
    ],
    terse: ['(Two|2) dollars(|, all).', '$2.', 'All of it(|, yes).', 'Everything(|, gladly).'],
    more: [
      '<cause> (need|can use) it more than (I do|me).',
      'I (do not|will not) miss it(| at all).',
      '<purpose> can wait.',
    ],
  },
};
