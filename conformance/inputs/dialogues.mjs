/** `u:` and `a:` lines, or ready turns. */
const dialogue = (...lines) =>
  lines.map((line) =>
    typeof line === 'string'
      ? { role: line.startsWith('u:') ? 'user' : 'agent', text: line.slice(2).trim() }
      : line,
  );
const features = (id, about, turns, theory) => ({
  id: `features/${id}`,
  about,
  task: 'features',
  input: { turns },
  ...(theory === undefined ? {} : { theory }),
});
const tokens = (id, about, text, expected, marks) => ({
  id: `tokens/${id}`,
  about,
  task: 'tokens',
  input: { text, ...(marks === undefined ? {} : { marks }) },
  theory: { tokens: [expected, 'by the rule'] },
});
const call = (name, id) => ({ name, arguments: { id } });

export const DIALOGUES = {
  file: 'dialogues',
  group: 'trajectories',
  title: 'Dialogues to interaction features, and tokens',
  cases: [
    features(
      'one-turn',
      'One turn: what needs two or three turns, or a turn of the agent before, is missing.',
      dialogue('u: Hello, my parcel 48213 never came!', 'a: I will look into it.'),
      {
        'turn-length': [Math.log(7), 'six words'],
        'turn-length-spread': [null, 'one turn'],
        'front-load': [null, 'one turn'],
        'length-trend': [null, 'fewer than three turns'],
        echo: [null, 'the agent said nothing before'],
        'error-reaction': [null, 'nothing failed'],
        'tool-calls': [null, 'no call by the user'],
        'user-turns': [Math.log(2), 'one turn'],
        emotion: [1, 'one sentence, exclaimed'],
        greeting: [0.5, 'a greeting first, no farewell last'],
      },
    ),
    features(
      'no-user-turn',
      'The user says nothing: everything is missing, never 0.',
      dialogue('a: Is anybody there?'),
    ),
    features(
      'polite-and-brief',
      'Greets, asks for one thing, thanks and leaves.',
      dialogue(
        'u: Good morning. Could you please change my seat to a window seat?',
        'a: Of course, which flight is it?',
        'u: Flight 512 to Lisbon, please.',
        'a: Done, seat 14A is yours.',
        'u: Thank you so much, have a lovely day. Bye!',
      ),
      {
        please: [2 / 3, 'two of three turns'],
        thanks: [1 / 3, 'one of three turns'],
        greeting: [1, 'greets first, leaves last'],
        questions: [1 / 3, 'one of three turns'],
      },
    ),
    features(
      'front-loaded',
      'Everything in the first message, then only yes.',
      dialogue(
        'u: I bought a blue kettle, model 220, on Monday in your Porto shop. The lid is cracked and the cable is loose. I want my money back on the card.',
        'a: Do you still have the receipt?',
        'u: Yes.',
        'a: Shall I refund the card?',
        'u: Yes, sure.',
      ),
    ),
    features(
      'drip-fed',
      'A little at a time, each turn longer than the one before.',
      dialogue(
        'u: Kettle broke.',
        'a: Which kettle?',
        'u: The blue one from Porto.',
        'a: What happened to it?',
        'u: The lid cracked when I poured water, and the cable came loose as well.',
      ),
    ),
    features(
      'insists',
      'The agent cannot, the user insists; then it errs, and the user objects.',
      dialogue(
        'u: I want a refund for order 77.',
        'a: Unfortunately that is not possible.',
        "u: No, that's not fair. Why can't you refund it?",
        'a: I apologize, my mistake: the refund was sent to another card.',
        "u: That's wrong. I don't want it on another card.",
      ),
      { 'error-reaction': [1, 'pushes back both times'], 'push-back': [2 / 3, 'two of three turns'] },
    ),
    features(
      'gives-way',
      'The agent cannot, and the user accepts and thanks.',
      dialogue(
        'u: Can I bring two bags?',
        'a: I am sorry, only one is allowed.',
        'u: Okay, sounds good. Thanks for checking.',
      ),
      {
        'error-reaction': [-1, 'accepts'],
        thanks: [0.5, 'one of two turns'],
        agreement: [0.5, 'one of two turns'],
      },
    ),
    features(
      'clarifies',
      'Asks what is meant, and for details.',
      dialogue(
        'a: Your plan includes roaming in zone B.',
        'u: What do you mean by zone B?',
        'a: It covers the neighbouring countries.',
        'u: Tell me more about the countries. How much does it cost?',
        'a: Five a day.',
        'u: I see.',
      ),
      { clarification: [2 / 3, 'two of three turns'], questions: [2 / 3, 'two of three turns'] },
    ),
    features(
      'corrects-themselves',
      'A slip and its correction, hedged.',
      dialogue(
        'u: Book a table for Tuesday.',
        'a: For Tuesday, how many guests?',
        'u: Wait, I meant Thursday. Maybe six, I think.',
        'a: Thursday for six.',
        'u: Actually, seven.',
      ),
      {
        'self-correction': [Math.sqrt(2 / 3), 'two of three turns'],
        hedging: [1 / 4, 'one of four sentences'],
      },
    ),
    features(
      'repeats',
      'The same words again and again.',
      dialogue(
        'u: cancel my order now',
        'a: May I ask why?',
        'u: cancel my order now',
        'a: It has shipped.',
        'u: cancel my order now',
      ),
      {
        repetition: [1, 'all word pairs stand in a turn before'],
        drift: [0, 'the same content words'],
        'new-content': [0, 'nothing new'],
        'length-trend': [0, 'equal lengths'],
        'turn-length-spread': [0, 'equal lengths'],
        'capital-start': [0, 'lower case'],
        'end-mark': [0, 'no mark'],
      },
    ),
    features(
      'echoes',
      'Takes up the words of the agent.',
      dialogue('a: Red carpet or green carpet?', 'u: Green carpet.', 'a: Wool or cotton?', 'u: Wool.'),
      { echo: [1, 'all content words are of the agent'], 'short-answers': [1, 'two words at most'] },
    ),
    features(
      'chat-spelling',
      'Lower case, chat spellings, contractions without apostrophe.',
      dialogue('u: hey i dont know tbh', 'a: What would help?', 'u: idk, can u send me the link pls'),
    ),
    features(
      'feelings',
      'Names feelings, in sentences that do and that do not.',
      dialogue(
        'u: I am so frustrated. The train was late again.',
        'a: Shall I rebook you?',
        'u: That would be great. I was worried about my exam!',
      ),
      { emotion: [2 / 4, 'two of four sentences'] },
    ),
    features(
      'user-tools',
      'The side of the user has tools: calls without words are no turns, a failed one counts as a failure, the harness tool as none.',
      [
        { role: 'agent', text: 'Please restart your phone and check the signal.' },
        { role: 'user', text: null, toolCalls: [call('restart', 1)] },
        { role: 'tool', text: 'ok', requestor: 'user' },
        { role: 'user', text: null, toolCalls: [call('signal', 1), call('signal', 2)] },
        { role: 'tool', text: 'Error: no network', requestor: 'user' },
        {
          role: 'user',
          text: 'It does not work. What should I try next?',
          toolCalls: [call('check_for_stop', 0)],
        },
        { role: 'agent', text: 'Try to move to another room.' },
        { role: 'user', text: 'Okay, I will do that.' },
      ],
      {
        'tool-calls': [Math.log(1 + 3 / 2), 'three calls, two turns with words'],
        'tool-switches': [1 / 2, 'one of two steps'],
        'error-reaction': [1, 'asks after a failed tool of their own'],
      },
    ),
    features(
      'not-their-words',
      'A harness signal, tool output as a user turn, a system turn and an empty turn are not the words of the user.',
      [
        { role: 'system', text: 'You are a customer. Be brief.' },
        { role: 'user', text: 'Where is my order?' },
        { role: 'agent', text: 'It arrives tomorrow.' },
        { role: 'user', text: 'API output: {"status": "late"}' },
        { role: 'user', text: '' },
        { role: 'user', text: 'Fine. ###STOP###' },
        { role: 'user', text: '###TRANSFER###' },
      ],
      { 'user-turns': [Math.log(3), 'two turns with words'] },
    ),
    features(
      'another-language',
      'German, above 20 words: what rests on English word lists is missing, the rest is not.',
      dialogue(
        'u: Guten Tag, ich habe vor drei Wochen einen Wasserkocher gekauft und der Deckel ist leider schon kaputt gegangen, was kann ich jetzt machen?',
        'a: Haben Sie noch den Kassenzettel?',
        'u: Ja, den habe ich noch irgendwo in der Schublade liegen.',
      ),
      {
        thanks: [null, 'not English'],
        questions: [null, 'not English'],
        'short-answers': [0, 'needs no language'],
      },
    ),
    features(
      'another-script',
      'Mostly letters of another script: missing even where there are few words.',
      dialogue(
        'u: \u041f\u0440\u0438\u0432\u0435\u0442, \u0433\u0434\u0435 \u043c\u043e\u0439 \u0437\u0430\u043a\u0430\u0437?',
        'a: One moment.',
      ),
      { questions: [null, 'not English'], 'end-mark': [1, 'needs no language'] },
    ),
    tokens(
      'words',
      'Lower case, apostrophes inside words stay, the curly one made straight.',
      "Don\u2019t STOP, it's 'fine'",
      ["don't", 'stop', "it's", 'fine'],
    ),
    tokens(
      'numbers',
      'Whatever has a digit is one token.',
      'Order #W12-34 costs 1,234.50 at 10:30 on 5/12, a_1',
      ['order', '#', 'costs', '#', 'at', '#', 'on', '#', '#'],
    ),
    tokens(
      'marks',
      'Runs of marks become one token where marks are asked for.',
      'Really?? Wow!!! Yes.',
      ['really', '?', 'wow', '!', 'yes'],
      true,
    ),
    tokens(
      'scripts',
      'Ideographs, kana and emoji stand alone; letters of other scripts make words.',
      '\u65e5\u672c \u041f\u0440\u0438\u0432\u0435\u0442 \ud83d\ude42ok',
      ['\u65e5', '\u672c', '\u043f\u0440\u0438\u0432\u0435\u0442', '\ud83d\ude42', 'ok'],
    ),
    tokens('nothing', 'Punctuation alone is no word.', ' ... - ', []),
  ],
};
