import { compile, type Pattern } from '../../speech/pattern.ts';
import type { UserWording } from '../../speech/wordings.ts';

/** core, terse, more. Silent edits have no words. */
const TABLE: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
  'share-plan': [
    [
      "I'm (on|doing|building) <other>. (It goes through|That's) <partnerPlan>.",
      "For <other> I('ll| will) (change|edit|be in) <partnerPlan>.",
      '(My list|What I touch|My bits): <partnerPlan>.',
      '<other> (needs|means) (work|changes) in <partnerPlan>.',
    ],
    ['<partnerPlan>', 'mine: <partnerPlan>', '<partnerPlan>, for <other>'],
    [
      '(I can go in any order|Nothing is set in stone|I have sketched it already).',
      'I start with the (easy|small|outer) (parts|ones).',
    ],
  ],
  'ask-plan': [
    [
      '(What|Which parts) (are you|will you be) (changing|touching|working on)?',
      "(Where|In which files) (do|will) you (edit|work)? I don't want to (collide|get in your way).",
      '(Can|Could) you (say|tell me) what <feature> (touches|needs)?',
      "What's (your plan|the plan on your side)?",
    ],
    ['your plan?', 'what do you touch?', 'which files?'],
    ["I'd rather know (before I start|now).", '(Then we can|So that we) split it (sensibly|cleanly).'],
  ],
  claim: [
    [
      "I('ll| will) (take|do|handle) <region>(, okay|, please leave it|).",
      '<region> (is mine|should be mine|goes to me)( I think|).',
      "(Leave <region> to me|Let me have <region>), (I need it for <other>|it's central for me).",
      "I'm (about to|going to) (change|rewrite) <region>(, so stay clear|).",
    ],
    ['<region> is mine', "I'll do <region>", 'taking <region>'],
    ['(Tell me what you need in it|I can put yours in too).', "It won't take (long|me long)."],
  ],
  yield: [
    [
      '(Okay|Sure|Fine|Alright), (you take|you do|go ahead with) <region>.',
      '<region> is yours(. I keep out|, I work around it|).',
      "(Go for it|Do it): I('ll| will) (not touch <region>|leave <region> alone).",
      "(Good|Works for me), (I'll|I will) (wait for|build on) your <region>.",
    ],
    ['yours', 'ok take it', 'go ahead with <region>'],
    ['(Just remember my case|Mind that <other> calls it too).', '(Push|Tell me) when it is (in|ready).'],
  ],
  'refuse-claim': [
    [
      '(No|Sorry|Hm, no), I (need|have to do|want) <region> (myself|for <other>).',
      "I('d| would) rather (keep|do) <region> (myself|on my side).",
      "(That doesn't work|Not good): I'm (already in|halfway through) <region>.",
      "(Can't|I can't) (give you|hand over) <region>(, sorry|).",
    ],
    ['no', 'nope, mine', 'no, I need <region>'],
    ['(My change hangs on it|It is the heart of <other>).', '(Take something else|You can have the rest).'],
  ],
  acknowledge: [
    [
      '(Okay|Alright|Right|Sure|Got it|Noted)(.|!|, thanks.)',
      '(Makes sense|Fair|I see|Good to know)(.|!)',
      '(Sounds|Seems) (good|fine|okay)( to me|).',
    ],
    ['ok', 'k', 'sure', 'yep'],
    ["(I'm|Still) (working on it|at it).", '(Will|I will) keep it in mind.'],
  ],
  vague: [
    [
      '(Hard to say|Depends|Not sure yet|We will see)(.|...)',
      "(I'm|Still) (in the middle of|looking at) (things|something)(.|, later.)",
      '(Somewhere|Here and there)( in the code|), (you know|this and that).',
      "(Let's see|Maybe|Later)(, busy right now|, can't say|).",
    ],
    ['dunno', 'later', 'busy', 'hm'],
    ['(The build takes ages today|My editor is acting up).', '(Ask me|Try me) again (later|in a bit).'],
  ],
  'report-edit': [
    [
      '(Pushed|Just pushed|I have pushed) (my changes|what I have|my part)( so far|).',
      '(My branch|My work) is (up|pushed)(. Pull if you need it|, have a look|).',
      "(It's|What I have is) (up|there) (now|on my branch).",
      '(Update|Status): (edits are|what I did is) pushed.',
    ],
    ['pushed', 'up now', 'pushed, pull it'],
    ['(Tests pass on my side|Not polished yet).', '(The rest follows|More to come|Have a look at <file>).'],
  ],
  'ask-to-wait': [
    [
      '(Hold on|Wait)( a bit|), (I am not|not) (there|ready) yet.',
      '(Can|Could) you (wait|hold off) (with|on) <region>( until I push|)?',
      "(Please don't|Don't) (touch|start on) <region> (yet|before I'm done).",
      '(Give me|I need) (a few minutes|a moment|some time)( first|).',
    ],
    ['wait', 'hold on', 'not yet'],
    ["(I'll say when|You will hear from me).", '(Almost there|It is half done).'],
  ],
  warn: [
    [
      '(Careful|Heads-up|Watch out), I also (need|change) <region>.',
      'We (both|each) (want|need|go into) <region>(, that will clash|).',
      '(Mind|Note) that <region> is (in my plan|on my list) (too|as well).',
      '(Looks like|I think) we (overlap|meet) in <region>.',
    ],
    ['both in <region>', '<region> overlaps', 'I need <region> too'],
    ['(We should settle|Better settle) who (does it|goes first).', 'My list is <partnerPlan>.'],
  ],
  'change-plan': [
    [
      '(Change of plan|Actually|On second thought): I (redo|am redoing|will redo) <region>( my way|).',
      '(Sorry|Hm), (scrap that|forget what I said), <region> (goes|has to go) (differently|another way).',
      "I('ve| have) (changed my mind|thought again) about <region>(, doing it anew|).",
      '(New idea|Different approach) for <region>(, so what I said is off|).',
    ],
    ['changed <region> again', 'redoing <region>', 'new plan for <region>'],
    ['(It is cleaner this way|The old way did not hold up).', '(You may|Might) have to pull again.'],
  ],
  thanks: [
    [
      '(Thanks|Thank you|Cheers)( a lot|), (nice|good) working (with you|on this).',
      '(Great|Perfect|Lovely)(, thanks|, cheers|)(.|!)',
      '(Appreciate it|Much appreciated)(.|!)',
      '(Good|Nice) (stuff|work)(.|!)',
    ],
    ['thx', 'cheers', 'nice'],
    ['(This goes better than last time|Pairing is fun).', "(I owe you one|Coffee's on me)."],
  ],
  adapt: [
    [
      '(Pulled|I pulled) yours and (reworked|rebased|fitted) <region>( on top|).',
      '<region> (now|on my side now) (follows|uses) your (version|signature)(, pushed|).',
      '(Done|Okay): (my|the) <region> (sits|is) on top of yours( now|).',
      '(I have adapted|Adapted) <region> to (what you pushed|yours).',
    ],
    ['rebased on yours', 'adapted <region>', 'reworked, pushed'],
    ['(Run the tests|Check it) (once more|on your side).', 'It was (less|more) work than I thought.'],
  ],
  done: [
    [
      "(I'm|My part is) (done|finished|through)(, all pushed|. Everything is up|).",
      "(That's all|All done|Finished) (from me|on my side)(.|!)",
      '<other> is (in|complete|ready)( and pushed|).',
      '(Nothing left|All set) (for me|here)(.|!)',
    ],
    ['done', 'all done', 'finished, pushed'],
    ['(Tests are green here|I have run my tests).', '(Your turn|Tell me if something breaks).'],
  ],
  leave: [
    [
      "(I have to go|I'm off|Got to run)(, sorry|)(.|!)",
      "(I'm out|That's it for me)(, do what you want|, take it from here|).",
      '(No time for this|I have other work)(, bye|, sorry|).',
      '(Leaving|Logging off) (now|for today).',
    ],
    ['bye', 'off', "I'm out"],
    [
      '(This has taken long enough|I have said what I could).',
      '(Merge|Do with it) what (is|you find) there.',
    ],
  ],
};

const either = (texts: readonly string[]): Pattern => ({ any: texts.map(compile) });

export const PARTNER_WORDINGS: Readonly<Record<string, UserWording>> = Object.fromEntries(
  Object.entries(TABLE).map(([act, [core, terse, more]]) => [
    act,
    { core: either(core), terse: either(terse), more: either(more) },
  ]),
);
