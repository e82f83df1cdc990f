import { describe, expect, it } from 'vitest';
import { ProbingWitness, planProbes, standInsAt } from '../../../src/lab/record/index.ts';
import type { Simulator } from '../../../src/lab/simulators/simulator.ts';
import { agentAct, TINY, tinyRandom, tinySetting, tinySimulator, traits } from './tiny-world.ts';

const narrow = tinySimulator('narrow', 'scripted', true);
/** Distrusts, in everybody's words. */
const sour: Simulator = {
  ...narrow,
  id: 'sour',
  open: (random) => ({ ...narrow.open(random), users: [traits({ trust: 0 })] }),
};
const population = [narrow, sour].map((simulator) => ({ simulator, weight: 0.5 }));

/** Plays `count` episodes of `narrow` side by side and tells what was found of each. */
function witnessed(count: number, share: number, of = population) {
  const plans = Array.from({ length: count }, (_, i) => ({
    setting: tinySetting(i),
    simulator: narrow,
    random: tinyRandom(`witnessed/${i}`),
  }));
  const witness = new ProbingWitness(TINY, plans, { share, resamples: 6, population: of });
  return plans.map(({ setting, random }, i) => {
    const session = narrow.open(random.fork('session'));
    const encounter = TINY.begin(setting, session.users);
    const [agent, user] = [random.fork('agent'), random.fork('user')];
    while (encounter.phase !== 'over')
      if (encounter.phase === 'agent') encounter.actAgent(agentAct(encounter, agent));
      else {
        const reply = session.reply(encounter, user);
        witness.see(i, encounter, session, reply);
        encounter.actUser(reply.act);
      }
    return { steps: encounter.steps, replies: witness.replies(i), probes: witness.probes(i) };
  });
}

describe('ProbingWitness', () => {
  it('finds the same of an episode whoever is played beside it', () => {
    expect(witnessed(2, 0.5)[1]).toEqual(witnessed(9, 0.5)[1]);
  });

  it('changes nothing of what is played', () => {
    const steps = (share: number) => witnessed(9, share).map((one) => one.steps);
    expect(steps(1)).toEqual(steps(0));
  });

  it('keeps every reply, and probes every turn or none at the ends of the share', () => {
    for (const { steps, replies, probes } of witnessed(9, 1)) {
      const users = steps.flatMap(({ side }, at) => (side === 'user' ? [at] : []));
      expect([...replies.keys()]).toEqual(users);
      expect(probes.map(({ step }) => step)).toEqual(users);
      for (const { probability, replies } of probes) {
        expect(probability).toBe(1);
        expect(replies.map(({ law }) => law).sort()).toEqual([
          ...new Array(6).fill('member'),
          ...new Array(6).fill('population'),
        ]);
      }
    }
    expect(witnessed(9, 0).flatMap(({ probes }) => probes)).toEqual([]);
  });

  it('asks the member alone where somebody of the population has no exact law', () => {
    const vague: Simulator = {
      ...sour,
      open: (random) => ({ ...sour.open(random), law: () => false }),
    };
    const found = witnessed(9, 1, [{ simulator: vague, weight: 1 }]).flatMap(({ probes }) => probes);
    for (const { step, replies } of found)
      expect(replies.some(({ law }) => law === 'population')).toBe(step === 1);
  });
});

describe('standInsAt', () => {
  it('weighs members by what they would have said', () => {
    const steps = [
      { side: 'agent', act: 1 },
      { side: 'user', act: 2 },
      { side: 'agent', act: 1 },
    ] as const;
    const [setting, random] = [tinySetting(0), tinyRandom('posterior')];
    const likelihood = (trust: number) => {
      const encounter = TINY.begin(setting, [traits({ trust })]);
      encounter.actAgent(1);
      const law = new Float64Array(4);
      encounter.law(0, law);
      return law[2]!;
    };
    const posterior = likelihood(0.9) / (likelihood(0.9) + likelihood(0));
    const found = standInsAt(TINY, setting, steps, population, random)!;
    expect(found.map(({ id }) => id)).toEqual(['narrow', 'sour']);
    expect(found[0]!.weight).toBeCloseTo(posterior, 12);
    expect(found[0]!.weight + found[1]!.weight).toBeCloseTo(1, 12);
    expect(found[0]!.encounter.steps).toHaveLength(3);
  });
});

describe('planProbes', () => {
  it('probes turns with the chance it states', () => {
    let probed = 0;
    for (let episode = 0; episode < 400; episode++) {
      const plan = planProbes({ share: 0.3 }, tinyRandom(`plan/${episode}`));
      expect(plan.resamples).toBe(8);
      for (let depth = 0; depth < 10; depth++) if (plan.probes(depth)) probed += 1;
    }
    expect(Math.abs(probed / 4000 - 0.3)).toBeLessThan(4 * Math.sqrt(0.21 / 4000));
  });

  it('refuses what cannot be', () => {
    const random = tinyRandom('plan');
    for (const options of [{ share: 1.1 }, { share: Number.NaN }, { share: 0.5, resamples: 1 }])
      expect(() => planProbes(options, random)).toThrow(RangeError);
  });
});
