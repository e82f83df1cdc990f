// Unseen wordings: a small simulator in a loop, whatever the agent answers.
import { pick, withTurns } from '../host.mjs';

/** Rewrites user turns from the `from`th on: `write(nth, host, random, text that stood there)`. */
const loop = (name, write, { from = 1, fits = () => true } = {}) => ({
  name,
  fits: (host) => host.users.length >= 4 && fits(host),
  plant(host, random) {
    const memory = { random, host, pick: random.integer(1000) };
    return withTurns(
      host.episode,
      host.episode.turns.map((turn, at) => {
        const nth = host.users.indexOf(at);
        return nth < from ? turn : { role: turn.role, text: write(nth, host, memory, host.said[nth]) };
      }),
    );
  },
});
const of = (memory, list) => list[memory.pick % list.length];
const short = (host) => host.request.split('\n')[0];
const swap = (nth, list) => list[nth % list.length];

const FILLERS = ['Okay.', 'I see.', 'Alright.', 'Sure.', 'Right.', 'Hmm.', 'Got it.'];

const forms = [
  loop('the need, word for word', (_, host) => host.request),
  loop(
    'the need with another greeting',
    (nth, host) => `${swap(nth, ['Hi!', 'Hello,', 'Hey there,', 'Good day,'])} ${host.request}`,
  ),
  loop(
    'the need with other stops',
    (nth, host) => `${host.request.replace(/[.!?]+$/, '')}${swap(nth, ['.', '!', '...', '', '?'])}`,
  ),
  loop('the need in other cases', (nth, host) =>
    swap(nth, [host.request.toUpperCase(), host.request.toLowerCase(), host.request]),
  ),
  loop('the same thanks', (_, __, memory) =>
    of(memory, [
      'Thank you so much for your help, I really appreciate it!',
      'That sounds great, thank you for the information.',
      'Okay, thank you for letting me know about that.',
    ]),
  ),
  loop('a filler, then the need', (nth, host) => `${swap(nth, FILLERS)} ${host.request}`),
  loop('two lines in turn', (nth, host) =>
    nth % 2 === 0 ? short(host) : 'Could you please explain that to me in more detail?',
  ),
  loop(
    'grows by a copy each time',
    (nth, host) =>
      Array(Math.min(nth + 1, 5))
        .fill(short(host))
        .join(' '),
    {
      fits: (host) => short(host).length < 240,
    },
  ),
  loop('the second answer for ever', (_, host) => host.said[1], {
    from: 2,
    fits: (host) => host.said[1].length >= 20,
  }),
  loop('asks for the same again', (_, __, memory) =>
    of(memory, [
      'Can you tell me more about that? I would like to understand it better before I decide.',
      'I have a question about that. Could you clarify what you mean?',
      "I'm not sure I understand. Could you walk me through it one more time?",
    ]),
  ),
  loop(
    'a word changed each time',
    (nth, host) =>
      `I ${swap(nth, ['really', 'just', 'truly', 'simply'])} want you to help me with this: ${short(host)}`,
  ),
  loop('agrees in the same words', () => 'Yes, that sounds good to me. Please go ahead with that.'),
  loop('a tail that stays', (nth, host, _, text) =>
    nth === 1
      ? text
      : `${swap(nth, FILLERS)} Like I mentioned, ${short(host).charAt(0).toLowerCase()}${short(host).slice(1)}`,
  ),
  loop(
    'names itself each time',
    (_, host) =>
      `My name is ${(host.name ?? ['Alex', 'Brown']).join(' ')} and ${short(host).charAt(0).toLowerCase()}${short(host).slice(1)}`,
  ),
  loop('says twice in one turn, each turn', (_, host) => `${short(host)}\n\n${short(host)}`),
  loop(
    'three lines around',
    (nth, host) =>
      swap(nth, [
        short(host),
        'I understand, but I would still like to have this sorted out.',
        'Is there any other way that you could help me with this?',
      ]),
    { from: 0, fits: (host) => host.users.length >= 7 },
  ),
  loop('last turns the same', (nth, host, _, text) =>
    nth >= host.users.length - 3 ? "I appreciate that, and I'll keep it in mind going forward." : text,
  ),
  loop(
    'the same praise',
    () => "Wow, that's really interesting! I never thought about it that way before. Tell me more!",
  ),
];

export const repetition = { kind: 'repeats itself', expect: 'drop', forms };

/** A form may also take one of its own earlier turns, whichever it was. */
forms.push(
  loop(
    'an earlier turn again and again',
    (nth, host, memory, text) => {
      memory.said ??= pick(memory.random, host.said.slice(0, 2));
      return nth === 2 ? text : memory.said;
    },
    {
      from: 2,
      fits: (host) => host.users.length >= 6 && host.said.slice(0, 2).every((text) => text.length >= 20),
    },
  ),
);
