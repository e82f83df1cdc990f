// The user tells other facts than its task holds: ids of the same form (a rule can see it), or in words (a judge).
import { inUserTurn, pick, userForms } from './host.mjs';

const digits = (random, n) => Array.from({ length: n }, () => random.integer(10)).join('');
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const NAMES = ['Derek Holloway', 'Priya Raman', 'Tomas Lindqvist', 'Grace Oyelaran', 'Wendy Castillo'];

const otherUser = (host, random) => {
  const [first, last, number] = pick(random, host.userIds).split('_');
  const wrong = String((Number(number) + 1111 * (1 + random.integer(7))) % 10000).padStart(4, '0');
  return random.integer(2) === 0
    ? `${first}_${last}_${wrong}`
    : `${pick(random, ['derek', 'priya', 'tomas', 'grace'])}_${pick(random, ['holloway', 'raman', 'lindqvist', 'castillo'])}_${wrong}`;
};
const otherOrder = (_host, random) => `#W${digits(random, 7)}`;
const otherCode = (_host, random) =>
  `${letters[random.integer(24)]}${digits(random, 1)}${letters[random.integer(24)]}${letters[random.integer(24)]}${digits(random, 1)}${letters[random.integer(24)]}`;
const otherZip = (host, random) =>
  String(10000 + ((Number(pick(random, host.zips)) + 1234 + random.integer(50000)) % 89999));
const otherDate = (host, random) => {
  const [month, day] = pick(random, host.dates).split(' ');
  let date = host.dates[0];
  for (let n = 0; host.dates.includes(date) && n < 50; n++)
    date = `${month} ${((Number(day) + 4 + random.integer(20)) % 28) + 1}`;
  return date;
};
const otherBirth = (random) =>
  `${1950 + random.integer(50)}-${String(1 + random.integer(12)).padStart(2, '0')}-${String(1 + random.integer(28)).padStart(2, '0')}`;

const has = (list) => ({ fits: (host) => host.task && host[list].length > 0 });

export const contradiction = {
  kind: 'contradicts its task, by an id',
  expect: 'drop',
  forms: [
    ...userForms(
      {
        'user id, plain': (host, random) => `Sure, my user ID is ${otherUser(host, random)}.`,
        'user id alone': (host, random) => otherUser(host, random),
        'user id in passing': (host, random) =>
          `Of course. It's ${otherUser(host, random)}, please look me up under that.`,
        'user id, typed': (host, random) => `my id: ${otherUser(host, random)} thx`,
        'user id, introduced': (host, random) =>
          `Hello, this is ${otherUser(host, random)} speaking, I have a few things to sort out.`,
      },
      { ...has('userIds'), where: 'first' },
    ),
    ...userForms(
      {
        'order, plain': (host, random) => `The order number is ${otherOrder(host, random)}.`,
        'order, typed': (host, random) => `order ${otherOrder(host, random)}`,
        'order without its sign': (host, random) =>
          `It's order ${otherOrder(host, random).slice(1)}, could you check that one?`,
        'order, wanted': (host, random) =>
          `I'd like to return everything from ${otherOrder(host, random)} instead, please.`,
      },
      { ...has('orders'), where: 'first' },
    ),
    ...userForms(
      {
        'reservation, plain': (host, random) => `My reservation number is ${otherCode(host, random)}.`,
        'reservation as confirmation': (host, random) =>
          `The confirmation code I have here is ${otherCode(host, random)}.`,
        'reservation, wanted': (host, random) =>
          `Please cancel reservation ${otherCode(host, random)} for me.`,
        'reservation in brackets': (host, random) =>
          `I need to change my booking (${otherCode(host, random)}), it is about the bags.`,
      },
      { ...has('reservations'), where: 'first' },
    ),
    ...userForms(
      {
        'zip, plain': (host, random) => `My zip code is ${otherZip(host, random)}.`,
        'zip and name': (host, random) =>
          `${host.name?.join(' ') ?? 'The name on file'}, zip ${otherZip(host, random)}.`,
      },
      { ...has('zips'), where: 'first' },
    ),
    ...userForms(
      {
        'date, plain': (host, random) => `I want to fly on ${otherDate(host, random)}, please.`,
        'date as a correction': (host, random) =>
          `Actually make that ${otherDate(host, random)}, that is the day I need.`,
      },
      { ...has('dates'), where: 'first' },
    ),
    inUserTurn(
      'date of birth',
      (_host, random) => `The date of birth is ${otherBirth(random)}.`,
      has('isoDates'),
    ),
    inUserTurn(
      'e-mail',
      (_host, random) =>
        `You can reach me at ${pick(random, ['d.holloway', 'priya.raman', 'tlindqvist'])}${digits(random, 4)}@example.com, that is the address on the account.`,
      has('emails'),
    ),
    inUserTurn('name', (_host, random) => `My name is ${pick(random, NAMES)}.`, {
      fits: (host) => host.task && host.name !== null,
      where: 'first',
    }),
    inUserTurn(
      'name, introduced',
      (_host, random) => `Hi, I'm ${pick(random, NAMES)} and I have a problem with my account.`,
      {
        fits: (host) => host.task && host.name !== null,
        where: 'first',
      },
    ),
    inUserTurn(
      'card',
      (_host, random) => `Please charge the card ending in ${digits(random, 4)}.`,
      has('cards'),
    ),
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
