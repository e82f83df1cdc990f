import { describe, expect, it } from 'vitest';
import {
  Adam,
  decodeCheckpoint,
  drawAct,
  encodeCheckpoint,
  Grpo,
  initialise,
  type PolicyCheckpoint,
  rolloutAdvantages,
} from '../../../src/lab/learning/index.ts';
import { seeded } from '../../../src/math/random.ts';

const GROUP = 8;
const EPISODES = 64;
const CORRIDOR = { steps: 3, acts: 3, reward: (acts: number[]) => (acts.join() === '2,0,1' ? 1 : 0) };
const BANDIT = { steps: 1, acts: 4, reward: ([act]: number[]) => (act === 2 ? 1 : 0) };
type World = { steps: number; acts: number; reward: (acts: number[]) => number };

const start = (world: World, seed: string) => {
  const policy = initialise({ inputs: world.steps, hidden: [8], acts: world.acts }, seeded(seed));
  return { policy, adam: new Adam(policy.parameters.length, { learningRate: 0.02 }) };
};

/** Updates `from` .. `to - 1`, each with random numbers of its own; mean reward of the last. `mask` by step. */
function train(
  world: World,
  state: PolicyCheckpoint,
  seed: string,
  from: number,
  to: number,
  mask?: Uint8Array,
) {
  const { policy, adam } = state;
  const { steps, acts } = world;
  const grpo = new Grpo(policy, null, adam!);
  const size = EPISODES * steps;
  const batch = {
    episode: Int32Array.from({ length: size }, (_, i) => Math.floor(i / steps)),
    observation: new Float64Array(size * steps),
    act: new Int32Array(size),
    mask: mask === undefined ? null : new Uint8Array(size * acts),
    logProb: new Float64Array(size),
  };
  const group = Int32Array.from({ length: EPISODES }, (_, e) => Math.floor(e / GROUP));
  const drawn = new Set<string>();
  let mean = 0;
  for (let update = from; update < to; update++) {
    const random = seeded(`${seed}/${update}`);
    const reward = Float64Array.from({ length: EPISODES }, (_, e) => {
      const done: number[] = [];
      for (let step = 0; step < steps; step++) {
        const row = e * steps + step;
        batch.observation[row * steps + step] = 1;
        if (mask !== undefined) batch.mask!.set(mask.subarray(step * acts, (step + 1) * acts), row * acts);
        const log = policy.logProbs(
          batch.observation.slice(row * steps, (row + 1) * steps),
          batch.mask?.slice(row * acts, (row + 1) * acts) ?? null,
        );
        const act = drawAct(log, 0, acts, random);
        batch.act[row] = act;
        batch.logProb[row] = log[act]!;
        done.push(act);
        drawn.add(`${step}:${act}`);
      }
      return world.reward(done);
    });
    mean = reward.reduce((sum, r) => sum + r, 0) / EPISODES;
    expect(grpo.update({ ...batch, ...rolloutAdvantages(reward, group) }, random).status).toBe('updated');
  }
  return { mean, drawn };
}

describe('a policy learns', () => {
  it('which arm of a bandit pays', () => {
    const state = start(BANDIT, 'bandit');
    train(BANDIT, state, 'bandit', 0, 120);
    expect(Math.exp(state.policy.logProbs(Float64Array.from([1]))[2]!)).toBeGreaterThan(0.95);
  });
  it('the way down a corridor that pays at its end only', () => {
    const state = start(CORRIDOR, 'corridor');
    train(CORRIDOR, state, 'corridor', 0, 200);
    const chance = [2, 0, 1].reduce((product, act, step) => {
      const observation = new Float64Array(3);
      observation[step] = 1;
      return product * Math.exp(state.policy.logProbs(observation)[act]!);
    }, 1);
    expect(chance).toBeGreaterThan(0.95);
  });
  it('without ever drawing what is masked', () => {
    const mask = Uint8Array.from([1, 0, 1, 1, 1, 0, 0, 1, 1]);
    const { drawn } = train(CORRIDOR, start(CORRIDOR, 'masked'), 'masked', 0, 60, mask);
    expect(drawn.size).toBe(6);
    for (const forbidden of ['0:1', '1:2', '2:0']) expect(drawn).not.toContain(forbidden);
  });
});

describe('a checkpoint', () => {
  it('has equal bytes for equal seeds, and others for others', () => {
    const run = (seed: string) => {
      const state = start(CORRIDOR, seed);
      train(CORRIDOR, state, seed, 0, 10);
      return encodeCheckpoint(state);
    };
    expect(run('a')).toBe(run('a'));
    expect(run('a')).not.toBe(run('b'));
  });
  it('comes back bit by bit, with and without its optimiser', () => {
    const state = start(BANDIT, 'round');
    train(BANDIT, state, 'round', 0, 3);
    state.policy.parameters.set([-0, 5e-324, 1.7976931348623157e308]);
    for (const checkpoint of [state, { ...state, adam: null }]) {
      const text = encodeCheckpoint(checkpoint);
      const back = decodeCheckpoint(text);
      expect(back.policy.parameters).toEqual(state.policy.parameters);
      expect(encodeCheckpoint(back)).toBe(text);
    }
  });
  it('resumes with the bytes of an unbroken run', () => {
    const whole = start(CORRIDOR, 'resume');
    train(CORRIDOR, whole, 'resume', 0, 20);
    const first = start(CORRIDOR, 'resume');
    train(CORRIDOR, first, 'resume', 0, 7);
    const second = decodeCheckpoint(encodeCheckpoint(first));
    train(CORRIDOR, second, 'resume', 7, 20);
    expect(encodeCheckpoint(second)).toBe(encodeCheckpoint(whole));
  });
  it('that is damaged is refused with what is wrong', () => {
    const text = encodeCheckpoint(start(BANDIT, 'damaged'));
    const changed = (change: (value: Record<string, unknown>) => void) => {
      const value = JSON.parse(text);
      change(value);
      return JSON.stringify(value);
    };
    const wrong = [
      '',
      'null',
      text.slice(0, -9),
      changed((value) => delete value.adam),
      changed((value) => Object.assign(value, { parameters: 'AAAA' })),
      changed((value) => Object.assign(value, { parameters: '%%' })),
      changed((value) => Object.assign(value, { shape: { inputs: 1e9, hidden: [1e9], acts: 4 } })),
    ];
    for (const damaged of wrong) expect(() => decodeCheckpoint(damaged)).toThrow(/not a checkpoint/);
  });
});
