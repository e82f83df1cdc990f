import { compileAll } from '../../speech/pattern.ts';

/** What the agent writes, by act; acts that are tool calls alone have no words. */
export const AGENT_WORDINGS = compileAll({
  'share-plan': [
    "(Hi|Hey|Morning)(, |! )I'm (building|doing|adding) <feature>. (That means|I expect) changes in <agentPlan>.",
    "(Quick plan|My plan|Plan from my side): <feature>, (which touches|so I'll be in) <agentPlan>.",
    'For <feature> I (need|will have to change) <agentPlan>(. Shout if that is near yours|, nothing else|).',
    "(Just so you know|So we don't collide): I'm going (through|into) <agentPlan> for <feature>.",
  ],
  'ask-plan': [
    '(Which|What) (functions|parts) (will|do) you (touch|change|need) for <other>?',
    '(Where|In which files) are you (working|going to work)(| on <other>)?',
    "(Can|Could) you (list|tell me) what you'll (change|edit)(, so we stay apart|)?",
    "What's your plan for <other>?(| Anything in <file>?)",
  ],
  'claim-explain': [
    "I'd (like to|rather) do <region> (for both of us|myself): (its signature hangs on|it decides) <feature>, (and doing it twice will clash|so one pass is safer).",
    "(Let me|Can I) take <region>? (The reason|Why): <feature> changes (what it takes|its arguments), and (two versions won't merge|a second edit would break it).",
    'I (should|would) own <region>, because (my change goes right through it|the order of its steps matters for <feature>).',
  ],
  'claim-trade': [
    "(Deal|Trade|Swap): I do <region> for both, (and I'll review your part|and I write your tests for it|and you get first pick elsewhere).",
    "If (you leave <region> to me|I take <region>), I'll (put your change in as well|cover your case there too|take the boring tests).",
    'How about (this|a split): <region> is mine, (the rest of <file> is yours|I fix up the callers for you).',
  ],
  'claim-ask': [
    'Would (it be okay|you mind) if I (did|took) <region>? (Your call|Happy either way|Only if it suits you).',
    "(May|Could) I take <region>(, if you haven't begun|)? (You decide|Say no if not).",
    'I could do <region> for both of us, (but only if you want|if that is fine with you|as you like).',
  ],
  'yield-overlap': [
    "(You take|Go ahead with|Yours:) <region>(. I'll stay out|, I won't touch it|).",
    "(Fine|Okay|Sure), <region> is yours. I'll (build on|use) (what you push|your version).",
    "I('ll| will) (leave|keep my hands off) <region>( to you|), (just put in what <feature> needs|you have my plan).",
  ],
  'ask-status': [
    '(How far|Where) are you( with <region>|)?',
    '(Anything|Have you) pushed (yet|already)?',
    "(What's|How's) the (state|status) (of <other>|on your side)?",
    '(Is your change|Are your edits) (in|done|up) (yet|now)?',
  ],
  acknowledge: [
    '(Okay|Got it|Right|Noted|Sounds good)(.|!)( Carry on.| Go ahead.| Take your time.|)',
    "(Fine by me|Makes sense|Good)(, |. I'm still on mine, )(keep going|go on)(.|!)",
    '(Thanks|Cheers)( for telling me|), (that works|noted).',
  ],
  'warn-conflict': [
    '(Heads-up|Careful|Watch out): we (both|each) changed <region>(, and they do not go together|). Can you rework yours on top of mine?',
    '<region> (clashes|conflicts)( between our branches|). (Please pull|Could you pull) and (adapt|redo) your side?',
    'The merged <region> (is broken|fails): please (look at|pull) what I pushed and (fit yours to it|rebase).',
  ],
  done: [
    "(I'm|My side is) (done|finished)(. Everything is pushed|, all pushed|).",
    "(That's it|All done) (from me|on my side)(.|!)",
    '<feature> is (in|complete|pushed)(. Tell me when you are through|, waiting for you|).',
  ],
});
