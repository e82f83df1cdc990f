import { describe, expect, it } from 'vitest';
import {
  Adam,
  Grpo,
  type GrpoSettings,
  type GrpoUpdate,
  initialise,
  k3,
  PolicyNetwork,
  type RolloutBatch,
} from '../../../src/lab/learning/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { expectSameGradient, finiteDifference } from './finite-difference.ts';

const SHAPE = { inputs: 4, hidden: [6], acts: 5 };
const LENGTHS = [3, 1, 4, 2];
/** Both sides of both clips, and between them. */
const RATIOS = [0.5, 0.9, 1.1, 1.6, 1.25];

function setting(seed = 'grpo') {
  const random = seeded(seed);
  const policy = initialise(SHAPE, random);
  policy.parameters.forEach((_, i) => {
    policy.parameters[i] = 0.6 * random.normal();
  });
  const reference = initialise(SHAPE, random);
  const episode = Int32Array.from(LENGTHS.flatMap((length, e) => Array<number>(length).fill(e)));
  const observation = Float64Array.from({ length: episode.length * SHAPE.inputs }, () => random.normal());
  const act = Int32Array.from(episode, () => random.integer(SHAPE.acts));
  const mask = new Uint8Array(episode.length * SHAPE.acts).fill(1);
  act.forEach((own, row) => {
    mask[row * SHAPE.acts + ((own + 1) % SHAPE.acts)] = row % 2;
  });
  const buffers = policy.buffers(episode.length);
  policy.forward(observation, episode.length, buffers, mask);
  const logProb = Float64Array.from(
    act,
    (own, row) => buffers.logProb[row * SHAPE.acts + own]! - Math.log(RATIOS[row % RATIOS.length]!),
  );
  const batch: RolloutBatch = {
    episode,
    observation,
    act,
    mask,
    logProb,
    advantage: Float64Array.from([1.2, -0.7, -1.1, 0.4]),
  };
  return { policy, reference, batch };
}

const fresh = (policy: PolicyNetwork) => new PolicyNetwork(policy.shape, policy.parameters.slice());
function updated(
  policy: PolicyNetwork,
  reference: PolicyNetwork | null,
  batch: RolloutBatch,
  settings: Partial<GrpoSettings> = {},
) {
  const grpo = new Grpo(fresh(policy), reference, new Adam(policy.parameters.length), settings);
  const result = grpo.update(batch, seeded('update'));
  expect(result.status).toBe('updated');
  return { grpo, result: result as GrpoUpdate };
}

/** The batch with its steps stored in another order; steps of an episode stay in theirs. */
function stored(batch: RolloutBatch, order: number[]): RolloutBatch {
  const rows = <T extends Float64Array | Uint8Array>(data: T, width: number): T => {
    const moved = data.slice() as T;
    order.forEach((from, to) => {
      moved.set(data.subarray(from * width, (from + 1) * width), to * width);
    });
    return moved;
  };
  return {
    episode: Int32Array.from(order, (row) => batch.episode[row]!),
    observation: rows(batch.observation, SHAPE.inputs),
    act: Int32Array.from(order, (row) => batch.act[row]!),
    mask: rows(batch.mask!, SHAPE.acts),
    logProb: rows(batch.logProb as Float64Array, 1),
    advantage: batch.advantage,
  };
}

