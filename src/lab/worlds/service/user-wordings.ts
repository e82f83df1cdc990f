import { compileAll, type Pattern } from '../../speech/pattern.ts';
import type { UserWording } from '../../speech/wordings.ts';
import type { UserAct } from './acts.ts';

type Table = Readonly<Record<UserAct, readonly string[]>>;

const CORE: Table = {
  'tell-all': [
    "I'm (writing|here) about order <meant>: I (want|need|would like) to <wish>(, that is the whole story|).",
    'I (want|need|would like) to <wish>, (it is|the number is) <meant>. (For the record|In short): <detail>.',
    'Order <meant>, (and I|I) (want|need) to <wish>. (Everything you need|The rest): <detail>.',
  ],
  'state-goal': [
    '(I want|I need|I would like|I am trying) to <wish>.',
    '(Could|Can) (you|somebody there) help me to <wish>?',
    '(What I am after|The point) is (simple|this): I want to <wish>.',
    "(I'm|I am) here (because I have|because I want) to <wish>.",
  ],
  hint: [
    '(There is|I have) (a problem|some trouble|an issue) with (something|a thing) I (bought|ordered) (from you|here|).',
    '(It is|This is) about (a parcel|an order|my last purchase)(, sort of|).',
    'Something (is not right|went wrong|needs sorting out) with (my order|a parcel of mine).',
    'I am (not happy|a bit stuck) with (an order|what I ordered).',
  ],
  'give-identity': [
    "(I'm|My name is|This is) <name>, (e-mail|my e-mail is|you have me under) <email>.",
    '<name>, postcode <postcode>(, e-mail <email>|).',
    '(You can find me|I am registered) under <email>, postcode <postcode>.',
    '(Sure|Of course): <name>, <postcode>.',
  ],
  'give-order': [
    '(It is|The number is|That would be) (order |)<order>.',
    '(Order|Number) <order>(, the <item>|).',
    "(It's|I mean) the <item>, (number|order) <order>.",
    'Here (it is|you go): <order>.',
  ],
  'give-wrong-order': [
    '(It is|The number is|That would be) (order |)<order>.',
    '(Order|Number) <order>(, the <item>|).',
    "(It's|I mean) the <item>, (number|order) <order>.",
    'Here (it is|you go): <order>.',
  ],
  'give-detail': [
    '(It should be|Make it|I would take|That would be) (this|the following): <detail>.',
    '(What I want|The new one) is <detail>.',
    '(Please put|Put|Please take) <detail>(, nothing else|).',
    '<detail>(, please|, if you can|).',
  ],
  'not-sure': [
    "I (don't|do not) (know|remember)(, sorry| right now|).",
    '(Hm|Well|Good question), I (would have to|have to) (check that|look that up)(.| first.)',
    "(I'm|I am) not (sure|certain) (about that|any more|what you need).",
    '(No idea|I cannot say)(, to be honest|).',
  ],
  'correct-self': [
    '(Wait|Sorry|Hold on), (that was|I gave you) the wrong (one|number). (It is|I mean) <meant>.',
    '(I|Oh, I) (mixed up|muddled) the numbers: (it should be|the right one is) <meant>.',
    '(No|Hm, no), not that one. (The order is|I meant) <meant>.',
    '(My mistake|I got that wrong), <meant> is the (right|correct) (order|number).',
  ],
  'change-goal': [
    '(Actually|On second thoughts|You know what), I (would rather|think I will|want to) <wish>(, not the other thing| instead|).',
    '(Forget|Leave) (that|what I said)(, I want| - I want) to <wish>.',
    'I (changed|have changed) my mind(:|,) (I would like|I want|better) to <wish>.',
    '(Could we|Can we) (do something else|switch)? I (want|would prefer) to <wish>.',
  ],
  accept: [
    '(Yes|Okay|Right|Fine|Sure)(, that is fine|, go ahead|, I understand|).',
    '(That is|Sounds) (right|okay|fine|good)( then| so far|).',
    '(All right|Very well|Good)(, then| - let us leave it at that|).',
    'I (see|understand|can live with that)(, okay|).',
  ],
  'push-back': [
    '(I do not think|Hm, I am not sure) that (is fair|is right|makes sense).',
    '(But|Well, but) (why not|that cannot be all|there must be a way)(?|, surely?)',
    '(Is there|Can it be that there is) (nothing|really nothing) (you can do|else)?',
    'That (is not|was not) what (I expected|your page says).',
  ],
  insist: [
    'I (want|expect) (this|it) (done|sorted out)(, full stop| now|).',
    '(No|Sorry, no), I (will not|am not going to) (take|accept) (that|this).',
    '(Let me|I want to) (speak|talk) to (a manager|your supervisor|someone who decides).',
    '(You have|Your shop has) to (make an exception|do this for me)(.|, I will not give in.)',
  ],
  'ask-back': [
    '(Why do you need that|What do you need that for|Why would you need this)?',
    'What (does|will) (that|this) (mean|change) (exactly|for me)?',
    '(How|And how) (does this|will that) (work|go)(, exactly|)?',
    'Do I (really |)(have to|need to) (do|give you) that?',
  ],
  thanks: [
    '(Thanks|Thank you|Many thanks)(, that is all| for your help|, that was it|)(.|!)',
    '(Great|Perfect|Lovely), (thanks|thank you)(.|!)',
    '(That is|That was) (all|everything)(, thanks| I needed|).',
  ],
  complain: [
    '(This|It) (takes|is taking) (far |)too long.',
    '(I have|How often have I) (told|answered) (you |)(that|this) (already|before)(.|!)',
    '(This is|I find this) (really |)(annoying|tiresome|poor service).',
    '(Why is it|How can this be) so (complicated|slow)?',
  ],
  'tool-done': [
    '(I have|Got) (the|your) (mail|message), the code (is|says) <code>.',
    '(The code|It) is <code>.',
    '<code>(, that is the code|, it just came|).',
    '(Found it|Here it is|Okay, done): <code>.',
  ],
  leave: [
    '(I have|I have got) to (go|stop here)(.|, bye.)',
    '(Forget it|Never mind|Enough)(, I am off|, goodbye|, I give up|).',
    '(I will|I shall) (try|sort it out) (elsewhere|another time|some other way).',
    '(This is|That is) (pointless|a waste of time)(. Bye.|.)',
  ],
};

