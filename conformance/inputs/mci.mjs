import { cellTable, drawnRows, steadyRows } from './draw.mjs';

const broad = [0.3, 0.25, 0.2, 0.15, 0.1, 0];
const narrow = [0.75, 0.1, 0.1, 0.05, 0, 0];

export const MCI = {
  file: 'mci',
  group: 'counts',
  title: 'MCI and effective modes of one simulator',
  cases: [
    {
      id: 'mci/equal-modes',
      about: 'K modes, each once in every unit: MCI is 1/K, and all jackknife replicates agree.',
      task: 'concentration',
      input: { k: 4, table: cellTable(steadyRows(10, { a: [0, 1, 2, 3] })) },
      theory: {
        'mci.a.value': [1 / 4, '1/K'],
        'mci.a.low': [1 / 4, 'no replicate differs'],
        'mci.a.high': [1 / 4, 'no replicate differs'],
        'effectiveModes.a.value': [4, 'Hill number of order 2: K'],
      },
    },
    {
      id: 'mci/one-mode',
      about: 'One mode only.',
      task: 'concentration',
      input: { k: 5, table: cellTable(steadyRows(9, { a: [3, 3] })) },
      theory: { 'mci.a.value': [1, 'one mode'], 'effectiveModes.a.value': [1, 'one mode'] },
    },
    {
      id: 'mci/pairs-inside-a-unit',
      about:
        'Two rows of a unit always agree, units never do: pairs of different units coincide in none, so MCI is 0 though two rows of one unit are alike. Below 1/K it is shown as it is; effective modes stop at K.',
      task: 'concentration',
      input: {
        k: 8,
        table: cellTable(Array.from({ length: 8 }, (_, u) => [0, 1].map(() => [u, 'a', u, 0])).flat()),
      },
      theory: {
        'mci.a.value': [0, 'no pair of rows from different units coincides'],
        'effectiveModes.a.value': [8, '1 / max(MCI, 1/K) = K'],
      },
    },
    {
      id: 'mci/by-hand',
      about:
        'Units of 2, 1 and 3 rows: counts 3, 2, 1; (9 + 4 + 1 - (2 + 1 + 3)) / (36 - (4 + 1 + 9)) = 8 / 22. Fewer than 8 units: no interval.',
      task: 'concentration',
      input: {
        k: 3,
        table: cellTable([
          [0, 'a', 0, 0],
          [0, 'a', 1, 0],
          [1, 'a', 0, 0],
          [2, 'a', 1, 0],
          [2, 'a', 2, 0],
          [2, 'a', 0, 0],
        ]),
      },
      theory: {
        'mci.a.value': [8 / 22, 'by hand'],
        'effectiveModes.a.value': [22 / 8, 'by hand'],
        'mci.a.low': [null, 'fewer than 8 units'],
      },
    },
    {
      id: 'mci/one-unit',
      about: 'All rows of one unit: there is no pair of rows from different units.',
      task: 'concentration',
      input: {
        k: 3,
        table: cellTable([
          [4, 'a', 0, 0],
          [4, 'a', 1, 0],
        ]),
      },
      theory: { 'mci.a.value': [null, 'fewer than 2 units'] },
    },
    {
      id: 'mci/outside-keeps-its-cell',
      about: 'Rows outside support keep their cell here: the same figures as without the marks.',
      task: 'concentration',
      input: {
        k: 4,
        table: cellTable(
          steadyRows(10, { a: [0, 1, 2, 3] }).map((row, i) => [row[0], row[1], row[2], i % 3 === 0 ? 1 : 0]),
        ),
      },
      theory: { 'mci.a.value': [1 / 4, '1/K'] },
    },
    {
      id: 'mci/differences',
      about:
        'a and b share their units (they lose one at once), c has units of its own (variances add, df by Welch-Satterthwaite). The interval of MCI is one of the logarithm, that of a difference is not.',
      task: 'concentration',
      input: {
        k: 6,
        table: cellTable([
          ...drawnRows('mci/ab', { laws: { a: narrow, b: broad }, units: 14, rows: [1, 4] }),
          ...drawnRows('mci/c', { laws: { c: broad }, units: 12, rows: 3, from: 20 }),
        ]),
        differences: [
          ['a', 'b'],
          ['b', 'a'],
          ['a', 'c'],
          ['a', 'a'],
        ],
      },
      theory: {
        'difference.a.a.value': [0, 'a sample minus itself'],
        'difference.a.a.low': [0, 'what is shared cancels'],
        'difference.a.a.high': [0, 'what is shared cancels'],
      },
    },
    {
      id: 'mci/two-units',
      about: 'Two units are enough for a value: of four pairs across them one coincides.',
      task: 'concentration',
      input: {
        k: 3,
        table: cellTable([
          [0, 'a', 0, 0],
          [0, 'a', 1, 0],
          [1, 'a', 1, 0],
          [1, 'a', 2, 0],
        ]),
      },
      theory: { 'mci.a.value': [1 / 4, 'one of four pairs'], 'mci.a.low': [null, 'two units'] },
    },
    {
      id: 'mci/difference-few-units',
      about:
        'Seven of the ten units of a are those of b: a comparison counts the units of each, so no interval.',
      task: 'concentration',
      input: {
        k: 2,
        table: cellTable([...steadyRows(10, { a: [0, 1] }), ...steadyRows(7, { b: [0, 0] })]),
        differences: [['a', 'b']],
      },
      theory: {
        'difference.a.b.value': [-0.5, '1/2 - 1'],
        'difference.a.b.low': [null, 'b has seven units'],
        'mci.a.low': [0.5, 'no replicate differs'],
      },
    },
    {
      id: 'mci/more-than-50-units',
      about:
        'Units in ascending order are dealt round robin into 50 groups, and groups are left out: units 0, 50 and 100 leave together.',
      task: 'concentration',
      input: {
        k: 6,
        table: cellTable(drawnRows('mci/many', { laws: { a: broad }, units: 120, rows: [1, 3] })),
      },
    },
  ],
};
