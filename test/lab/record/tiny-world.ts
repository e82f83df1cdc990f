import { drawFrom } from '../../../src/lab/simulators/draw-act.ts';
import type { Simulator } from '../../../src/lab/simulators/simulator.ts';
import { compileAll } from '../../../src/lab/speech/pattern.ts';
import type { Encounter, Phase, Step } from '../../../src/lab/world/encounter.ts';
import type { UserTraits } from '../../../src/lab/world/traits.ts';
import type { World } from '../../../src/lab/world/world.ts';
import { type Random, seeded } from '../../../src/math/index.ts';

const AGENT_ACTS = ['greet', 'offer', 'look-up'] as const;
const USER_ACTS = ['accept', 'refuse', 'ask', 'check'] as const;

/** Two sides about a thing at a price; the user's law depends on trust and the agent's last act alone. */
export const TINY = {
  id: 'persuasion',
  agentActs: AGENT_ACTS,
  userActs: USER_ACTS,
  wordings: {
    agent: compileAll({
      greet: ['(Hello|Hi|Good day), I sell <thing>s.', 'Welcome! (Are you|You are) here for a <thing>?'],
      offer: [
        'I can (give|sell|let) you (the|this) <thing> for <price>.',
        'How about <price> for the <thing>?',
      ],
    }),
    user: {
      accept: {
        core: compileAll({
          _: [
            '(That is|It is) a (fair|good|decent) price, I will (take|have) (it|the <thing>).',
            '(All right|Fine|Okay), (I will take it|I am in|let us do it) at <price>.',
            'Yes, (I would like|I want) (that|the) <thing>.',
          ],
        })._,
        terse: compileAll({ _: ['Okay.', 'Deal.', 'Fine.'] })._,
        more: compileAll({ _: ['My (old one|last <thing>) (broke|fell apart) (last week|in spring).'] })._,
      },
      refuse: {
        core: compileAll({
          _: [
            'I do not (want|need) (a|another) <thing>, (please stop asking|I am afraid).',
            '(That is|It is) not (for me|what I came for).',
            'No, <price> is (too much|more than I have) (for a <thing>|).',
          ],
        })._,
        terse: compileAll({ _: ['No.', 'No thanks.'] })._,
      },
      ask: {
        core: compileAll({
          _: [
            '(What|Which) (colour|size) (is it|does it come in)?',
            'Could you (tell me|say) (how old|how heavy) the <thing> is?',
            'Why (is it|does it cost) <price>?',
          ],
        })._,
      },
    },
  },
  begin: (_setting, users) => new TinyEncounter(users),
} satisfies Pick<World, 'id' | 'agentActs' | 'userActs' | 'wordings' | 'begin'>;

export const tinySetting = (index: number) => ({
  world: 'persuasion',
  label: `sale ${index}`,
  scenario: `A customer in shop ${index} may want a lamp.`,
  slots: { thing: ['lamp', 'chair', 'clock'][index % 3]!, price: `$${5 + (index % 7)}` },
});

export const traits = (change: Partial<UserTraits> = {}): UserTraits => ({
  trust: 0.5,
  affinities: [],
  patience: 0.5,
  disclosure: 0.5,
  consistency: 0.5,
  politeness: 0.5,
  expressiveness: 0.5,
  habit: 0,
  ...change,
});

export const anyTraits = (random: Random): UserTraits =>
  traits({
    trust: random.next(),
    consistency: random.next(),
    politeness: random.next(),
    expressiveness: random.next(),
  });

class TinyEncounter implements Encounter {
  readonly #users: readonly UserTraits[];
  readonly steps: Step[] = [];
  phase: Phase = 'agent';
  turn = 0;
  reward: number | null = null;
  termination: string | null = null;

  constructor(users: readonly UserTraits[]) {
    this.#users = users;
  }

  get outcome(): string {
    return this.reward === 1 ? 'sold' : 'not sold';
  }

  observe(): void {}
  allowed(): void {}
  cues(): void {}

  law(who: number, into: Float64Array): void {
    const { trust } = this.#users[who]!;
    const offered = this.steps.some(({ side, act }) => side === 'agent' && act === 1) ? 1 : 0.2;
    const weights = [offered * (0.2 + 2 * trust), 0.4 * (1.2 - trust), 1 - offered / 2, 0.15];
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    weights.forEach((weight, act) => {
      into[act] = weight / total;
    });
  }

  actAgent(act: number): void {
    this.turn += 1;
    const call = { name: 'look_up', arguments: { thing: 'lamp' } };
    this.steps.push({ side: 'agent', act, ...(act === 2 ? { tool: { call, answer: '{"left": 3}' } } : {}) });
    if (act !== 2) this.phase = 'user';
  }

  actUser(act: number): void {
    const call = { name: 'open_wallet', arguments: {} };
    this.steps.push({ side: 'user', act, ...(act === 3 ? { tool: { call, answer: '{"cash": 9}' } } : {}) });
    this.phase = 'agent';
    if (act > 1 && this.turn < 7) return;
    this.phase = 'over';
    this.reward = act === 0 ? 1 : 0;
    this.termination = act > 1 ? 'turn limit' : 'user';
  }
}

/** Everyone drawn anew for each dialogue; `narrow`: the one user, in few words. */
export const tinySimulator = (id: string, kind: Simulator['kind'], narrow = false): Simulator => ({
  id,
  family: id,
  kind,
  recipe: narrow ? 'one user in few words' : 'anyone',
  open(random) {
    const user = narrow ? traits({ trust: 0.9, politeness: 0.9, expressiveness: 0.7 }) : anyTraits(random);
    return {
      users: [user],
      voice: user,
      breadth: narrow ? 0.2 : 1,
      person: narrow ? null : `${id}-${Math.floor(1e9 * random.next())}`,
      law(encounter, into) {
        encounter.law(0, into);
        return true;
      },
      reply(encounter, random) {
        const law = new Float64Array(USER_ACTS.length);
        encounter.law(0, law);
        const act = drawFrom(law, random);
        return { act, probability: law[act]! };
      },
      said() {},
    };
  },
});

/** What the agent does: greets, then offers or looks something up. */
export function agentAct(encounter: Encounter, random: Random): number {
  if (encounter.steps.length === 0) return 0;
  return encounter.steps.at(-1)!.side === 'user' && random.next() < 0.25 ? 2 : 1;
}

export const tinyRandom = (label: string) => seeded(`test/lab/record/${label}`);
