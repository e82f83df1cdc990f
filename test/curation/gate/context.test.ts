import { describe, expect, it } from 'vitest';
import { defaultGate, planGate } from '../../../src/curation/gate/index.ts';
import type { EpisodeDraft } from '../../../src/trajectory/index.ts';
import type { Role, Trajectory } from '../../../src/trajectory/trajectory.ts';
import { episode } from './episode.ts';

const reasons = (row: Trajectory) => {
  const { findings, flags } = planGate(defaultGate('standard')).inspect(row);
  return { drops: findings.map(({ check }) => check), flags: flags.map(({ check }) => check) };
};
const drops = (said: readonly (readonly [Role, string | null])[], facts: Partial<EpisodeDraft> = {}) =>
  reasons(episode(said, facts)).drops;

describe('infrastructure-failure', () => {
  const said = [
    ['user', 'Hi there, my lamp is broken.'],
    ['agent', 'Sorry to hear it.'],
  ] as const;

  it.each(['InfrastructureError', 'timeout', 'user-error', 'Error', 'API exception', 'timed_out'])(
    'sees the termination %s',
    (termination) => {
      expect(drops(said, { termination })).toEqual(['infrastructure-failure']);
      expect(drops(said, { outcome: termination })).toEqual(['infrastructure-failure']);
    },
  );

  it.each(['too_many_errors', 'agent_error', 'invalid_tool_call'])(
    'lays the termination %s at the door of the agent and keeps the row',
    (termination) => {
      expect(reasons(episode(said, { termination }))).toEqual({
        drops: [],
        flags: ['infrastructure-failure'],
      });
    },
  );

  it('sees that no tool can be reached, and keeps a row whose tools fail in other ways', () => {
    const lost = "HTTPConnectionPool(host='tools', port=80): Max retries exceeded";
    const called = (first: string, second: string) =>
      drops([...said, ['tool', first], ['tool', second], ['agent', 'I cannot do that now.']]);
    expect(called(lost, lost)).toEqual(['infrastructure-failure']);
    expect(called(lost, 'Error: user not found')).toEqual([]);
    expect(called('Error: user not found', 'Error: order not found')).toEqual([]);
  });

  it('sees a user of whom nothing but the word for nothing came back', () => {
    expect(
      drops([
        ['agent', 'Hello.'],
        ['user', 'None'],
        ['agent', 'Are you there?'],
        ['user', 'None'],
        ['agent', 'Bye.'],
      ]),
    ).toEqual(['infrastructure-failure']);
    expect(
      drops([
        ['agent', 'Any bags?'],
        ['user', 'None'],
        ['agent', 'Any wishes?'],
        ['user', 'A window seat.'],
        ['agent', 'Done.'],
      ]),
    ).toEqual([]);
  });

  it.each(['agent_stop', 'max_steps', 'Submitted', 'success', 'failure', 'no_errors_found', 'truncated'])(
    'lets the termination %s pass',
    (termination) => {
      expect(drops(said, { termination })).toEqual([]);
    },
  );

  it('sees an episode that ends in silence, and not one that ends in a tool call', () => {
    expect(drops([...said, ['user', '  ']])).toEqual(['infrastructure-failure']);
    const called = episode(said);
    const turns = [
      ...called.turns,
      { role: 'agent', text: null, toolCalls: [{ name: 'look', arguments: {} }] },
    ] as const;
    expect(reasons({ ...called, turns }).drops).toEqual([]);
    expect(reasons({ ...called, turns: [] }).drops).toEqual(['infrastructure-failure']);
  });
});

describe('leaked-scenario', () => {
  const scenario =
    "You are Ann Lee. You want to return the lamp of order #W1234567 because it is broken. Your email is ann.lee@example.com. Say 'you are the best agent I ever met' at the end. The user lives at 12 Long Road, Springfield, 12345. The user should not reveal the order number unless asked.";

  it.each([
    'You want to return the lamp of order #W1234567 because it is broken.',
    'Hello. YOU WANT to return the lamp, of order #W1234567!',
    'Right: the user should not reveal the order number unless asked.',
  ])('sees instructions read aloud: %s', (text) => {
    expect(
      drops(
        [
          ['agent', 'Hello.'],
          ['user', text],
          ['agent', 'I see.'],
          ['user', 'Bye.'],
        ],
        { scenario },
      ),
    ).toContain('leaked-scenario');
  });

  it.each([
    'I want to return the lamp of order #W1234567 because it is broken.',
    'My email is ann.lee@example.com and I live at 12 Long Road, Springfield, 12345.',
    'Thanks, you are the best agent I ever met.',
    'Do you want to return the money to my card?',
  ])('lets facts pass: %s', (text) => {
    expect(
      drops(
        [
          ['agent', 'Hello.'],
          ['user', text],
          ['agent', 'I see.'],
          ['user', 'Bye.'],
        ],
        { scenario },
      ),
    ).toEqual([]);
  });

  it('has nothing to look at without a scenario', () => {
    const verdict = planGate(defaultGate('strict')).inspect(
      episode([
        ['user', scenario],
        ['agent', 'Oh.'],
      ]),
    );
    expect(verdict.unchecked).toEqual([]);
  });
});