describe('the loss of GRPO', () => {
  const { policy, reference, batch } = setting();
  it.each([
    ['the surrogate on both sides of the clips', { kl: 0 }],
    ['the penalty and the bonus beside it', { kl: 0.7, entropy: 0.3 }],
    ['means over steps', { kl: 0.1, mean: 'token' as const }],
    ['narrow clips', { kl: 0, clipLow: 0.05, clipHigh: 0.05 }],
  ])('has the gradient of finite differences: %s', (_, settings) => {
    const point = fresh(policy);
    const { grpo } = updated(policy, reference, batch, settings);
    expectSameGradient(
      grpo.gradient,
      finiteDifference(() => updated(point, reference, batch, settings).result.loss, point.parameters),
    );
  });
  it('is the mean over episodes, or over steps, of what a plain loop finds', () => {
    const { logProbs, referenceLogProbs } = (() => {
      const at = (network: PolicyNetwork, row: number) =>
        network.logProbs(
          batch.observation.slice(row * 4, row * 4 + 4),
          batch.mask!.slice(row * 5, row * 5 + 5),
        )[batch.act[row]!]!;
      const rows = [...batch.episode.keys()];
      return {
        logProbs: rows.map((row) => at(policy, row)),
        referenceLogProbs: rows.map((row) => at(reference, row)),
      };
    })();
    const term = (row: number) => {
      const ratio = Math.exp(logProbs[row]! - batch.logProb[row]!);
      const advantage = batch.advantage[batch.episode[row]!]!;
      return Math.min(ratio * advantage, Math.min(Math.max(ratio, 0.8), 1.28) * advantage);
    };
    for (const mean of ['token', 'sequence'] as const) {
      const weight = (row: number) => (mean === 'token' ? 1 / 10 : 1 / (4 * LENGTHS[batch.episode[row]!]!));
      const total = (of: (row: number) => number) =>
        [...batch.episode.keys()].reduce((sum, row) => sum + weight(row) * of(row), 0);
      const { result } = updated(policy, reference, batch, { mean });
      expect(result.surrogate).toBeCloseTo(total(term), 12);
      expect(result.kl).toBeCloseTo(
        total((row) => k3(logProbs[row]!, referenceLogProbs[row]!)),
        12,
      );
      expect(result.loss).toBeCloseTo(-result.surrogate + 0.005 * result.kl!, 14);
    }
  });
  it('counts the steps that the clip holds back', () => {
    const { result } = updated(policy, reference, batch);
    const held = [...batch.episode.keys()].filter((row) => {
      const ratio = RATIOS[row % RATIOS.length]!;
      return batch.advantage[batch.episode[row]!]! > 0 ? ratio > 1.28 : ratio < 0.8;
    });
    expect(held.length).toBeGreaterThan(1);
    expect(result.clipShare).toBeCloseTo(held.length / 10, 14);
  });
  it('has no gradient from groups without variance where the policy is its reference', () => {
    const still = { ...batch, advantage: new Float64Array(4) };
    const { grpo, result } = updated(policy, fresh(policy), still);
    expect(result.gradientNorm).toBe(0);
    expect(result.kl).toBe(0);
    expect(grpo.policy.parameters).toEqual(policy.parameters);
  });
});

describe('an update', () => {
  const { policy, reference, batch } = setting('order');
  const orders = [
    [9, 8, 4, 5, 6, 7, 3, 0, 1, 2].toSorted((a, b) => batch.episode[b]! - batch.episode[a]! || a - b),
    [0, 3, 4, 8, 1, 5, 2, 6, 9, 7],
  ];
  it.each([{}, { minibatches: 3, epochs: 2 }])(
    'has the same bits in whatever order episodes are stored (%o)',
    (s) => {
      const { grpo, result } = updated(policy, reference, batch, s);
      for (const order of orders) {
        const other = updated(policy, reference, stored(batch, order), s);
        expect(other.grpo.policy.parameters).toEqual(grpo.policy.parameters);
        expect(other.result).toEqual(result);
      }
    },
  );
  it('has the same gradient, but for rounding, however episodes are numbered', () => {
    const { grpo } = updated(policy, reference, batch);
    const other = updated(policy, reference, {
      ...batch,
      episode: batch.episode.map((e) => 3 - e),
      advantage: batch.advantage.toReversed(),
    });
    other.grpo.gradient.forEach((value, i) => {
      expect(value).toBeCloseTo(grpo.gradient[i]!, 13);
    });
  });
  it('takes as many steps as there are parts and passes', () => {
    expect(updated(policy, reference, batch, { minibatches: 2, epochs: 3 }).grpo.adam.step).toBe(6);
    expect(updated(policy, reference, batch, { minibatches: 99 }).grpo.adam.step).toBe(4);
  });
  it('may be repeated with batches of other sizes', () => {
    const grpo = new Grpo(fresh(policy), reference, new Adam(policy.parameters.length));
    const small = { ...stored(batch, [0, 1, 2]), logProb: batch.logProb.slice(0, 3) };
    const three = {
      episode: small.episode,
      observation: batch.observation.slice(0, 12),
      act: small.act,
      mask: batch.mask!.slice(0, 15),
      logProb: small.logProb,
      advantage: batch.advantage,
    };
    expect(grpo.update(three, seeded('a'))).toMatchObject({ steps: 3, episodes: 1 });
    expect(grpo.update(batch, seeded('a'))).toMatchObject({ steps: 10, episodes: 4 });
    expect(grpo.update(three, seeded('a'))).toMatchObject({ status: 'updated', steps: 3 });
  });
  it('cuts a long gradient without hiding its length', () => {
    const whole = updated(policy, reference, batch);
    const cut = updated(policy, reference, batch, { gradientClip: 1e-3 });
    expect(cut.result.gradientNorm).toBe(whole.result.gradientNorm);
    expect(Math.hypot(...cut.grpo.adam.mean)).toBeCloseTo(1e-4, 12);
  });
});

