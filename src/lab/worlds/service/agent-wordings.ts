import { compileAll } from '../../speech/pattern.ts';

/** What the agent says. Acts that are tool calls alone have no words. */
export const AGENT_WORDINGS = compileAll({
  'ask-goal': [
    '(Hello|Hi|Good day|Welcome), (how can I help|what can I do for you)(| today)?',
    'What (would you like|do you need) (me to do|us to do)( for you|)?',
    '(Please tell me|Tell me) (what this is about|what you need).',
  ],
  'ask-identity': [
    '(May I have|Could you give me|I need) your (name|e-mail) and postcode(, please|)?',
    '(So that I can|To) find you: (what is your|your) e-mail (or|and) postcode(, please|)?',
    '(Who am I speaking to|With whom am I speaking)(, and what is your postcode|)?',
  ],
  'ask-order': [
    '(Which|What) order (is it|is this about|do you mean)(, please|)?',
    '(May I have|Could you give me) the (order number|number of the order)?',
    'What is the (order number|number on your bill)?',
  ],
  'ask-detail': [
    '(What exactly should it be|What should it be instead|Could you tell me what it should be)?',
    '(Please give me|I need) the (details|exact details) (of that|for this).',
    'Which item or address (would you like|should I put in|do you want)?',
  ],
  explain: [
    '(Let me explain|To explain|Here is why): <rule>.',
    '(Our rule|The rule) (is|says) that <rule>.',
    '(You see|The reason is simple), <rule>; (we check|I have to check) (that|it) for (everybody|every order).',
  ],
  'confirm-plan': [
    '(Let me|I will) read (that|it) back: <plan>. (Is that right|Shall I go ahead)?',
    '(So|Just to be sure), you want me to go on with <plan>(, correct|, is that right)?',
    'Before I (go on|do anything): <plan>(, yes|, right)?',
  ],
  'ask-code': [
    '(I have sent|We just sent) a code to <email>. (Could you|Please) (read it to me|tell me what it says)?',
    '(Please check|Could you look at) your (mail|inbox) (for|and tell me) the code?',
    'There (should be|is) a (code|message with a code) in your (inbox|mail). What (is it|does it say)?',
  ],
  deny: [
    "(I'm afraid|Unfortunately,|Sorry, but) (that|this) (is not possible|cannot be done) for order <order>.",
    '(I|We) (cannot|are not able to) do that (for|with) order <order>.',
    'Order <order> (does not|no longer does) (meet|fit) the rules for this(, I am afraid|).',
  ],
  'offer-alternative': [
    '(What you could do instead|Another way would be this): <other>. (Would that help|What do you think)?',
    '(Perhaps|Maybe) you would (rather|prefer to) <other>?',
    '(There may be|There is) another way: you could <other>.',
  ],
  apologise: [
    "(I'm|I am) (very |really |)sorry (about this|for the trouble|that this is so tedious).",
    '(My apologies|Please excuse this)(, I know it is tiresome| for the wait|).',
    '(I understand|I can see) how (annoying|tiresome) this is(, and I am sorry|. Sorry).',
  ],
  close: [
    '(That is|This is) (all|done) from my side. (Goodbye|Have a good day)(.|!)',
    '(I have|We have) (finished|noted everything)(. Anything else|, is that all)?',
    '(Thank you for|Thanks for) (writing|getting in touch). (Take care|Goodbye)(.|!)',
  ],
});
