// A real dialogue with the facts that planted errors are written from. Pure: what is drawn comes from `random`.

const DOMAINS = { p4g: 'donation', persuasiontrace: 'opinion', cooperbench: 'code' };
const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec';

const unique = (items) => [...new Set(items)];
const all = (text, pattern) => unique(text.match(pattern) ?? []);

/** @returns the episode, its domain and the facts of its scenario; lists are empty where nothing is known. */
export function hostOf(episode) {
  const scenario = episode.scenario ?? '';
  const domain = DOMAINS[episode.benchmark] ?? episode.domain ?? 'other';
  const users = [];
  episode.turns.forEach((turn, index) => {
    if (turn.role === 'user' && (turn.text ?? '').trim() !== '') users.push(index);
  });
  const said = users.map((index) => clean(episode.turns[index].text));
  return {
    episode,
    domain,
    /** Whether the scenario is a task told to the simulator, and not only a topic. */
    task: ['airline', 'retail', 'telecom'].includes(domain) && scenario.length > 60,
    users,
    said,
    /** The need as the user told it first. */
    request: said.find((text) => text.length >= 25) ?? said[0] ?? 'I need some help with this.',
    agentSaid: episode.turns
      .filter((turn) => turn.role === 'agent' && (turn.text ?? '').length > 40)
      .map((turn) => turn.text.trim()),
    sentences: scenario
      .split(/(?<=[.!?])\s+|\n+/)
      .map((text) => text.trim())
      .filter((text) => text.length >= 28 && text.split(/\s+/).length >= 6),
    userIds: all(scenario, /\b[a-z]+_[a-z]+_\d{4}\b/g),
    orders: all(scenario, /#W\d{7}\b/g),
    reservations: all(scenario, /\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6}\b/g).filter(
      (code) => !/^HAT\d/.test(code),
    ),
    emails: all(scenario, /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g),
    zips: all(scenario, /\b\d{5}\b/g),
    dates: all(scenario, new RegExp(`\\b(?:${MONTHS})\\.? \\d{1,2}\\b`, 'g')),
    isoDates: all(scenario, /\b(?:19|20)\d\d-\d\d-\d\d\b/g),
    cards: all(scenario, /(?<=(?:ending in|ends in|ending with|ending) )\d{4}\b/g),
    name: /\b(?:You are|name is|You name is) ([A-Z][a-z]+) ([A-Z][a-z]+)/.exec(scenario)?.slice(1, 3) ?? null,
  };
}

/** Text without control tokens of the harness. */
export function clean(text) {
  return (text ?? '').replace(/###[A-Z-]+###/g, '').trim();
}

export const pick = (random, items) => items[random.integer(items.length)];

/** The wording of the host's domain, `other` where there is none. */
export const say = (host, words) => words[host.domain] ?? words.other;

/**
 * Index of a user turn: `first`, `last`, or `middle` = any but the last, past the first where there are three.
 */
export function place(host, where, random) {
  const { users } = host;
  if (where === 'first' || users.length === 1) return users[0];
  if (where === 'last') return users.at(-1);
  const from = users.length > 2 ? 1 : 0;
  return users[from + random.integer(users.length - 1 - from)];
}

/** The episode with other turns, everything else as it was. */
export const withTurns = (episode, turns) => ({ ...episode, turns });

export function withText(episode, index, text) {
  return withTurns(
    episode,
    episode.turns.map((turn, at) => (at === index ? { role: turn.role, text } : turn)),
  );
}

/** A form that puts its text in the place of one user turn: `write(host, random, text that stood there)`. */
export function inUserTurn(name, write, { where = 'middle', fits = () => true } = {}) {
  return {
    name,
    fits: (host) => host.users.length >= 2 && fits(host),
    plant(host, random) {
      const index = place(host, where, random);
      return withText(host.episode, index, write(host, random, clean(host.episode.turns[index].text)));
    },
  };
}

/** Forms from an object of writers, all with the same settings. */
export const userForms = (writers, settings) =>
  Object.entries(writers).map(([name, write]) => inUserTurn(name, write, settings));

/** The dialogue up to and including turn `index`. */
export const cut = (episode, index) => withTurns(episode, episode.turns.slice(0, index + 1));
