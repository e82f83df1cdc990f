import { cellTable, drawnRows, steadyRows } from './draw.mjs';
import { LAWS, small } from './scd.mjs';

const twoSides = [
  ...drawnRows('scd/before', { laws: { x: LAWS.c, y: LAWS.b }, units: 12, rows: 3 }).map((r) => ['a', ...r]),
  ...drawnRows('scd/after', { laws: { x: LAWS.a, y: LAWS.b }, units: 12, rows: 3, from: 3 }).map((r) => [
    'b',
    ...r,
  ]),
];
const epochs = [LAWS.c, LAWS.b, LAWS.a].flatMap((law, epoch) =>
  drawnRows(`scd/epoch-${epoch}`, { laws: { x: law, y: LAWS.c }, units: 10, rows: 2 }).map((row) => [
    10 * epoch,
    ...row,
  ]),
);
const three = [0, 1, 2];

export const CHANGE = {
  file: 'scd-change',
  group: 'counts',
  title: 'SCD: differences of two populations, epochs, simulators jointly',
  cases: [
    {
      id: 'scd/difference',
      about: 'Two populations that share 9 of 12 units: what is shared leaves both at once.',
      task: 'collapse-difference',
      input: {
        k: 5,
        table: { fields: ['population', 'unit', 'simulator', 'cell', 'outside'], rows: twoSides },
      },
    },
    {
      id: 'scd/difference-few-units',
      about:
        'One of the two populations has seven units only: a comparison counts those of each, so no interval.',
      task: 'collapse-difference',
      input: {
        k: 2,
        table: {
          fields: ['population', 'unit', 'simulator', 'cell', 'outside'],
          rows: [
            ...steadyRows(9, { x: [0, 1] }).map((row) => ['a', ...row]),
            ...steadyRows(7, { x: [0, 0] }).map((row) => ['b', ...row]),
          ],
        },
      },
      theory: {
        'pooled.value': [-1, '0 - 1'],
        'pooled2.value': [-1, '0 - 1'],
        'pooled2.low': [null, 'seven units'],
      },
    },
    {
      id: 'scd/difference-of-equals',
      about: 'A population minus itself.',
      task: 'collapse-difference',
      input: {
        k: 5,
        table: {
          fields: ['population', 'unit', 'simulator', 'cell', 'outside'],
          rows: ['a', 'b'].flatMap((side) => small.rows.map((row) => [side, ...row])),
        },
      },
      theory: {
        'pooled.value': [0, 'equal populations'],
        'pooled.high': [0, 'what is shared cancels'],
        'pooled2.value': [0, 'equal populations'],
        'pooled2.low': [0, 'what is shared cancels'],
      },
    },
    {
      id: 'scd/epochs',
      about: 'Three epochs at steps 0, 10 and 20 on the same units, and the least-squares slope on the step.',
      task: 'curve',
      input: { k: 5, table: { fields: ['epoch', 'unit', 'simulator', 'cell', 'outside'], rows: epochs } },
    },
    {
      id: 'scd/two-epochs',
      about: 'Two modes, two epochs: from all modes equally to one mode, over 4 steps.',
      task: 'curve',
      input: {
        k: 2,
        table: {
          fields: ['epoch', 'unit', 'simulator', 'cell', 'outside'],
          rows: [
            ...steadyRows(8, { a: [1, 1] }).map((row) => [5, ...row]),
            ...steadyRows(8, { a: [0, 1] }).map((row) => [1, ...row]),
          ],
        },
      },
      theory: {
        'epoch.1.scd2.value': [0, 'all modes equally'],
        'epoch.5.scd2.value': [1, 'one mode'],
        'slope.scd.value': [1 / 4, 'from 0 to 1 in 4 steps'],
        'slope.scd2.value': [1 / 4, 'from 0 to 1 in 4 steps'],
        'slope.mci.value': [1 / 8, 'from 1/2 to 1 in 4 steps'],
      },
    },
    {
      id: 'scd/one-epoch',
      about: 'One epoch has no slope.',
      task: 'curve',
      input: {
        k: 2,
        table: {
          fields: ['epoch', 'unit', 'simulator', 'cell', 'outside'],
          rows: steadyRows(8, { a: [1, 0] }).map((row) => [5, ...row]),
        },
      },
      theory: { 'slope.scd2.value': [null, 'one epoch'] },
    },
    {
      id: 'scd/joint-independent',
      about:
        'Every simulator shows all modes in every unit: the tables of pairs are uniform under each permutation, so no edge has information and `joint` is 1 - mean H / log K.',
      task: 'joint',
      input: { k: 3, table: cellTable(steadyRows(9, { a: three, b: three, c: three })) },
      theory: { 'joint.value': [0, 'independent uniform simulators'] },
      only: ['joint.value'],
    },
    {
      id: 'scd/joint-copies',
      about: 'b does what a does in each of 60 units, all 3 modes equally often: one edge.',
      task: 'joint',
      input: {
        k: 3,
        table: cellTable(
          ['a', 'b'].flatMap((name) => Array.from({ length: 60 }, (_, u) => [u, name, u % 3, 0])),
        ),
      },
      theory: { edges: [1, 'the two are copies'] },
      tolerance: {
        absolute: 0.006,
        relative: 0,
        why: 'mutual information is taken less its mean over 200 permutations; under permutation it is about chi-squared with 4 degrees of freedom over 2 n = 120: standard deviation 0.024, of a mean of 200 0.0017, over 2 log 3 0.0008',
      },
    },
    {
      id: 'scd/joint-alone',
      about: 'One simulator has nobody to be joint with.',
      task: 'joint',
      input: { k: 3, table: cellTable(steadyRows(8, { a: three })) },
      theory: { 'joint.value': [null, 'one simulator'] },
    },
    {
      id: 'scd/joint-too-few-rows',
      about: '(K - 1)^2 / (2 n) > 0.1 log K with n = 12 paired rows.',
      task: 'joint',
      input: { k: 5, table: cellTable(steadyRows(12, { a: [0], b: [1] })) },
      theory: { 'joint.value': [null, '16 / 24 > 0.1 log 5'] },
    },
  ],
};