describe('a run that diverges says so', () => {
  const { policy, reference, batch } = setting('diverged');
  const result = (change: Partial<RolloutBatch>, from = policy, settings: Partial<GrpoSettings> = {}) => {
    const grpo = new Grpo(fresh(from), reference, new Adam(policy.parameters.length), settings);
    return { found: grpo.update({ ...batch, ...change }, seeded('a')), grpo };
  };
  const spoilt = <T extends Float64Array>(values: T, at: number, value: number) => {
    const copy = values.slice();
    copy[at] = value;
    return copy as Float64Array;
  };
  it.each([
    ['an advantage of NaN', { advantage: spoilt(batch.advantage, 2, Number.NaN) }, /advantage is NaN/],
    ['an endless advantage', { advantage: spoilt(batch.advantage, 2, Infinity) }, /advantage is Infinity/],
    ['an old probability of 0', { logProb: spoilt(batch.logProb, 0, -Infinity) }, /when drawn/],
    ['an old probability that is none', { logProb: spoilt(batch.logProb, 0, Number.NaN) }, /when drawn/],
    ['an observation of NaN', { observation: spoilt(batch.observation, 0, Number.NaN) }, /is NaN/],
    ['an endless observation', { observation: spoilt(batch.observation, 0, Infinity) }, /NaN/],
    [
      'an advantage too large to square',
      { advantage: spoilt(batch.advantage, 1, -1e200) },
      /norm is Infinity/,
    ],
  ])('after %s, and keeps its parameters', (_, change, reason) => {
    const { found, grpo } = result(change);
    expect(found).toMatchObject({ status: 'diverged', reason: expect.stringMatching(reason) });
    expect(grpo.policy.parameters).toEqual(policy.parameters);
    expect(grpo.adam.step).toBe(0);
  });
  it('after a parameter that is none', () => {
    const broken = fresh(policy);
    broken.parameters[0] = Number.NaN;
    expect(result({}, broken).found.status).toBe('diverged');
  });
  it('after an act that the mask forbids', () => {
    const mask = batch.mask!.slice();
    mask[batch.act[0]!] = 0;
    expect(result({ mask }).found).toMatchObject({ reason: expect.stringMatching(/-Infinity/) });
  });
});

it('refuses what it cannot run with', () => {
  const { policy, reference, batch } = setting();
  const grpo = (settings: Partial<GrpoSettings>, other: PolicyNetwork | null = reference) =>
    new Grpo(fresh(policy), other, new Adam(policy.parameters.length), settings);
  for (const wrong of [
    { clipLow: 0 },
    { clipHigh: Number.NaN },
    { kl: -1 },
    { epochs: 0 },
    { minibatches: 1.5 },
  ])
    expect(() => grpo(wrong)).toThrow(/GRPO cannot run/);
  expect(() => grpo({}, initialise({ ...SHAPE, acts: 2 }, seeded('a')))).toThrow(/reference/);
  const update = (change: Partial<RolloutBatch>) => () =>
    grpo({}).update({ ...batch, ...change }, seeded('a'));
  expect(update({ act: new Int32Array(3) })).toThrow(/do not fit/);
  expect(update({ advantage: new Float64Array(2) })).toThrow(/do not fit/);
});

it('k3 is never below 0 and has the divergence for its mean', () => {
  const p = [0.5, 0.3, 0.2];
  const q = [0.2, 0.2, 0.6];
  const mean = p.reduce((sum, share, i) => sum + share * k3(Math.log(share), Math.log(q[i]!)), 0);
  expect(mean).toBeCloseTo(
    p.reduce((sum, share, i) => sum + share * Math.log(share / q[i]!), 0),
    12,
  );
  for (const log of [-30, -1, -1e-9, 0, 1e-9, 1, 30]) expect(k3(0, log)).toBeGreaterThanOrEqual(0);
});