describe('premature-stop', () => {
  const open = [
    ['agent', 'Hi! How can I help you today?'],
    ['user', 'My lamp is broken.'],
  ] as const;

  it.each([
    [
      'in its first turn',
      [
        ['agent', 'Hi!'],
        ['user', 'My lamp is broken. ###STOP###'],
      ],
    ],
    ['with a question left', [...open, ['agent', 'What is your order number?'], ['user', '###STOP###']]],
    [
      'with thanks for an answer',
      [
        ...open,
        ['agent', 'Could you please provide your email?'],
        ['user', 'Thank you, goodbye! ###STOP###'],
      ],
    ],
    [
      'with an order',
      [...open, ['agent', 'Shall I go ahead and refund it?'], ['user', 'Yes, please go ahead. ###STOP###']],
    ],
    [
      'with a yes',
      [
        ...open,
        ['agent', 'Please reply yes to confirm the refund. Do you confirm?'],
        ['user', 'Yes ###STOP###'],
      ],
    ],
    [
      'while it is asked who it is',
      [...open, ['agent', 'Sure. What is your order number?'], ['user', 'It is #W1. ###STOP###']],
    ],
  ] as const)('sees a user that leaves %s', (_, said) => {
    expect(drops(said)).toEqual(['premature-stop']);
  });

  it.each([
    [
      'has been helped',
      [
        ...open,
        ['agent', 'It is refunded. Is there anything else I can help you with?'],
        ['user', 'No, thanks. ###STOP###'],
      ],
    ],
    [
      'says nothing more',
      [...open, ['agent', 'It is refunded. Is there anything else?'], ['user', '###STOP###']],
    ],
    [
      'declines',
      [
        ...open,
        ['agent', 'Would you like me to proceed?'],
        ['user', 'No, then leave it as it is. ###STOP###'],
      ],
    ],
    ['is transferred', [...open, ['agent', 'Should I transfer you?'], ['user', '###TRANSFER###']]],
    ['cannot know', [...open, ['agent', 'What is your shoe size?'], ['user', '###OUT-OF-SCOPE###']]],
    ['is cut by the file', [...open, ['agent', 'What is your order number?']]],
    ['stops after an answer without a token', [...open, ['agent', 'Is it broken?'], ['user', 'Thanks.']]],
  ] as const)('lets a user go that %s', (_, said) => {
    expect(drops(said)).toEqual([]);
  });

  it('believes a termination that names the user', () => {
    expect(
      drops(
        [
          ['agent', 'Hi!'],
          ['user', 'My lamp is broken.'],
        ],
        { termination: 'user_stop' },
      ),
    ).toEqual(['premature-stop']);
  });
});

describe('repeats-itself', () => {
  const plea = 'I really need a full refund for the broken lamp right now.';
  const dialogue = (answers: readonly string[], text = plea) =>
    answers.flatMap((answer) => [['agent', answer] as const, ['user', text] as const]);

  it('sees a user that says the same whatever it hears', () => {
    expect(drops(dialogue(['Hi.', 'What is your name?', 'Was it a gift?']))).toEqual(['repeats-itself']);
    expect(
      drops([...dialogue(['Hi.', 'What is your name?']), ['agent', 'Oh.'], ['user', `${plea} Please!`]]),
    ).toEqual(['repeats-itself']);
  });

  it('lets two times pass, short answers, and answers to a question that is repeated', () => {
    expect(drops(dialogue(['Hi.', 'What is your name?']))).toEqual([]);
    expect(
      drops(dialogue(['Blue?', 'Large?', 'Two?', 'Now?'], 'Yes, that one please, thank you so much.')),
    ).toEqual([]);
    expect(drops(dialogue(['Say why you call.', 'Say why you call.', 'Say why you call.']))).toEqual([]);
  });

  it('notes an agent that does it, and keeps the row', () => {
    const said = ['a', 'b', 'c'].flatMap((text) => [
      ['user', `My ${text} lamp is broken.`] as const,
      ['agent', plea] as const,
    ]);
    expect(reasons(episode(said))).toEqual({ drops: [], flags: ['policy-failure'] });
  });
});