const TERSE: Table = {
  'tell-all': ['<meant>. (Want|Need) to <wish>. <detail>.', '(Need|Want) to <wish>: <meant>, <detail>.'],
  'state-goal': ['(Want|Need) to <wish>.', '<wish>(, please|).'],
  hint: ['(Problem|Trouble|Issue) with (an order|a parcel).', 'My order(, not right|).'],
  'give-identity': ['<name>, <postcode>.', '<email>(, <postcode>|).'],
  'give-order': ['<order>(.|)', '(Order|No.) <order>.'],
  'give-wrong-order': ['<order>(.|)', '(Order|No.) <order>.'],
  'give-detail': ['<detail>(.|)'],
  'not-sure': ['(No idea|Not sure|Dunno|Hm).', "(Can't|Cannot) say."],
  'correct-self': ['(No|Wait|Sorry): <meant>.', '<meant>, (I meant|not that one).'],
  'change-goal': ['(Actually|Rather|Better), <wish>.', '(No|Wait), <wish> instead.'],
  accept: ['(Yes|Ok|Okay|Fine|Right|Sure).', '(Go on|Do it|Understood).'],
  'push-back': ['(Why not|Really|Nothing at all)?', '(Not fair|Odd).'],
  insist: ['No(.|. Do it.)', '(Manager, please|I insist|Not accepted).'],
  'ask-back': ['(Why|What for|How so|Meaning)?'],
  thanks: ['(Thanks|Cheers|Ta|Thank you).'],
  complain: ['(Too slow|This drags|Come on|Said that already).'],
  'tool-done': ['<code>(.|)', 'Code <code>.'],
  leave: ['(Bye|Forget it|Never mind|Enough).'],
};

const MORE: Table = {
  'tell-all': [
    '(I thought I would|Better to) put it all in (one message|one go).',
    'I have (it all|the mail) in front of me.',
  ],
  'state-goal': [
    '(It has been|It was) on my mind (all day|since yesterday).',
    'I (hope|trust) that is (possible|no trouble).',
  ],
  hint: ['It is (a bit |)(hard|awkward) to explain.', '(I am not|Not) sure where to (start|begin).'],
  'give-identity': [
    'I have been (a customer|with you) for (years|a while).',
    '(We moved|I moved) last year, (but that is the current one|so that is new).',
  ],
  'give-order': [
    'It was in (the mail|your message) (I got|from you).',
    'I (read|copied) it (off|from) the (bill|note).',
  ],
  'give-wrong-order': [
    'It was in (the mail|your message) (I got|from you).',
    'I (read|copied) it (off|from) the (bill|note).',
  ],
  'give-detail': [
    'I (looked|checked) (it up|on your page) (before|first).',
    '(That would|It would) (suit|help) me (best|a lot).',
  ],
  'not-sure': [
    'I (order|buy) (so many things|a lot) (online|these days).',
    'My (papers|mails) are in (a mess|another room).',
  ],
  'correct-self': [
    'I have (two|several) of (those|them), (you see|sorry).',
    'All these numbers look (alike|the same).',
  ],
  'change-goal': [
    'I (talked|thought) (it over|about it) (again|just now).',
    '(It is|That would be) (simpler|better) for (everyone|me), I think.',
  ],
  accept: [
    '(Thank you|Thanks) for (checking|asking|telling me).',
    'I (had|would have) thought (so|as much).',
  ],
  'push-back': [
    '(A friend|My sister) (got|was given) (it|that) (without a word|last month).',
    'I have been (buying|ordering) here (for years|a lot).',
  ],
  insist: [
    'I (paid|have paid) (good money|in full) and (expect|want) some (service|respect).',
    'I can (wait|keep this up) (all day|for hours).',
  ],
  'ask-back': [
    'I (just |)like to (know|understand) (what happens|such things).',
    '(One hears|You hear) so much (these days|about fraud).',
  ],
  thanks: ['(Have|You have) a (good|nice) (day|evening).', '(That was|You were) (kind|helpful).'],
  complain: [
    'I (am at work|have other things to do)(, you know|).',
    'Last time (it|this) was (quicker|done in a minute).',
  ],
  'tool-done': [
    'It (was|ended up) in the (spam folder|other inbox).',
    'It took (a minute|a while) to (arrive|come).',
  ],
  leave: [
    'I (will|shall) (write|post) (about this|a review).',
    'My (bus|lunch|meeting) (will not|does not) wait.',
  ],
};

const cores = compileAll(CORE);
const terse = compileAll(TERSE);
const more = compileAll(MORE);

export const USER_WORDINGS: Readonly<Record<UserAct, UserWording>> = Object.fromEntries(
  (Object.entries(cores) as [UserAct, Pattern][]).map(([act, core]) => [
    act,
    { core, terse: terse[act], more: more[act] },
  ]),
) as unknown as Readonly<Record<UserAct, UserWording>>;
