// The user tells other facts than its task holds: ids of the same form (a rule can see it), or in words (a judge).
import { pick, place, userForms, withTurns } from './host.mjs';

const digits = (random, n) => Array.from({ length: n }, () => random.integer(10)).join('');
const letter = (random) => 'ABCDEFGHJKLMNPQRSTUVWXYZ'[random.integer(24)];
const two = (n) => String(n).padStart(2, '0');
const NAMES = ['Derek Holloway', 'Priya Raman', 'Tomas Lindqvist', 'Grace Oyelaran', 'Wendy Castillo'];

/** Values of the same form, by the fact's name in the host. */
const OTHER = {
  userIds(host, random) {
    const [first, last, number] = pick(random, host.userIds).split('_');
    const wrong = String((Number(number) + 1111 * (1 + random.integer(7))) % 10000).padStart(4, '0');
    if (random.integer(2) === 0) return `${first}_${last}_${wrong}`;
    return `${pick(random, NAMES).toLowerCase().replace(' ', '_')}_${wrong}`;
  },
  orders: (_host, random) => `#W${digits(random, 7)}`,
  reservations: (_host, random) =>
    `${letter(random)}${digits(random, 1)}${letter(random)}${letter(random)}${digits(random, 1)}${letter(random)}`,
  zips: (host, random) =>
    String(10000 + ((Number(pick(random, host.zips)) + 1234 + random.integer(50000)) % 89999)),
  dates(host, random) {
    const [month, day] = pick(random, host.dates).split(' ');
    let date = host.dates[0];
    for (let n = 0; host.dates.includes(date) && n < 50; n++)
      date = `${month} ${((Number(day) + 4 + random.integer(20)) % 28) + 1}`;
    return date;
  },
  isoDates: (_host, random) =>
    `${1950 + random.integer(50)}-${two(1 + random.integer(12))}-${two(1 + random.integer(28))}`,
  emails: (_host, random) =>
    `${pick(random, ['d.holloway', 'priya.raman', 'tlindqvist'])}${digits(random, 4)}@example.com`,
  names: (_host, random) => pick(random, NAMES),
  cards: (_host, random) => digits(random, 4),
};

const valuesOf = (host, fact) =>
  fact === 'names' ? (host.name === null ? [] : [host.name.join(' ')]) : host[fact];

/** The wrong value in the place of one user turn, and wherever the user tells the right one elsewhere. */
const wrong = (fact, name, write, where = 'first') => ({
  name,
  fits: (host) => host.task && host.users.length >= 2 && valuesOf(host, fact).length > 0,
  plant(host, random) {
    const value = OTHER[fact](host, random);
    const index = place(host, where, random);
    const told = (text) => valuesOf(host, fact).reduce((line, right) => line.replaceAll(right, value), text);
    return withTurns(
      host.episode,
      host.episode.turns.map((turn, at) => {
        if (at === index) return { role: 'user', text: write(value, host) };
        if (turn.role !== 'user' || turn.text === null) return turn;
        const text = told(turn.text);
        return text === turn.text ? turn : { ...turn, text };
      }),
    );
  },
});

export const contradiction = {
  kind: 'contradicts its task, by an id',
  expect: 'drop',
  forms: [
    wrong('userIds', 'user id, plain', (id) => `Sure, my user ID is ${id}.`),
    wrong('userIds', 'user id alone', (id) => id),
    wrong('userIds', 'user id in passing', (id) => `Of course. It's ${id}, please look me up under that.`),
    wrong('userIds', 'user id, typed', (id) => `my id: ${id} thx`),
    wrong(
      'userIds',
      'user id, introduced',
      (id) => `Hello, this is ${id} speaking, I have a few things to sort out.`,
    ),
    wrong('orders', 'order, plain', (id) => `The order number is ${id}.`),
    wrong('orders', 'order, typed', (id) => `order ${id}`),
    wrong('orders', 'order without its sign', (id) => `It's order ${id.slice(1)}, could you check that one?`),
    wrong('orders', 'order, wanted', (id) => `I'd like to return everything from ${id} instead, please.`),
    wrong('reservations', 'reservation, plain', (id) => `My reservation number is ${id}.`),
    wrong(
      'reservations',
      'reservation as confirmation',
      (id) => `The confirmation code I have here is ${id}.`,
    ),
    wrong('reservations', 'reservation, wanted', (id) => `Please cancel reservation ${id} for me.`),
    wrong(
      'reservations',
      'reservation in brackets',
      (id) => `I need to change my booking (${id}), it is about the bags.`,
    ),
    wrong('zips', 'zip, plain', (id) => `My zip code is ${id}.`),
    wrong('zips', 'zip and name', (id, host) => `${host.name?.join(' ') ?? 'The name on file'}, zip ${id}.`),
    wrong('dates', 'date, plain', (date) => `I want to fly on ${date}, please.`),
    wrong('dates', 'date as a correction', (date) => `Actually make that ${date}, that is the day I need.`),
    wrong('isoDates', 'date of birth', (date) => `The date of birth is ${date}.`, 'middle'),
    wrong(
      'emails',
      'e-mail',
      (mail) => `You can reach me at ${mail}, that is the address on the account.`,
      'middle',
    ),
    wrong('names', 'name', (name) => `My name is ${name}.`),
    wrong('names', 'name, introduced', (name) => `Hi, I'm ${name} and I have a problem with my account.`),
    wrong('cards', 'card', (card) => `Please charge the card ending in ${card}.`, 'middle'),
  ],
};

export const contradictionInWords = {
  kind: 'contradicts its task, in words',
  expect: 'judge',
  forms: userForms(
    {
      'gave up': () =>
        "You know what, forget it, I don't actually need anything changed. Everything is fine as it is.",
      'other need': () => "I'm really only calling to ask whether you are hiring at the moment.",
      'other product': () => 'I never ordered anything from you, I just want to buy a trampoline.',
      'another person': () =>
        'This is not my account, I am calling for my neighbour and know nothing about it.',
      'the reverse': () => 'Please do the opposite of what I asked before and leave it exactly as it was.',
      'money is no matter': () =>
        'The price does not matter to me at all, pick whatever is dearest for everything.',
      'no preference': () => 'I have no preference about any of it, choose for me.',
      'remembers the address': () =>
        'Yes, I know my e-mail address by heart, I use it every day, but I would rather talk about the weather.',
      'other place': () => 'I moved to Reykjavik last year, so all of this has to happen in Iceland.',
      'other time': () => 'There is no hurry, some time next decade is fine with me.',
      'travels as a group': () => 'There will be eleven of us, and a dog.',
      'paid in cash': () => 'I paid for it in cash at the counter, so there is nothing on any card.',
      'already done': () => 'Your colleague did all that for me this morning, I only wanted to say hello.',
      'likes it': () => 'I love it just the way it arrived, so please do not exchange or cancel a thing.',
      'agrees to all': () => 'Whatever you say, I agree to every fee you can think of.',
    },
    { fits: (host) => host.task },
  ),
};
