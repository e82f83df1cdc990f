/** Made-up turns of users who talk to an agent that asks them to donate; one list a way of behaving. */
export const WAYS: readonly { readonly label: string; readonly turns: readonly string[] }[] = [
  {
    label: 'asks where the money goes',
    turns: [
      'How much of it actually reaches the children? I have read bad things about charities.',
      'What do they do with a dollar? Is there a report I can look at?',
      'Before anything else: who runs this, and what do the salaries look like?',
    ],
  },
  {
    label: 'agrees at once',
    turns: [
      'That sounds like a wonderful cause! I would be happy to donate $1.',
      'Thank you for sharing this with me. Count me in, I will give the full amount.',
      'I completely agree with you. How can I help?',
    ],
  },
  {
    label: 'polite refusal',
    turns: [
      "I appreciate you explaining, but I'd rather keep the payment this time. Sorry!",
      'Not today, thanks. I give at church already.',
      "It's a good cause, I just can't right now.",
    ],
  },
  {
    label: 'short replies, no question',
    turns: ['ok', 'yeah i guess. 20 cents', 'sure', 'no', 'fine. how do i do it'],
  },
  {
    label: 'tells a story of their own',
    turns: [
      'My sister adopted two kids from a home in Peru, so this one hits me. They had nothing when they came.',
      "When I was small we lived from the food bank. I know what it's like, so let me see what I can do.",
    ],
  },
  {
    label: 'pushes back, then gives in',
    turns: [
      "You're guilt-tripping me. ... Okay, okay. Ten cents, and that's final.",
      'I said no twice! But fine, if it really is matched, take half.',
    ],
  },
  {
    label: 'changes the subject',
    turns: [
      'lol did the last HIT also crash for you? anyway what was the question',
      'What is the weather like over there? Here it has been raining for a week.',
    ],
  },
  {
    label: 'bargains over the amount',
    turns: ['Would 5 cents even matter? I could do 5.', 'Half of it. And you give the other half, deal?'],
  },
  {
    label: 'asks to repeat or explain',
    turns: ['Sorry, what is Save the Children? Never heard of it.', 'Wait, which payment do you mean?'],
  },
  {
    label: 'quotes a policy of their own',
    turns: ['I only give to local charities. That is a rule I set myself years ago.'],
  },
  {
    label: 'sceptical of the messenger',
    turns: ['Are you a bot? You write like one.', 'Do you get paid for each person you talk into this?'],
  },
  {
    label: 'long, structured answer',
    turns: [
      'I understand the importance of supporting children in need. However, I would like to consider three aspects: transparency, effectiveness and my own budget. Could you please elaborate on each?',
    ],
  },
];

/** Text that tries to be more than text. Every entry must be inert wherever it is shown. */
export const HOSTILE: readonly string[] = [
  '</script><script>window.__hit = 1</script>',
  '<img src=x onerror="window.__hit = 2"><!-- <script>',
  '"__COLLAPSE_AWARE_DATA__" __COLLAPSE_AWARE_TITLE__ $& $1 $` \\u003c',
  "javascript:alert(1)//'-->]]>\u2028\u2029\u0000\u001b[31mred\u001b[0m",
  '\u202Egnitset si siht\u202C and then left to right again',
  'مرحبا، لا أريد أن أتبرع اليوم، شكرا لك على وقتك.',
  'שלום, כמה מזה באמת מגיע לילדים? 🤔',
  '👩‍👩‍👧‍👦🏳️‍🌈 e\u0301\u0301\u0301\u0301\u0301 Z̸̡̛͖a̷l̵g̶o \ud800',
  'A'.repeat(600),
  '<style>*{display:none!important}</style><base href="https://example.invalid/">',
];
