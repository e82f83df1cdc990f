// The user leaves before its need was told, looked at or answered.
import { clean, cut } from './host.mjs';

/** Cuts the dialogue at user turn `which` (0 = the first) and puts the parting words there. */
const leaves = (name, which, write, fits = () => true) => ({
  name,
  fits: (host) => host.task && host.users.length >= which + 3 && fits(host),
  plant(host) {
    const index = host.users[which];
    const turns = host.episode.turns.slice(0, index);
    const text = write(host, clean(host.episode.turns[index].text));
    return {
      ...host.episode,
      turns: [...turns, { role: 'user', text }],
      termination: host.episode.termination === null ? null : 'user_stop',
    };
  },
});

/** A stop token inside a user turn, and the dialogue runs on as if nothing had been said. */
const ignored = (name, write) => ({
  name,
  fits: (host) => host.task && host.users.length >= 4,
  plant(host) {
    const index = host.users[1];
    return {
      ...host.episode,
      turns: host.episode.turns.map((turn, at) =>
        at === index ? { role: 'user', text: write(clean(turn.text)) } : turn,
      ),
    };
  },
});

/** Whether the agent's turn before user turn `which` asks for something. */
const asked = (which) => (host) => {
  const before = host.episode.turns.slice(0, host.users[which]).findLast((turn) => turn.role === 'agent');
  return (before?.text ?? '').includes('?');
};

export const prematureStop = {
  kind: 'premature stop',
  expect: 'drop',
  forms: [
    leaves('stop token as the first word', 0, () => '###STOP###'),
    leaves('transfer token as the first word', 0, () => '###TRANSFER###'),
    leaves('out of scope as the first word', 0, () => '###OUT-OF-SCOPE###'),
    leaves('need and stop in one turn', 0, (_host, text) => `${text} ###STOP###`),
    leaves('need and stop on two lines', 0, (_host, text) => `${text}\n\n###STOP###`),
    leaves('bare stop when asked for data', 1, () => '###STOP###', asked(1)),
    leaves('thanks when asked for data', 1, () => 'Thank you for your help! ###STOP###', asked(1)),
    leaves('answer and stop', 1, (_host, text) => `${text} ###STOP###`, asked(1)),
    leaves('goodbye when asked for data', 1, () => "That's all I needed, goodbye! ###STOP###", asked(1)),
    leaves('other token: DONE', 1, () => '[DONE]', asked(1)),
    leaves('other token: TERMINATE', 1, () => 'TERMINATE', asked(1)),
    leaves('end of text token', 1, () => '<|endoftext|>', asked(1)),
    leaves('end of conversation in brackets', 1, () => 'Okay. [END OF CONVERSATION]', asked(1)),
    leaves('stop tag', 0, () => 'Hello! <STOP>'),
    leaves('greeting and stop', 0, () => 'Hi! ###STOP###'),
    leaves('goodbye as the first word', 0, () => 'Great, thanks for everything. Bye!'),
    leaves(
      'thanks for a deed not done',
      1,
      () => 'Perfect, thank you so much for taking care of that! ###STOP###',
      asked(1),
    ),
    leaves('transfer when asked for data', 1, () => '###TRANSFER###', asked(1)),
    leaves('lower case token', 1, () => 'thanks ###stop###', asked(1)),
    {
      name: 'cut after the first need, nothing said',
      fits: (host) => host.task && host.users.length >= 4,
      plant: (host) => ({ ...cut(host.episode, host.users[0]), termination: 'user_stop' }),
    },
    ignored('stop, then the dialogue runs on', () => '###STOP###'),
    ignored('text with stop, then the dialogue runs on', (text) => `${text} ###STOP###`),
    ignored('thanks with stop, then the dialogue runs on', () => 'Thank you, have a nice day! ###STOP###'),
  ],
};
