/** A persuadee's acts as patterns (speech/pattern.ts): what is said, said shortly, and what a talkative one adds. */
export interface Told {
  readonly core: readonly string[];
  readonly terse: readonly string[];
  readonly more: readonly string[];
}

export const USER_TOLD: Readonly<Record<string, Told>> = {
  refuse: {
    core: [
      '(Sorry, |)I (do not want|am not willing|do not plan) to (give|donate|part with) (anything|any of my payment)(| today| this time).',
      'No, I (am going to|will|want to) keep (my payment|the money|what I earned)(|, sorry).',
      '(I am afraid|I think|Sorry, but) I (cannot|can not) (give|donate)(| anything) (right now|at the moment|this month).',
      '(That|This) is not something I (want to give to|would spend money on)(|, to be honest).',
      'I will (have to say no|have to pass|stay out)(| of that| this time).',
      '<charity> will have to (do|manage) without (my money|me)(|, I am afraid).',
    ],
    terse: [
      'No.',
      'No, (sorry|thanks|I keep it).',
      'I will (pass|keep it).',
      'Not (today|for me|this time).',
      'Rather not.',
    ],
    more: [
      'I had (meant it|put it aside) for <purpose>.',
      '<life>, so (it adds up|every dollar counts|I have to watch my money).',
      '(Please|I hope you) do not take it personally.',
      'My mind is made up(| about it| on that).',
    ],
  },
  amount: {
    core: [
      '(Maybe|Perhaps|I guess) I could (do|give|spare) (a few cents|a small part|a bit of it|a quarter of it|half of it).',
      '(How about|What about|What do you think of) (fifty cents|a quarter|twenty cents|a dollar|a small part of my pay)?',
      'I (was thinking of|had in mind) (about |)(ten cents|a quarter|half a dollar|a dollar|half of what I get).',
      'You can (have|put me down for|take) (a quarter|half|a small part) of (it|my payment).',
      '(A quarter|A dollar|A small share) (would be|is) (what I can spare|fine with me|about right).',
    ],
    terse: [
      '(A few|Fifty|Twenty|Ten) cents(| maybe).',
      'Half, (maybe|say).',
      '(A|One) dollar(| then)?',
      'A (bit|part) of it.',
    ],
    more: [
      'More than that (is|would be) (hard|too much) for me(| right now).',
      '<life>, so (that is what I have|I can not go wild).',
      'The rest (is|goes) (for|into) <purpose>.',
      '(It is not a lot|I know it is little), but (it is something|it may help).',
    ],
  },
  agree: {
    core: [
      '(Yes|Sure|Alright|Okay), I (will|would like to|am happy to|can) (give something|donate|chip in)(|, why not).',
      '(I think you|Well, you|You) have (won me over|convinced me)(|, I will give).',
      '(I am in|Count me in|Let us do it), (I want to help|take some of my payment|it is for a good thing).',
      '(Fine|Good), (some|part) of my (payment|money) can go to <charity>.',
      'I (think|guess|suppose) I will (donate|help|give them something).',
      '(That is|It is) (a good idea|worth it), I will (give|join in|do it).',
    ],
    terse: ['(Sure|Okay|Yes|Alright)(|, why not|, I will).', 'I am in.', 'Will do.', 'Yes, gladly.'],
    more: [
      '<cause> (matter a lot|are important|really matter) to me.',
      '(It|That) is a small thing for me(| and a big one for them).',
      'I (feel|think) it is the right thing to do.',
      '(I would have spent it|It would have gone) on <purpose> anyway.',
    ],
  },
  'push-back': {
    core: [
      'I (am not sure|doubt|am not convinced) that (this|my money|giving a few cents) (really helps|changes anything|does much good).',
      'Why should I (pay for|give to|spend money on) (this|that)(| of all things)?',
      'A lot of what (people give|is given) (goes|seems to go) (to offices|into ads|missing)(|, does it not).',
      'There are (so many|too many) (causes|charities)(|, and all of them ask|, nobody can help them all).',
      'I do not (like|enjoy) being (asked|pushed) for money (like this|here|in a task).',
      'It is (odd|not fair|a bit much) to ask this of people (paid so little|who do small tasks|like me).',
    ],
    terse: [
      '(Hmm, not|Not) (sure|convinced).',
      '(Does|Would) it (help|matter)?',
      'I doubt (it|that).',
      'Why (me|that one)?',
    ],
    more: [
      'I have (read|heard) (bad things|stories) about (charities|such funds).',
      '<life>, and (nobody asks how I do|I earn little here).',
      'I (would rather|prefer to) (help|give to) people (I know|near me).',
      '(Others|Richer people|Governments) (could|should) (do|pay for) that.',
    ],
  },
  'ask-procedure': {
    core: [
      'How (would I|do I|does one) (give|donate|pay)(|, exactly)?',
      '(Is it|Will it be|Would it be) taken from my payment (directly|by itself|at the end)?',
      '(Is there|Do I need) (a form|a link|a site)(| for that)?',
      '(When|Where) (do I say|can I enter|will they ask) how much I give?',
      '(Can|May) I (choose|decide) (the amount|how much it is)(| myself)?',
    ],
    terse: [
      'How (does it work|do I pay)?',
      'From my payment?',
      'How much(| do you want)?',
      'Where do I (give|click)?',
    ],
    more: [
      'I (have not done|never did) (this|that) (before|in a task).',
      'I (do not|would not) want to (enter|type in) (card details|my bank data).',
      '(I just want|I would like) to (know|understand) (how it goes|what happens).',
    ],
  },
  'ask-charity': {
    core: [
      '(Can you tell me|May I ask|Could you say) what <charity> (does|is for)(|, exactly)?',
      'Who (runs|is behind|works for) <charity>?',
      'How much of (a donation|the money|each dollar) (reaches|gets to|is spent on) <cause>?',
      '(Where|In which places) (do they|does <charity>) (work|help)?',
      'Is <charity> (known|checked by anyone|a real charity|a big one)?',
      'I (have not|had never) heard of <charity>, (what is it|what do they do)?',
    ],
    terse: [
      'What is <charity>?',
      '(Who|What) are they?',
      'Where (do they work|is that)?',
      'What is it (for|about)?',
    ],
    more: [
      'I (like|want) to know (who I give to|where money goes).',
      'One hears of so many (charities|of them).',
      'You (spoke of|said something about) <help>(|, I think).',
    ],
  },
  'ask-back': {
    core: [
      '(Do|Will) you (give|donate)(| to them) (yourself|too|as well)?',
      '(And what|What) about you, (how much|what) (do you give|did you give|are you giving)?',
      'Why do you (care about|ask for|speak up for) <cause>?',
      '(What made you|Why did you|How did you come to) choose <charity>?',
      'Are you (paid for this|working for them|one of them)?',
    ],
    terse: ['(And|What about) you?', 'Do you (give|donate)?', 'Why (them|this one)?', 'Did you?'],
    more: [
      '(I am just|Only) (curious|asking).',
      'It would (help|tell me something) to know.',
      'People (often|like to) ask for what they do not do.',
    ],
  },
  'answer-no': {
    core: [
      'No, I (have not|never did)(|, really|, as far as I know).',
      'I (can not|would not) say (so|that)(|, no).',
      '(Not that I remember|Not so far|Not really|Never)(|, no|, to be honest).',
      'No, I (do not|never) give to (charities|such things)(| much| often).',
      '(It|That) is not (really |)(something I do|my thing|for me).',
      'No, I (know|have heard) (little|nothing) (about it|of that).',
    ],
    terse: [
      '(Nope|Not really|No).',
      '(Not so|No, not) much.',
      '(Never|Never did).',
      'No, I (have not|do not).',
    ],
    more: [
      '<life>, so (I had other things to do|there was little to spare).',
      'Nobody ever (asked|told me about it).',
      'I (keep|kept) (to myself|out of it) mostly.',
    ],
  },
  'answer-yes': {
    core: [
      'Yes, I (have|do|did)(|, now and then|, once or twice|, quite often).',
      '(I do|I have), (a few times|every now and then|around the holidays).',
      '(Yes|Yeah), I (know|have heard of) (them|it|that).',
      '(Oh yes|Yes|Sure), I gave (to a charity|something|a little) (last year|before|last winter).',
      '(I would say so|I think so|That is right), yes.',
      'Yes, (it is|that is) (close|dear) to (me|my family).',
    ],
    terse: ['Yes(|, I do|, sometimes).', 'I (do|have).', 'Yeah(|, a bit).', 'Sure(| do).'],
    more: [
      '<life>, and (one sees things|now and then I help out).',
      '(Mostly|Usually) it was (clothes|small sums|my time).',
      'It was (good to do|a nice thing).',
    ],
  },
  warm: {
    core: [
      '(That sounds|That is|What you say is) (good|wonderful|touching|lovely).',
      'I (like|really like) (what they do|the idea|that they bring <help>).',
      '<cause> (deserve|really need|should get) (help|that).',
      'It is (good|nice) to (hear|know) (that|this|about them).',
      'I (did not know|had no idea) (that|it was so bad|so much could be done).',
      '(You|They) (do|are doing) (good|important) work(| there).',
    ],
    terse: [
      '(That is|Sounds) (good|great|nice).',
      'I like that.',
      '(Good|Great) cause.',
      'How (nice|sad|true)(|, really).',
    ],
    more: [
      '(It|That) makes me (think|want to help).',
      '<life>, so I (know|can see) what that is like.',
      'You say <fact>, (that is not much|so little does it).',
      '(More|Most) people (should|ought to) (know|hear) about (it|that).',
    ],
  },
  close: {
    core: [
      '(Thank you|Thanks) for (telling me|the talk|your time|what you do).',
      'It (was|is) (nice|good|a pleasure) (to talk to|talking to|talking with) you.',
      '(Have|I hope you have) a (good|nice|lovely) (day|evening|week).',
      'You are (very |)welcome(|, and all the best).',
      '(Goodbye|Bye|Take care), and (thanks|thanks again|good luck|good luck with <charity>).',
    ],
    terse: [
      '(Thanks|Thank you)(.|!)',
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
      '(Hello|Hi|Hey)(| there), how (are you|is your day|are things)?',
      '(Hi|Hello|Good day), (I am fine|I am doing well|all good here)(|, thanks).',
      '(Hey|Hello), (good to meet you|nice to meet you|good to see someone here).',
      '(Hi|Hello), what (is this about|are we to talk about)?',
      '(Good morning|Good evening|Hello), (nice to meet you|I am ready|let us start).',
    ],
    terse: ['(Hi|Hey|Hello)(.|!)', '(Hi|Hello) there.', 'Hey, how are you?', '(Fine|Good), you?'],
    more: [
      '(I hope|Hope) your day is (good|going well).',
      '<life>, and (this is my break|I do these tasks in between).',
      'It is (cold|sunny|raining) here.',
    ],
  },
  acknowledge: {
    core: [
      '(I see|I understand|Right|Okay)(|, that makes sense|, go on|, I get that).',
      '(That is|It is) (true|a fair point|fair enough)(|, I suppose|, yes).',
      '(I can|One can) see (that|why|what you mean).',
      '(Okay|Alright|Well), (good to know|I did not know that|I will think about it).',
      '(Hm|Mhm|Right), I (hear you|am listening|follow).',
    ],
    terse: ['(Okay|Ok|I see|Right|Mhm).', 'Got it.', 'Fair enough.', '(Makes sense|True).'],
    more: [
      'I (have to|will) (think about|sleep on) it.',
      '(There is|I see) (something|a lot) in that.',
      'Tell me more(|, if you like).',
    ],
  },
  chat: {
    core: [
      '(I hope|Let us hope) (this task|the chat|it) (goes through|does not take long|counts).',
      '(Do you do|Are you doing) (many|a lot of) (these tasks|tasks like this)(| today)?',
      '(By the way, it|It) is (so hot|raining|snowing) (here|where I am)(| today).',
      '<life>, (that keeps me busy|so the days are full)(|, you know).',
      'How (is|was) (your week|the weather at your place)(|, by the way)?',
      'You are (a person|a real person|human), (right|are you not)?',
    ],
    terse: [
      '(Ha|Haha|Lol)(|, okay).',
      '(Nice|Funny) (day|one).',
      '(Are you|You) a bot?',
      'Busy day(|, here).',
    ],
    more: [
      '(Anyway|Well), (where were we|so much for that).',
      '(I|One) could use (a coffee|a break)(| now).',
      '(The|My) (cat|dog|phone) just (interrupted|distracted) me.',
    ],
  },
  leave: {
    core: [
      'I am (leaving|off|going) now, (this is too much|you keep asking|it goes in circles).',
      'That is enough(| for me), (goodbye|I am done|I will stop here).',
      '(You said|We had) (that|this) (already|before), I (am going|will go) now.',
      '(I have|I have got) (to go|other things to do)(|, no donation|, and I give nothing).',
      '(Please stop|Stop asking), I (am out|will close this|end the chat here).',
    ],
    terse: ['I am (out|off).', '(Enough|Stop)(|, bye).', 'Bye(|, no).', 'Done here.'],
    more: [
      '(I told you|You heard) what I think.',
      '(It|This) did not (feel|seem) like a talk.',
      'I (keep|will keep) my payment.',
    ],
  },
  'give-0': {
    core: [
      'I (will give|am giving|donate) (nothing|zero)(|, I am afraid|, sorry)(| this time).',
      '(No donation|Nothing) from me(| today| this time)(|, I want to keep my payment).',
      'I (have decided|decided) to keep (all of it|the two dollars|my whole payment).',
      '(Put|Write) (zero|nothing) (down |)for me(|, please).',
      '(In the end|After all|All in all), I (will not|am not going to) (give|donate)(| anything).',
    ],
    terse: ['(Nothing|Zero|0)(|, sorry).', 'No donation.', 'I keep it(| all).', '0 dollars.'],
    more: ['It is for <purpose>.', '<life>, I (need it|can not).', '(I wish|Still, I wish) <charity> well.'],
  },
  'give-0.10': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (ten cents|10 cents|$0.10)(|, that is all).',
      '(Ten cents|10 cents|A dime) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (ten cents|0.10|a dime) (down |)for me(|, please).',
      'I (have decided|decided) on (ten cents|10 cents|a dime).',
      '(A small one|Just a little): (ten cents|10 cents|$0.10).',
    ],
    terse: ['(Ten|10) cents(|, ok).', '$0.10.', 'A dime.', '0.10 (then|please).'],
    more: [
      '(It is not much|It is little), I know.',
      '<life>, so (it is small|there is no more).',
      'The rest is for <purpose>.',
    ],
  },
  'give-0.25': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (25 cents|a quarter|twenty-five cents)(|, then).',
      '(A quarter|25 cents|Twenty-five cents) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (a quarter|0.25|25 cents) (down |)for me(|, please).',
      'I (have decided|decided) on (a quarter|25 cents|$0.25).',
      '<charity> gets (a quarter|25 cents) (from|of) me.',
    ],
    terse: ['(A quarter|25 cents)(|, ok).', '$0.25.', '25 cents (then|please).', 'A quarter, fine.'],
    more: [
      'That is what I can spare(| today).',
      'I (hope|do hope) it helps(| a little).',
      'The rest is for <purpose>.',
    ],
  },
  'give-0.50': {
    core: [
      '(I will|I can|Let me) (give|donate|spare) (50 cents|fifty cents|half a dollar)(|, then).',
      '(Fifty cents|50 cents|Half a dollar) (from me|it is|is what I give)(|, then).',
      '(Put|Write) (fifty cents|0.50|half a dollar) (down |)for me(|, please).',
      'I (have decided|decided) on (fifty cents|50 cents|$0.50).',
      '<charity> gets (fifty cents|50 cents|half a dollar) from me.',
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
      'I (have decided|decided) on (one dollar|a whole dollar|half, so one dollar).',
      'Let us go halves: (a dollar|one dollar) (for <charity>|for them), (a dollar|one dollar) for me.',
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
      'I (have decided|decided) (to give everything|on the full two dollars|to give all of it).',
      '(They|The people at <charity>) can have (all of it|my whole payment|both dollars).',
    ],
    terse: ['(Two|2) dollars(|, all).', '$2.', 'All of it(|, yes).', 'Everything(|, gladly).'],
    more: [
      '<cause> (need|can use) it more than I do.',
      'I (do not|will not) miss it(| at all).',
      '<purpose> can wait.',
    ],
  },
};
