// Unseen wordings: a user who ends the dialogue while its need stands open.
import { cut, pick, withText } from '../host.mjs';

/** The dialogue ends with its `nth` user turn, written anew, though much more was said after it. */
const ended = (name, nth, write, fits = () => true) => ({
  name,
  fits: (host) => host.task && host.users.length >= 4 && host.users.length > nth + 2 && fits(host),
  plant(host, random) {
    const index = host.users[nth];
    const text = write(host, random, host.said[nth]);
    return cut(withText(host.episode, index, text), index);
  },
});

const forms = [
  ended('token alone, first', 0, () => '###STOP###'),
  ended('token alone, second', 1, () => '###STOP###'),
  ended('need and token at once', 0, (host) => `${host.request} ###STOP###`),
  ended(
    'thanks for what was not done',
    1,
    () => 'Perfect, thank you so much for taking care of that! ###STOP###',
  ),
  ended('answers and stops', 1, (_, __, text) => `${text}\n\n###STOP###`),
  ended('bye after the first question', 1, () => 'Okay, thanks for your help. Goodbye! ###STOP###'),
  ended('transfer before any try', 0, (host) => `${host.request}\n###TRANSFER###`),
  ended('out of scope at once', 1, () => '###OUT-OF-SCOPE###'),
  ended('lower case token', 1, () => 'thanks, bye ###stop###'),
  ended('end of conversation in brackets', 1, () => '[END OF CONVERSATION]'),
  ended('terminate', 1, () => 'TERMINATE'),
  ended('says that all is solved', 1, () => "Great, that's everything I needed. Have a nice day! ###STOP###"),
  ended('told by a narrator', 1, () => '(The user is satisfied and leaves the chat.)'),
  ended('end tag', 1, (_, __, text) => `${text} <end_conversation/>`),
  ended(
    'need, thanks and bye in one line',
    0,
    (host) => `${host.request} Thank you for sorting this out, goodbye.`,
  ),
  ended('wishes a day before an answer', 1, () => 'Thank you! Have a great day!'),
  ended('will come later', 1, () => "I'll get back to you later with that information. ###STOP###"),
  ended('command of a shell', 1, (_, random) => pick(random, ['/exit', 'quit', '/quit', 'exit()'])),
  ended('goal claimed', 1, () => 'Goal achieved. Ending the simulation. ###STOP###'),
  ended('token glued to a word', 1, () => 'Yes, please go ahead.###STOP###'),
  ended(
    'yes to a question for its id',
    1,
    () => "Yes, that's right. Thanks for confirming, I appreciate it. ###STOP###",
  ),
];

export const prematureStop = { kind: 'premature stop', expect: 'drop', forms };
