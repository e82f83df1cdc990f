import { compileAll } from '../../../src/lab/speech/pattern.ts';
import type { Encounter, Phase, Setting, Step, UserTraits, World } from '../../../src/lab/world/index.ts';
import type { Random } from '../../../src/math/index.ts';

/** Acts of the agent, by number. `look` is a tool call: the agent goes on. */
export const ASK = 0;
export const PRESS = 1;
export const LOOK = 2;
export const STOP = 3;

/** Acts of the user, by number. */
export const YES = 0;
export const NO = 1;
export const MAYBE = 2;
export const LEAVE = 3;

/** P(user act | kind), by what the agent did last. */
type Laws = Readonly<Record<'ask' | 'press', readonly (readonly number[])[]>>;

/** Small enough to be worked out by hand. Nobody leaves at an ask. */
export const LAWS: Laws = {
  ask: [
    [0.1, 0.6, 0.3, 0],
    [0.3, 0.2, 0.5, 0],
    [0.8, 0.1, 0.1, 0],
  ],
  press: [
    [0.05, 0.25, 0.1, 0.6],
    [0.25, 0.25, 0.25, 0.25],
    [0.7, 0.1, 0.15, 0.05],
  ],
};

export const SHARES: readonly number[] = [0.5, 0.3, 0.2];

export const kind = (habit: number, change: Partial<UserTraits> = {}): UserTraits => ({
  trust: [0.2, 0.5, 0.8][habit]!,
  affinities: [],
  patience: 0.5,
  disclosure: 0.5,
  consistency: 0.5,
  politeness: 0.5,
  expressiveness: 0.5,
  habit,
  ...change,
});

/**
 * Three kinds of people who answer by a table. In settings of odd number the user speaks first, as after an ask.
 * Reward: share of the user's turns that say yes.
 */
export function handWorld(horizon = 3, laws = LAWS): World {
  return {
    id: 'persuasion',
    horizon,
    agentActs: ['ask', 'press', 'look', 'stop'],
    userActs: ['yes', 'no', 'maybe', 'leave'],
    appeals: [],
    habits: 3,
    types: SHARES.map((share, habit) => ({ id: `kind-${habit}`, share, traits: kind(habit) })),
    inputs: 3,
    cues: 2,
    setting: (index, seed) => ({
      world: 'persuasion',
      label: `${index}`,
      scenario: `scenario ${seed}/${index}`,
      slots: {},
    }),
    begin: (setting, users) => new HandEncounter(setting, users, horizon, laws),
    agreeableness: ({ trust }) => trust,
    anyTraits: (random: Random) => kind(random.integer(3)),
    demonstrate: (encounter, into) => {
      into.set(encounter.turn === 0 ? [0.75, 0.25, 0, 0] : [0.5, 0.25, 0.125, 0.125]);
    },
    wordings: { agent: compileAll({}), user: {} },
  };
}

export class HandEncounter implements Encounter {
  readonly steps: Step[] = [];
  phase: Phase;
  turn = 0;
  termination: string | null = null;
  readonly #users: readonly UserTraits[];
  readonly #horizon: number;
  readonly #laws: Laws;

  constructor({ label }: Setting, users: readonly UserTraits[], horizon: number, laws: Laws) {
    this.#laws = laws;
    this.#users = users;
    this.#horizon = horizon;
    this.phase = Number(label) % 2 === 1 ? 'user' : 'agent';
  }

  get reward(): number | null {
    if (this.phase !== 'over') return null;
    const said = this.steps.filter(({ side }) => side === 'user');
    return said.length === 0 ? 0 : said.filter(({ act }) => act === YES).length / said.length;
  }

  get outcome(): string {
    return `ended by ${this.termination}`;
  }

  observe(into: Float64Array, at: number): void {
    into[at] = 1;
    into[at + 1] = this.steps.at(-1)?.act === YES ? 1 : 0;
    into[at + 2] = this.turn / this.#horizon;
  }

  allowed(into: Uint8Array, at: number): void {
    into.set(this.turn === 0 ? [1, 1, 0, 0] : [1, 1, 1, 1], at);
  }

  cues(into: Float64Array, at: number): void {
    into[at] = this.turn / this.#horizon;
    into[at + 1] = this.#pressed ? 1 : 0;
  }

  law(who: number, into: Float64Array): void {
    into.set(this.#laws[this.#pressed ? 'press' : 'ask'][this.#users[who]!.habit]!);
  }

  actAgent(act: number): void {
    if (this.phase !== 'agent') throw new Error(`the agent acts in phase ${this.phase}`);
    this.steps.push({ side: 'agent', act });
    this.turn += 1;
    if (act === STOP) this.#end('agent');
    else if (act !== LOOK) this.phase = 'user';
    else if (this.turn >= this.#horizon) this.#end('turn limit');
  }

  actUser(act: number): void {
    if (this.phase !== 'user') throw new Error(`the user acts in phase ${this.phase}`);
    this.steps.push({ side: 'user', act });
    this.phase = 'agent';
    if (act === LEAVE) this.#end('user');
    else if (this.turn >= this.#horizon) this.#end('turn limit');
  }

  get #pressed(): boolean {
    return this.steps.findLast(({ side }) => side === 'agent')?.act === PRESS;
  }

  #end(by: string): void {
    this.phase = 'over';
    this.termination = by;
  }
}
