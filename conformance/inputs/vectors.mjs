import { drawer } from './draw.mjs';

const EIGEN = {
  absolute: 1e-6,
  relative: 1e-6,
  why: 'eigenvalues: routines differ in their last digits, and small negative ones are cut to 0',
};

function cloud(label, rows, columns, scale = 1, centre = 0) {
  const random = drawer(label);
  return Array.from({ length: rows }, () =>
    Array.from(
      { length: columns },
      (_, c) => Math.round(100 * (centre + scale * random.normal() * (c === 0 ? 2 : 1))) / 100,
    ),
  );
}

const units = (contexts, each) => Array.from({ length: contexts * each }, (_, row) => Math.floor(row / each));
const chunk = (list, columns) =>
  Array.from({ length: list.length / columns }, (_, row) => list.slice(row * columns, (row + 1) * columns));

export const VECTORS = {
  file: 'vectors',
  group: 'vectors',
  title: 'Spread, effective rank, distance within a context, Vendi score, PRDC coverage, kernel SCD',
  cases: [
    {
      id: 'vectors/itself',
      about: 'A simulator against itself.',
      task: 'dispersion',
      input: {
        columns: 3,
        simulator: { unit: units(8, 2), vectors: cloud('vectors/itself', 16, 3) },
        reference: { unit: units(8, 2), vectors: cloud('vectors/itself', 16, 3) },
      },
      theory: {
        'spread.value': [1, 'the same rows'],
        'spread.low': [1, 'what is shared cancels'],
        'withinContext.value': [1, 'the same rows'],
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/narrow',
      about:
        'A narrow simulator far from the reference: spread is about its own mean. Other units, variances add.',
      task: 'dispersion',
      input: {
        columns: 4,
        simulator: { unit: units(9, 2), vectors: cloud('vectors/narrow', 18, 4, 0.4, 5) },
        reference: { unit: units(10, 3).map((u) => u + 20), vectors: cloud('vectors/reference', 30, 4) },
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/shared-contexts',
      about: 'Both on the same contexts, one context with a single row (it has no distance).',
      task: 'dispersion',
      input: {
        columns: 3,
        simulator: { unit: [...units(9, 2), 9], vectors: cloud('vectors/shared-a', 19, 3, 0.7, 1) },
        reference: { unit: units(10, 2), vectors: cloud('vectors/shared-b', 20, 3) },
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/one-direction',
      about: 'All rows on one line: effective rank 1. All of one direction: Vendi 1.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: {
          unit: units(4, 2),
          vectors: [1, 2, 3, 4, 5, 6, 7, 8].map((x) => [x, 2 * x]),
        },
        reference: { unit: units(4, 2), vectors: cloud('vectors/line', 8, 2) },
      },
      theory: { 'effectiveRank.value': [1, 'one direction varies'], 'vendi.value': [1, 'one direction'] },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/reference-does-not-vary',
      about: 'Nothing to be relative to.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: { unit: units(4, 2), vectors: cloud('vectors/any', 8, 2) },
        reference: { unit: units(4, 2), vectors: Array.from({ length: 8 }, () => [1, 1]) },
      },
      theory: { 'spread.value': [null, 'trace 0'], 'withinContext.value': [null, 'distance 0'] },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/two-rows',
      about: 'Two rows each: trace 1/2 x 2^2 against 1/2 x 4^2, distances 2 and 4, one direction.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: {
          unit: [0, 0],
          vectors: [
            [1, 1],
            [3, 1],
          ],
        },
        reference: {
          unit: [1, 1],
          vectors: [
            [0, 0],
            [0, 4],
          ],
        },
      },
      theory: {
        'spread.value': [1 / 4, '2 / 8'],
        'withinContext.value': [1 / 2, '2 / 4'],
        'effectiveRank.value': [1, 'one direction varies'],
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/persons-in-one-context',
      about:
        'All rows have one context, and persons are the units: distances are between all rows, and a person leaves with every pair that has a row of theirs.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: { unit: units(9, 2), context: Array(18).fill(0), vectors: cloud('vectors/p', 18, 2, 0.5) },
        reference: {
          unit: units(8, 2).map((u) => u + 9),
          context: Array(16).fill(0),
          vectors: cloud('vectors/q', 16, 2),
        },
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/all-equal',
      about: 'The simulator says one thing only: no spread, no distance, rank and Vendi score 1.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: { unit: units(8, 2), vectors: Array.from({ length: 16 }, () => [0.5, 2]) },
        reference: { unit: units(8, 2), vectors: cloud('vectors/q', 16, 2) },
      },
      theory: {
        'spread.value': [0, 'nothing varies'],
        'withinContext.value': [0, 'nothing varies'],
        'effectiveRank.value': [1, 'nothing varies'],
        'vendi.value': [1, 'identical rows'],
      },
      tolerance: EIGEN,
    },
    {
      id: 'vectors/one-row',
      about: 'One row varies about nothing.',
      task: 'dispersion',
      input: {
        columns: 2,
        simulator: { unit: [0], vectors: [[1, 2]] },
        reference: { unit: units(4, 2), vectors: cloud('vectors/any', 8, 2) },
      },
      theory: {
        'spread.value': [null, 'fewer than 2 rows'],
        'effectiveRank.value': [null, 'fewer than 2 rows'],
      },
      tolerance: EIGEN,
    },
    {
      id: 'vendi/identical',
      about: 'n identical rows.',
      task: 'vendi',
      input: { columns: 3, vectors: Array.from({ length: 6 }, () => [1, 2, 2]) },
      theory: { 'vendi.value': [1, 'identical rows'] },
      tolerance: EIGEN,
    },
    {
      id: 'vendi/orthogonal',
      about: 'n orthogonal rows of different length; a row of length 0 has no direction and is left out.',
      task: 'vendi',
      input: {
        columns: 4,
        vectors: [...[1, 2, 3, 4].map((x, i) => [0, 1, 2, 3].map((c) => (c === i ? x : 0))), [0, 0, 0, 0]],
      },
      theory: { 'vendi.value': [4, 'orthogonal rows'] },
      tolerance: EIGEN,
    },
    {
      id: 'coverage/expectation',
      about:
        'N = 4, M = 3, one neighbour: 1 - (N - 1) / (N - 1 + M); the rows 0, 1, 3, 9 have radii 1, 1, 2, 6.',
      task: 'coverage',
      input: { columns: 1, neighbours: 1, reference: [[0], [1], [3], [9]], data: [[0.5], [20], [30]] },
      theory: { 'coverage.value': [0.5, 'the balls of 0 and 1 hold .5'], expected: [0.5, '1 - 3/6'] },
    },
    {
      id: 'coverage/too-few',
      about: 'A k-th neighbour needs k + 1 reference rows.',
      task: 'coverage',
      input: { columns: 1, neighbours: 3, reference: [[0], [1], [3]], data: [[0]] },
      theory: { 'coverage.value': [null, 'three reference rows'], expected: [null, 'no coverage'] },
    },
    {
      id: 'kernel/isotropic',
      about: 'Rows along +- each axis equally: the covariance of directions is a multiple of the identity.',
      task: 'kernel',
      input: {
        columns: 2,
        simulators: {
          a: {
            unit: units(8, 2),
            vectors: Array.from(
              { length: 16 },
              (_, i) =>
                [
                  [1, 0],
                  [-2, 0],
                  [0, 3],
                  [0, -1],
                ][i % 4],
            ),
          },
        },
      },
      theory: { 'kernel.value': [0, 'S = log d'] },
      tolerance: EIGEN,
    },
    {
      id: 'kernel/one-direction',
      about: 'All rows point one way; 5 d rows are enough.',
      task: 'kernel',
      input: {
        columns: 2,
        simulators: { a: { unit: units(10, 1), vectors: Array.from({ length: 10 }, (_, i) => [1 + i, 0]) } },
      },
      theory: { 'kernel.value': [1, 'S = 0'] },
      tolerance: EIGEN,
    },
    {
      id: 'kernel/equal-n',
      about: 'b has fewer rows, so a enters with its first rows only, as many as b has.',
      task: 'kernel',
      input: {
        columns: 3,
        simulators: {
          a: { unit: units(10, 2), vectors: cloud('kernel/a', 20, 3, 1, 1) },
          b: { unit: units(9, 2), vectors: cloud('kernel/b', 18, 3, 0.5, 2) },
        },
      },
      tolerance: EIGEN,
    },
    {
      id: 'kernel/one-dimension',
      about: 'log d is 0.',
      task: 'kernel',
      input: {
        columns: 1,
        simulators: { a: { unit: units(4, 2), vectors: [1, 2, 3, 4, 5, 6, 7, 8].map((x) => [x]) } },
      },
      theory: { 'kernel.value': [null, 'd = 1'] },
    },
    {
      id: 'kernel/too-few-rows',
      about: 'Fewer than 5 d rows in all.',
      task: 'kernel',
      input: { columns: 4, simulators: { a: { unit: units(9, 2), vectors: cloud('kernel/few', 18, 4) } } },
      theory: { 'kernel.value': [null, '18 < 5 x 4'] },
      tolerance: EIGEN,
    },
  ],
};

/** `published`: test/fixtures/metric-vectors.json, made with the packages it names. */
export function publishedScores(published) {
  const { packages } = published;
  return {
    file: 'published',
    group: 'vectors',
    title: 'Vendi score and PRDC coverage as published packages give them',
    cases: [
      ...published.vendi.map(({ name, columns, vectors, vendi }) => ({
        id: `vendi/published-${name.replaceAll(' ', '-')}`,
        about: 'Against the published package.',
        task: 'vendi',
        input: { columns, vectors: chunk(vectors, columns) },
        theory: { 'vendi.value': [vendi, `vendi-score ${packages['vendi-score']}, order 1, cosine kernel`] },
        tolerance: EIGEN,
      })),
      ...published.prdc.map(({ name, columns, k, reference, data, coverage }) => ({
        id: `coverage/published-${name.replaceAll(' ', '-')}`,
        about: 'Against the published package.',
        task: 'coverage',
        input: { columns, neighbours: k, reference: chunk(reference, columns), data: chunk(data, columns) },
        theory: { 'coverage.value': [coverage, `prdc ${packages.prdc}`] },
      })),
    ],
  };
}
