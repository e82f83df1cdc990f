import { describe, expect, it } from 'vitest';
import {
  addDivergenceGradient,
  addEntropyGradient,
  addLogProbGradient,
  decodeCheckpoint,
  divergenceOf,
  drawAct,
  entropyOf,
  initialise,
  logSoftmaxRows,
  type NetworkShape,
  PolicyNetwork,
} from '../../../src/lab/learning/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { expectSameGradient, finiteDifference } from './finite-difference.ts';

const ROWS = 6;
const SHAPES: NetworkShape[] = [
  { inputs: 5, hidden: [], acts: 4 },
  { inputs: 5, hidden: [7], acts: 4 },
  { inputs: 5, hidden: [6, 3], acts: 4 },
];

/** Numbers large enough that no gradient is near 0. */
function setting(shape: NetworkShape, seed: string) {
  const random = seeded(seed);
  const normals = (n: number, scale = 1) => Float64Array.from({ length: n }, () => scale * random.normal());
  const policy = initialise(shape, random);
  policy.parameters.set(normals(policy.parameters.length, 0.6));
  const mask = new Uint8Array(ROWS * shape.acts).fill(1);
  mask[1] = 0;
  mask[2 * shape.acts + 3] = 0;
  const reference = normals(ROWS * shape.acts);
  logSoftmaxRows(reference, ROWS, shape.acts, mask);
  return {
    policy,
    observation: normals(ROWS * shape.inputs),
    coefficient: normals(ROWS),
    act: Int32Array.from({ length: ROWS }, (_, row) => (row % 2 === 0 ? 0 : 2)),
    mask,
    reference,
  };
}

describe.each(SHAPES)('the gradient of a policy network with hidden layers $hidden', (shape) => {
  const { acts } = shape;
  const { policy, observation, coefficient, act, mask, reference } = setting(shape, 'gradients');
  const buffers = policy.buffers(ROWS);
  const forward = () => policy.forward(observation, ROWS, buffers, mask);
  const sum = (term: (row: number, at: number) => number) => () => {
    forward();
    return coefficient.reduce((total, c, row) => total + c * term(row, row * acts), 0);
  };
  const exact = (add: (row: number, at: number) => void) => {
    forward();
    buffers.logitGradient.fill(0);
    for (let row = 0; row < ROWS; row++) add(row, row * acts);
    const gradient = new Float64Array(policy.parameters.length);
    policy.backward(observation, ROWS, buffers, gradient);
    return gradient;
  };
  const { logProb, logitGradient } = buffers;

  it('is exact for weighted log probabilities', () => {
    expectSameGradient(
      exact((row, at) => addLogProbGradient(logitGradient, logProb, at, acts, act[row]!, coefficient[row]!)),
      finiteDifference(
        sum((row, at) => logProb[at + act[row]!]!),
        policy.parameters,
      ),
    );
  });
  it('is exact for entropy', () => {
    expectSameGradient(
      exact((row, at) => addEntropyGradient(logitGradient, logProb, at, acts, coefficient[row]!)),
      finiteDifference(
        sum((_, at) => entropyOf(logProb, at, acts)),
        policy.parameters,
      ),
    );
  });
  it('is exact for the divergence from a reference', () => {
    expectSameGradient(
      exact((row, at) =>
        addDivergenceGradient(logitGradient, logProb, reference, at, acts, coefficient[row]!),
      ),
      finiteDifference(
        sum((_, at) => divergenceOf(logProb, reference, at, acts)),
        policy.parameters,
      ),
    );
  });
});

describe('a policy network', () => {
  const shape = SHAPES[1]!;
  it('gives a row the same bits alone as in a batch', () => {
    const { policy, observation, mask } = setting(shape, 'rows');
    const buffers = policy.buffers(ROWS);
    policy.forward(observation, ROWS, buffers, mask);
    for (let row = 0; row < ROWS; row++)
      expect(
        policy.logProbs(
          observation.slice(row * shape.inputs, (row + 1) * shape.inputs),
          mask.slice(row * shape.acts, (row + 1) * shape.acts),
        ),
      ).toEqual(buffers.logProb.slice(row * shape.acts, (row + 1) * shape.acts));
  });
  it('starts close to uniform, the same for the same seed and another for another', () => {
    const fresh = initialise(shape, seeded('a'));
    const log = fresh.logProbs(Float64Array.from([1, 0, -1, 1, 0]));
    for (const value of log) expect(Math.exp(value)).toBeCloseTo(0.25, 1);
    expect(initialise(shape, seeded('a')).parameters).toEqual(fresh.parameters);
    expect(initialise(shape, seeded('b')).parameters).not.toEqual(fresh.parameters);
  });
  it('names its parameters', () => {
    const fresh = initialise(shape, seeded('a'));
    expect(fresh.slice('hidden1.weights')).toHaveLength(35);
    expect(fresh.slice('logits.biases')).toEqual(new Float64Array(4));
    fresh.slice('logits.biases')[1] = 50;
    expect(fresh.logProbs(new Float64Array(5))[1]).toBeCloseTo(0, 10);
    expect(() => fresh.slice('hidden2.weights')).toThrow(/hidden2/);
  });
  it('refuses widths that are none and parameters that do not fit', () => {
    for (const inputs of [0, -1, 1.5, Number.NaN])
      expect(() => initialise({ ...shape, inputs }, seeded('a'))).toThrow(/width/);
    expect(() => new PolicyNetwork(shape, new Float64Array(3))).toThrow(/3/);
    expect(() => decodeCheckpoint('{"shape":')).toThrow(/not a checkpoint/);
  });
});

describe('acts', () => {
  it('are drawn with their probabilities, and masked ones never', () => {
    const random = seeded('draws');
    const log = Float64Array.from([1, 2, 99, 0.5]);
    logSoftmaxRows(log, 1, 4, Uint8Array.from([1, 1, 0, 1]));
    const counts = [0, 0, 0, 0];
    const n = 20_000;
    for (let i = 0; i < n; i++) counts[drawAct(log, 0, 4, random)]! += 1;
    expect(counts[2]).toBe(0);
    counts.forEach((count, act) => {
      const p = Math.exp(log[act]!);
      expect(Math.abs(count / n - p)).toBeLessThan(4.5 * Math.sqrt((p * (1 - p)) / n) + 1e-12);
    });
  });
  it('that are masked stay undrawn where the draw is as high as it can be', () => {
    const log = Float64Array.from([0, 0, 5]);
    logSoftmaxRows(log, 1, 3, Uint8Array.from([1, 1, 0]));
    const highest = { ...seeded('x'), next: () => 1 - 2 ** -53 } as ReturnType<typeof seeded>;
    expect(drawAct(log, 0, 3, highest)).toBe(1);
  });
  it('are not drawn from what is no distribution', () => {
    expect(drawAct(Float64Array.from([Number.NaN, Number.NaN]), 0, 2, seeded('x'))).toBe(-1);
  });
  it('must be allowed somewhere', () => {
    expect(() => logSoftmaxRows(new Float64Array(2), 1, 2, new Uint8Array(2))).toThrow(/no act/);
  });
  it('have entropy log A and divergence 0 where all are alike, whatever their logits are', () => {
    const log = new Float64Array(4).fill(700);
    logSoftmaxRows(log, 1, 4, null);
    expect(entropyOf(log, 0, 4)).toBeCloseTo(Math.log(4), 12);
    expect(divergenceOf(log, log, 0, 4)).toBe(0);
  });
});
