// Second wordings: users whose turns do not go with the dialogue or the task.
import { clean, pick, place, withTurns } from '../host.mjs';

const leave = (n, which, text, fits = () => true) => ({
  name: n,
  fits: (h) => h.task && h.users.length >= which + 3 && fits(h),
  plant(h) {
    const i = h.users[which];
    return {
      ...h.episode,
      turns: [...h.episode.turns.slice(0, i), { role: 'user', text: text(clean(h.episode.turns[i].text)) }],
      termination: h.episode.termination === null ? null : 'user_stop',
    };
  },
});
const asks = (w) => (h) =>
  (h.episode.turns.slice(0, h.users[w]).findLast((t) => t.role === 'agent')?.text ?? '').includes('?');
export const prematureStop = {
  kind: 'premature stop',
  expect: 'drop',
  forms: [
    leave('a', 0, () => '###STOP### '),
    leave('b', 0, (t) => `${t} [STOP]`),
    leave('c', 1, () => 'Alright, thanks a lot, bye now. ###STOP###', asks(1)),
    leave('d', 1, () => '<END>', asks(1)),
    leave('e', 1, () => '[CONVERSATION_ENDED]', asks(1)),
    leave('f', 0, () => 'Thanks, that solved it! ###STOP###'),
    leave('g', 1, () => '### STOP ###', asks(1)),
    leave('h', 1, () => '###STOP', asks(1)),
    leave('i', 1, () => '/exit', asks(1)),
    leave('j', 1, () => '<|eot_id|>', asks(1)),
    leave('k', 0, () => 'hello ###TRANSFER###'),
    leave('l', 1, (t) => `${t}\n###STOP###`, asks(1)),
  ],
};
const rep = (n, w) => ({
  name: n,
  fits: (h) =>
    h.users.length >= 5 &&
    h.request.split(' ').length >= 9 &&
    new Set(h.agentSaid).size >= 0.8 * h.agentSaid.length,
  plant(h) {
    const places = new Map(h.users.slice(0, -1).map((x, i) => [x, i]));
    return withTurns(
      h.episode,
      h.episode.turns.map((t, at) =>
        places.has(at) ? { role: 'user', text: w(h.request, places.get(at)) } : t,
      ),
    );
  },
});
export const repetition = {
  kind: 'repeats itself',
  expect: 'drop',
  forms: [
    rep('a', (l) => l),
    rep('b', (l, n) => `${'Look, |I mean, |Seriously, |Honestly, |Again, '.split('|')[n % 5]}${l}`),
    rep('c', (l, n) =>
      l
        .split(' ')
        .map((w, i) => (i === n + 2 ? `${w} really` : w))
        .join(' '),
    ),
    rep('d', (l, n) => `${l} ${['', 'ok?', 'right?', 'yes?', 'hm?'][n % 5]}`),
    rep('e', (l, n) => `"${l}"${'!'.repeat(n)}`),
    rep('f', (l, n) => l.replace(/[aeiou]/, (c) => c.repeat(n + 1))),
    rep('g', (l, n) => `${l} ${l.slice(0, 20 + n)}`),
    rep('h', (l, n) => (n % 2 ? `Thank you. ${l}` : l)),
  ],
};
const w = (fact, n, make, write, where = 'first') => ({
  name: n,
  fits: (h) => h.task && h.users.length >= 2 && h[fact]?.length > 0,
  plant(h, r) {
    const v = make(r);
    const i = place(h, where, r);
    return withTurns(
      h.episode,
      h.episode.turns.map((t, at) =>
        at === i
          ? { role: 'user', text: write(v, h) }
          : t.role === 'user' && t.text
            ? { ...t, text: h[fact].reduce((x, y) => x.replaceAll(y, v), t.text) }
            : t,
      ),
    );
  },
});
const uid = (r) =>
  `${pick(r, ['ines', 'oskar', 'bella'])}_${pick(r, ['moreau', 'nielsen', 'ortega'])}_${1000 + r.integer(9000)}`;
export const contradiction = {
  kind: 'contradicts its task, by an id',
  expect: 'drop',
  forms: [
    w('userIds', 'a', uid, (v) => `User ID: ${v}`),
    w('userIds', 'b', uid, (v) => `Hey, can you pull up ${v} for me?`),
    w('userIds', 'c', uid, (v) => `That would be ${v}.`),
    w('userIds', 'd', uid, (v) => `My username is ${v} if that helps.`),
    w(
      'orders',
      'e',
      (r) => `#W${1000000 + r.integer(8999999)}`,
      (v) => `I'm calling about ${v}.`,
    ),
    w(
      'orders',
      'f',
      (r) => `#W${1000000 + r.integer(8999999)}`,
      (v) => `My order id is ${v}, it hasn't arrived.`,
    ),
    w(
      'reservations',
      'g',
      (r) => `Q${r.integer(10)}X${r.integer(10)}ZK`,
      (v) => `Reservation ${v}, please.`,
    ),
    w(
      'reservations',
      'h',
      (r) => `Q${r.integer(10)}X${r.integer(10)}ZK`,
      (v) => `Could you look at booking ${v}?`,
    ),
    w(
      'zips',
      'i',
      (r) => `${20000 + r.integer(70000)}`,
      (v) => `I live in ${v}.`,
    ),
    w(
      'zips',
      'j',
      (r) => `${20000 + r.integer(70000)}`,
      (v) => `ZIP: ${v}`,
    ),
    w(
      'emails',
      'k',
      (r) => `ines${r.integer(9999)}@example.com`,
      (v) => `My email is ${v}.`,
    ),
  ],
};