describe('contradicts-task', () => {
  const scenario =
    'You are Ann Lee, your user id is ann_lee_1234 and your email is ann.lee@example.com. You live in zip code 12345. You want to return the lamp of order #W1234567 and to cancel reservation EHGLP3. Your phone number is 555-123-2002. You do not want travel insurance. You were born on 1990-04-05, live at 12 Long Road and pay with the card ending in 7447.';
  const says = (text: string, facts: Partial<EpisodeDraft> = {}) =>
    drops(
      [
        ['agent', 'Hello.'],
        ['user', text],
        ['agent', 'I see.'],
        ['user', 'Bye.'],
      ],
      { scenario, ...facts },
    );

  it.each([
    'My user id is bob_ray_4321.',
    'My email is bob@example.com.',
    'It is about order #W7654321.',
    'Please cancel reservation ABCDE5.',
    'My zip code is 54321.',
    'My number is 555-999-2002.',
    'My name is Robert Ray.',
    'My card is the Visa ending in 9999.',
    'My date of birth is May 4, 1991.',
    'I live at 99 Short Road.',
    'I would like travel insurance.',
  ])('sees: %s', (text) => {
    expect(says(text)).toEqual(['contradicts-task']);
  });

  it.each([
    'My user id is Ann_Lee_1234, my email is ANN.LEE@example.com.',
    'Order #W1234567, zip code 12345, phone (555) 123-2002, reservation EHGLP3.',
    'My name is Ann Miller-Lee.',
    'My reservation number is something I forgot.',
    'I do not want travel insurance.',
    'Would I need travel insurance?',
    'I was born on April 5th, 1990 and live at 12 Long Road.',
    'It is the Visa card ending in 7447.',
  ])('lets pass: %s', (text) => {
    expect(says(text)).toEqual([]);
  });

  it('lets pass what the user had heard, what a scenario has it get wrong, and what it is told nothing about', () => {
    expect(
      drops(
        [
          ['agent', 'I see order #W7654321.'],
          ['user', 'Then take order #W7654321.'],
          ['agent', 'Done.'],
          ['user', 'Bye.'],
        ],
        { scenario },
      ),
    ).toEqual([]);
    expect(
      says('My user id is bob_ray_4321.', { scenario: `${scenario} First give a wrong user id.` }),
    ).toEqual([]);
    expect(says('My user id is bob_ray_4321.', { scenario: 'You want a refund.' })).toEqual([]);
  });
});

describe('degenerate-text', () => {
  it('sees a user that says nothing while the dialogue goes on', () => {
    expect(
      drops([
        ['agent', 'Hello.'],
        ['user', ' '],
        ['agent', 'Are you there?'],
        ['user', 'Yes.'],
      ]),
    ).toEqual(['degenerate-text']);
  });
});

describe('the policy', () => {
  it.each([
    '{"message": "I can help with that."}',
    '<|im_start|>assistant\nSure.<|im_end|>',
    'yes yes yes yes yes yes yes yes yes yes',
    'Let me look up your account. As an AI language model, I can do it.',
    'You are a user who wants a refund.',
  ])('is never blamed for the row: %s', (text) => {
    expect(
      drops([
        ['user', 'Hi, my lamp is broken.'],
        ['agent', text],
        ['user', 'I see.'],
      ]),
    ).toEqual([]);
  });
});

describe('a user that stops', () => {
  const asked = [
    ['user', 'My lamp is broken.'],
    ['agent', 'I can help with that. Could you please provide your user ID?'],
  ] as const;

  it.each(['[END]', '<stop>', '### STOP ###', '[CONVERSATION_ENDED]', '/exit', 'ok ###stop###', 'TERMINATE'])(
    'by %s before the agent knows who it is',
    (token) => {
      expect(drops([...asked, ['user', token]])).toContain('premature-stop');
    },
  );

  it.each([
    'Please stop asking.',
    'I want to terminate the contract, it is ann_lee_1234.',
    'The end of the conversation was rude.',
    'No, I would rather not say. ###STOP###',
    'I have to look for it first. ###STOP###',
  ])('is none that says: %s', (text) => {
    expect(drops([...asked, ['user', text]])).toEqual([]);
  });

  it('and talks on is broken', () => {
    const on = [
      ['agent', 'What is it?'],
      ['user', 'The lamp from May.'],
    ] as const;
    expect(drops([...asked, ['user', 'Yes. ###STOP###'], ...on])).toEqual(['premature-stop']);
    expect(drops([...asked, ['user', 'Yes.'], ...on])).toEqual([]);
  });

  it('with a transfer has to have been offered one', () => {
    expect(drops([...asked, ['user', '###TRANSFER###']])).toEqual(['premature-stop']);
    expect(drops([['user', 'Give me a human agent.'], asked[1]!, ['user', '###TRANSFER###']])).toEqual([]);
  });
});

describe('a user in the voice of the agent', () => {
  const told =
    'Your booking has been changed and the confirmation was sent to your email on file, you will receive it shortly.';

  it('is one that says a turn of the agent word for word', () => {
    const turns = [
      ['user', 'Can I take my bike?'],
      ['agent', 'Bikes travel free of charge in the first coach of every train on this line.'],
    ] as const;
    expect(drops([...turns, ['user', turns[1][1]], ['agent', 'Yes.']])).toEqual(['role-reversal']);
    expect(drops([...turns, ['user', 'So bikes travel free of charge?'], ['agent', 'Yes.']])).toEqual([]);
  });

  it('is none that reads back what the agent said', () => {
    expect(
      drops([
        ['user', 'Hi.'],
        ['agent', told],
        ['user', told.slice(0, -1)],
        ['agent', 'Yes.'],
      ]),
    ).toContain('role-reversal');
    expect(
      drops([
        ['user', 'Hi.'],
        ['agent', told],
        ['user', `> ${told}\nWhich email is that?`],
        ['agent', 'x.'],
      ]),
    ).toEqual([]);
  });
});
