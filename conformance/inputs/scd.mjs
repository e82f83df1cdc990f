import { cellTable, drawnRows, steadyRows } from './draw.mjs';

export const LAWS = {
  a: [0.7, 0.1, 0.1, 0.1, 0],
  b: [0.1, 0.6, 0.2, 0.05, 0.05],
  c: [0.25, 0.25, 0.2, 0.2, 0.1],
};
/** Three simulators on shared units. */
export const small = cellTable(drawnRows('scd/small', { laws: LAWS, units: 12, rows: [1, 4] }));
const apart = cellTable([
  ...drawnRows('scd/apart-a', { laws: { a: LAWS.a }, units: 10, rows: 3 }),
  ...drawnRows('scd/apart-b', { laws: { b: LAWS.b }, units: 9, rows: [1, 3], from: 10 }),
]);
const three = [0, 1, 2];

export const SCD = {
  file: 'scd',
  group: 'counts',
  title: 'SCD of a population',
  cases: [
    {
      id: 'scd/equal-modes',
      about: 'Every simulator shows all K modes equally.',
      task: 'collapse',
      input: { k: 3, table: cellTable(steadyRows(8, { a: three, b: three })) },
      theory: {
        'pooled.value': [0, 'entropy log K'],
        'pooled2.value': [0, 'c_mix = 1/K'],
        'within.value': [Math.log(3), 'each has entropy log K'],
        'between.value': [0, 'the laws agree'],
        'pooled2Alike.value': [0, 'all alike'],
      },
    },
    {
      id: 'scd/one-mode',
      about: 'Every simulator shows the same single mode.',
      task: 'collapse',
      input: { k: 4, table: cellTable(steadyRows(8, { a: [2, 2], b: [2, 2] })) },
      theory: {
        'pooled.value': [1, 'entropy 0'],
        'pooled2.value': [1, 'c_mix = 1'],
        'within.value': [0, 'entropy 0'],
        'between.value': [0, 'the laws agree'],
        'concentration.value': [1, 'all pairs coincide'],
      },
    },
    {
      id: 'scd/disjoint-users',
      about: 'N deterministic simulators with a mode each, K = N: narrow each, but not all alike.',
      task: 'collapse',
      input: { k: 4, table: cellTable(steadyRows(12, { a: [0], b: [1], c: [2], d: [3] })) },
      theory: {
        'pooled.value': [0, 'the mixture is uniform'],
        'pooled2.value': [0, 'c_mix = 1/N'],
        'within.value': [0, 'each has entropy 0'],
        'between.value': [Math.log(4), 'Jensen-Shannon divergence log N'],
        'pooled2Within.value': [0, 'c_within = 1'],
        'pooled2Alike.value': [Math.log(4), 'log(c_within / c_mix) = log N'],
      },
    },
    {
      id: 'scd/equal-weights',
      about:
        'Three simulators on shared units with different numbers of rows; every simulator weighs the same.',
      task: 'collapse',
      input: { k: 5, table: small },
    },
    {
      id: 'scd/traffic-weights',
      about: 'The same rows, weights by rows, held fixed in the interval.',
      task: 'collapse',
      input: { k: 5, weights: 'traffic', table: small },
    },
    {
      id: 'scd/given-weights',
      about:
        'The same rows, weights given in the order of names; a weight of 0 takes a simulator out, even one whose single unit would make all null.',
      task: 'collapse',
      input: { k: 5, weights: [3, 0, 1, 0], table: cellTable([...small.rows, [3, 'd', 0, 0]]) },
    },
    {
      id: 'scd/no-shared-units',
      about:
        'Simulators on different units: each part is corrected by itself, variances add, and there are 10 and 9 units to leave out.',
      task: 'collapse',
      input: { k: 5, table: apart },
    },
    {
      id: 'scd/few-units-each',
      about:
        'Two modes; six units each, ten in all: a population counts the units of the union, so there are intervals.',
      task: 'collapse',
      input: {
        k: 2,
        table: cellTable([
          ...drawnRows('scd/few-a', { laws: { a: [0.7, 0.3] }, units: 6, rows: 3 }),
          ...drawnRows('scd/few-b', { laws: { b: [0.4, 0.6] }, units: 6, rows: 3, from: 4 }),
        ]),
      },
    },
    {
      id: 'scd/short-simulator',
      about: 'A simulator with fewer than 3 K rows: the split of `pooled` is null, the rest stands.',
      task: 'collapse',
      input: {
        k: 5,
        table: cellTable(drawnRows('scd/short', { laws: { a: LAWS.a, b: LAWS.c }, units: 9, rows: 1 })),
      },
    },
    {
      id: 'scd/one-unit-simulator',
      about:
        'A simulator with one unit only: `pooled` cannot be corrected, and its rows make no pair, so all is null.',
      task: 'collapse',
      input: { k: 3, table: cellTable([...steadyRows(8, { a: three }), [2, 'b', 1, 0], [2, 'b', 0, 0]]) },
      theory: {
        'pooled.value': [null, 'fewer than 2 units'],
        'pooled2.value': [null, 'no pair of rows from different units'],
      },
    },
    {
      id: 'scd/nothing-coincides',
      about: 'No mode twice: c_mix and c_within are 0 and have no logarithm.',
      task: 'collapse',
      input: { k: 16, table: cellTable(Array.from({ length: 16 }, (_, u) => [u, 'a', u, 0])) },
      theory: { 'pooled2.value': [null, 'c_mix = 0'], 'concentration.value': [0, 'c_mix = 0'] },
    },
    {
      id: 'scd/rests-on-one-unit',
      about:
        'Units 0 and 1 coincide and no others do: the value stands, but without either of them c_mix is 0, so there is no interval.',
      task: 'collapse',
      input: {
        k: 8,
        table: cellTable([0, 0, 1, 2, 3, 4, 5, 6].map((cell, unit) => [unit, 'a', cell, 0])),
      },
      theory: {
        'pooled2.value': [1 + Math.log(2 / 56) / Math.log(8), 'one pair of 28'],
        'pooled2.low': [null, 'not defined without unit 0'],
        'concentration.value': [2 / 56, 'one pair of 28'],
      },
    },
    {
      id: 'scd/no-simulator',
      about: 'No rows at all.',
      task: 'collapse',
      input: { k: 4, table: cellTable([]) },
      theory: { 'pooled.value': [null, 'nothing to measure'], 'pooled2.value': [null, 'nothing to measure'] },
    },
    {
      id: 'scd/one-mode-codebook',
      about: 'K = 1: log K is 0.',
      task: 'collapse',
      input: { k: 1, table: cellTable(steadyRows(8, { a: [0] })) },
      theory: { 'pooled.value': [null, 'log K = 0'], 'pooled2.value': [null, 'log K = 0'] },
    },
    {
      id: 'scd/named-estimators',
      about: 'Offered by name, on pooled counts, every row weighs the same.',
      task: 'named-estimators',
      input: { k: 5, table: small },
    },
    {
      id: 'scd/named-all-once',
      about: 'Every cell once: Chao & Shen take one singleton less, else the coverage would be 0.',
      task: 'named-estimators',
      input: { k: 6, table: cellTable([0, 1, 2, 3].map((cell) => [cell, 'a', cell, 0])) },
      theory: {
        'plug-in.value': [1 - Math.log(4) / Math.log(6), 'entropy log 4'],
        'miller-madow.value': [1 - (Math.log(4) + 3 / 8) / Math.log(6), '+ (cells - 1) / 2n'],
      },
    },
  ],
};
