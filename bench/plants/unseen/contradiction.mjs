// Unseen wordings: a user who tells an id, a code or a date that is not the one of its task.
import { inUserTurn, pick, withTurns } from '../host.mjs';

const PEOPLE = ['noah_brown_6181', 'emma_kim_4076', 'lucas_silva_9137', 'ava_moore_2033', 'ethan_ito_5520'];
const stranger = (host, random) =>
  pick(
    random,
    PEOPLE.filter((id) => !host.userIds.includes(id)),
  );
/** Another digit in one place. */
function slipped(code, random) {
  const at = pick(
    random,
    [...code].flatMap((c, index) => (/\d/.test(c) ? [index] : [])),
  );
  const digit = (Number(code[at]) + 1 + random.integer(8)) % 10;
  return `${code.slice(0, at)}${digit}${code.slice(at + 1)}`;
}
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const booking = (random) =>
  `${Array.from({ length: 3 }, () => LETTERS[random.integer(LETTERS.length)]).join('')}${random.integer(10)}${LETTERS[random.integer(LETTERS.length)]}${random.integer(10)}`;
const order = (random) => `#W${1000000 + random.integer(8999999)}`;
const zip = (host, random) => {
  const code = String(10000 + random.integer(89999));
  return host.zips.includes(code) ? slipped(code, random) : code;
};

/** Replaces every telling of the facts by another, where the user really tells them. */
const retold = (name, facts, other) => ({
  name,
  fits: (host) => facts(host).length > 0 && facts(host).some((fact) => host.said.join('\n').includes(fact)),
  plant(host, random) {
    const to = new Map(facts(host).map((fact) => [fact, other(fact, random, host)]));
    return withTurns(
      host.episode,
      host.episode.turns.map((turn) => {
        if (turn.role !== 'user') return turn;
        let text = turn.text ?? '';
        for (const [fact, instead] of to) text = text.replaceAll(fact, instead);
        return { role: turn.role, text };
      }),
    );
  },
});
const told = (name, facts, write) =>
  inUserTurn(name, write, { fits: (host) => host.task && facts(host).length > 0 });

const userIds = (host) => host.userIds;
const bookings = (host) => host.reservations;
const zips = (host) => host.zips;
const emails = (host) => host.emails;
const orders = (host) => host.orders;

export const contradiction = {
  kind: 'contradicts its task, by an id',
  expect: 'drop',
  forms: [
    retold('user id with a slip in every telling', userIds, slipped),
    retold('user id of someone else in every telling', userIds, (_, random, host) => stranger(host, random)),
    retold('booking with a slip in every telling', bookings, slipped),
    retold('booking made up in every telling', bookings, (_, random) => booking(random)),
    retold('zip code with a slip in every telling', zips, slipped),
    retold('zip code made up in every telling', zips, (_, random, host) => zip(host, random)),
    retold('email at another host', emails, (mail) => mail.replace(/@.*$/, '@gmail.net')),
    retold('email with a slip', emails, (mail, random) =>
      /\d/.test(mail.split('@')[0]) ? slipped(mail, random) : `the.${mail}`,
    ),
    retold('order with a slip', orders, slipped),
    told(
      'gives another user id',
      userIds,
      (host, random) => `Sure, my user ID is ${stranger(host, random)}.`,
    ),
    told(
      'user id in passing',
      userIds,
      (host, random) => `It should be under ${stranger(host, random)}, can you look there please?`,
    ),
    told('only the id', userIds, (host, random) => stranger(host, random)),
    told(
      'id of the right name, other number',
      userIds,
      (host, random) => `Of course! You can find me as ${slipped(host.userIds[0], random)}`,
    ),
    told('gives another booking', bookings, (_, random) => `The reservation number is ${booking(random)}.`),
    told('spells another booking', bookings, (_, random) => `My confirmation code: ${booking(random)}`),
    told(
      'two bookings, neither its own',
      bookings,
      (_, random) => `I have two of them, ${booking(random)} and ${booking(random)}.`,
    ),
    told(
      'gives another zip code',
      zips,
      (host, random) =>
        `${host.name === null ? 'I live' : `I'm ${host.name.join(' ')}, I live`} in ${zip(host, random)}.`,
    ),
    told('zip code alone', zips, (host, random) => `zip code ${zip(host, random)}`),
    told('gives another order', orders, (_, random) => `It's about order ${order(random)}, please.`),
    told(
      'gives another email',
      emails,
      (host) =>
        `You can look me up by email: ${(host.name?.[0] ?? 'sam').toLowerCase()}.${(host.name?.[1] ?? 'hill').toLowerCase()}77@outlook.com`,
    ),
  ],
};
