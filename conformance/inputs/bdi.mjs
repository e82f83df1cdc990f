import { drawnRows, steadyRows } from './draw.mjs';

const FIELDS = ['of', 'unit', 'cell', 'outside'];
const part = (of, rows) => rows.map(([unit, , cell, outside]) => [of, unit, cell, outside]);
const steady = (of, units, cells, from = 0) =>
  part(of, steadyRows(units, { s: cells })).map(([name, unit, ...rest]) => [name, unit + from, ...rest]);
const drawn = (of, label, law, settings) =>
  part(of, drawnRows(`bdi/${label}`, { laws: { s: law }, ...settings }));

const people = [0.3, 0.25, 0.2, 0.15, 0.1];
const llm = [0.8, 0.15, 0.05, 0, 0];

export const BDI = {
  file: 'bdi',
  group: 'counts',
  title: 'BDI: mass at a size, headline, support, realism, missing modes',
  cases: [
    {
      id: 'bdi/all-modes-everywhere',
      about: 'Data and people show every mode in every unit.',
      task: 'diversity',
      input: {
        k: 3,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 10, [0, 1, 2]),
            ...steady('ceiling', 10, [0, 1, 2], 20),
            ...steady('people', 10, [0, 1, 2], 40),
          ],
        },
      },
      theory: {
        'size.contexts': [5, 'half of 10 units'],
        'size.rows': [3, 'equal counts: that count'],
        'mass.data.value': [1, 'every mode is in each drawn unit'],
        'headline.value': [1, 'data = ceiling'],
        'support.value': [1, 'all modes visited'],
        'realism.value': [1, 'no row outside'],
        'missing.count': [0, 'none is missing'],
      },
    },
    {
      id: 'bdi/one-mode',
      about: 'The data show one mode, which holds .4 of the people; two others are missed beyond chance.',
      task: 'diversity',
      input: {
        k: 4,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 10, [0, 0]),
            ...steady('ceiling', 10, [0, 1], 20),
            ...steady('people', 10, [0, 0, 1, 1, 2], 40),
          ],
        },
      },
      theory: {
        'mass.data.value': [0.4, 'p_ref of the one mode'],
        'mass.ceiling.value': [0.8, 'p_ref of the two modes'],
        'headline.value': [0.5, '.4 / .8'],
        'difference.value': [-0.4, '.4 - .8'],
        'support.value': [1 / 4, 'one of four'],
        'missing.count': [2, '.6^20 and .8^20 are below .05 / 3; nobody visits the fourth'],
        'missing.1.p': [3 * 0.6 ** 20, 'Holm: 3 modes that people visit'],
        'missing.2.p': [2 * 0.8 ** 20, 'Holm: the second smallest of 3'],
      },
    },
    {
      id: 'bdi/one-unit-is-not-enough',
      about:
        'A mode seen in one unit only is never seen in two of the drawn ones; a mode in 4 of 8 units is, when 4 are drawn, with probability 1 - C(4,4)/C(8,4) - 4 C(4,3)/C(8,4).',
      task: 'diversity',
      input: {
        k: 3,
        table: {
          fields: FIELDS,
          rows: [
            ...[0, 0, 0, 0, 1, 1, 1, 2].map((cell, unit) => ['data', unit, cell, 0]),
            ...steady('ceiling', 8, [0], 20),
            ...[0, 0, 0, 0, 0, 0, 1, 1, 2, 2].map((cell, unit) => ['people', 40 + unit, cell, 0]),
          ],
        },
      },
      theory: {
        'size.contexts': [4, 'half of 8'],
        'size.rows': [1, 'one row a unit'],
        'mass.data.value': [
          0.6 * (1 - 1 / 70 - 16 / 70) + 0.2 * (1 - 5 / 70 - 30 / 70),
          'hypergeometric: 4 and 3 of 8 units, 4 drawn, two at least; the third mode 0',
        ],
      },
    },
    {
      id: 'bdi/rows-of-a-unit',
      about:
        'Units of two rows, one in each mode, and one short unit: r = 1 and g0 = 4 against r = 2 and g0 = 4, so r = 2, and the short unit is left out.',
      task: 'diversity',
      input: {
        k: 2,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 8, [0, 1]),
            ['data', 8, 1, 0],
            ...steady('ceiling', 9, [0, 1], 20),
            ...steady('people', 9, [0, 1, 1], 40),
          ],
        },
      },
      theory: {
        'size.contexts': [4, 'half of 8 units with two rows'],
        'size.rows': [2, '4 x 2 rows beat 4 x 1'],
        'mass.data.value': [1, 'both modes in each drawn unit'],
      },
    },
    {
      id: 'bdi/drawn',
      about: 'Uneven units, rows outside, all three samples on units of their own.',
      task: 'diversity',
      input: {
        k: 5,
        table: {
          fields: FIELDS,
          rows: [
            ...drawn('data', 'data', llm, { units: 14, rows: [1, 4], outside: 0.2 }),
            ...drawn('ceiling', 'ceiling', people, { units: 12, rows: [1, 4], from: 20, outside: 0.05 }),
            ...drawn('people', 'people', people, { units: 13, rows: [1, 3], from: 40, outside: 0.05 }),
          ],
        },
      },
    },
    {
      id: 'bdi/shared-units',
      about: 'Data, ceiling and people met the same units: each leaves all three at once.',
      task: 'diversity',
      input: {
        k: 5,
        table: {
          fields: FIELDS,
          rows: [
            ...drawn('data', 'shared-data', llm, { units: 12, rows: 3, outside: 0.1 }),
            ...drawn('ceiling', 'shared-ceiling', people, { units: 12, rows: 3 }),
            ...drawn('people', 'shared-people', people, { units: 12, rows: 3 }),
          ],
        },
      },
    },
    {
      id: 'bdi/all-outside',
      about: 'Broad garbage: every row is outside and visits no mode.',
      task: 'diversity',
      input: {
        k: 4,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 9, [0, 1, 2, 3]).map(([of, unit, cell]) => [of, unit, cell, 1]),
            ...steady('ceiling', 9, [0, 1, 2, 3], 20),
            ...steady('people', 9, [0, 1, 2, 3], 40),
          ],
        },
      },
      theory: {
        'mass.data.value': [0, 'no mode is visited'],
        'headline.value': [0, 'no mode is visited'],
        'support.value': [0, 'no mode is visited'],
        'realism.value': [0, 'all outside'],
      },
    },
    {
      id: 'bdi/cannot-draw',
      about: 'Three units: half of them is one, and two different ones cannot be drawn.',
      task: 'diversity',
      input: {
        k: 2,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 3, [0, 1]),
            ...steady('ceiling', 9, [0, 1], 20),
            ...steady('people', 9, [0, 1], 40),
          ],
        },
      },
      theory: { 'mass.data.value': [null, 'g0 would be 1'], 'size.contexts': [null, 'g0 would be 1'] },
    },
    {
      id: 'bdi/no-reference',
      about: 'No person is inside: there is no p_ref.',
      task: 'diversity',
      input: {
        k: 2,
        table: {
          fields: FIELDS,
          rows: [
            ...steady('data', 8, [0, 1]),
            ...steady('ceiling', 8, [0, 1], 20),
            ...steady('people', 8, [0], 40).map(([of, unit, cell]) => [of, unit, cell, 1]),
          ],
        },
      },
      theory: { 'mass.data.value': [null, 'no p_ref'], 'headline.value': [null, 'no p_ref'] },
    },
    {
      id: 'bdi/growth',
      about: 'Without people every mode weighs 1/K: from two modes in every unit to three.',
      task: 'growth',
      input: {
        k: 6,
        table: {
          fields: ['round', 'unit', 'cell', 'outside'],
          rows: [...steady('earlier', 10, [0, 1]), ...steady('later', 10, [0, 1, 2])],
        },
      },
    },
    {
      id: 'bdi/growth-from-nothing',
      about: 'Every row of the earlier round is outside: no ratio to it.',
      task: 'growth',
      input: {
        k: 4,
        table: {
          fields: ['round', 'unit', 'cell', 'outside'],
          rows: [
            ...steady('earlier', 8, [0]).map(([round, unit, cell]) => [round, unit, cell, 1]),
            ...steady('later', 8, [0]),
          ],
        },
      },
      theory: { 'covered.earlier.value': [0, 'no mode is visited'], 'growth.value': [null, 'over 0'] },
    },
    {
      id: 'bdi/no-data',
      about: 'No row of the data.',
      task: 'diversity',
      input: {
        k: 2,
        table: {
          fields: FIELDS,
          rows: [...steady('ceiling', 9, [0, 1]), ...steady('people', 9, [0, 1], 20)],
        },
      },
      theory: { 'support.value': [null, 'no rows'], 'realism.value': [null, 'no rows, not 0'] },
    },
    {
      id: 'bdi/no-growth',
      about: 'The same rows twice.',
      task: 'growth',
      input: {
        k: 6,
        table: {
          fields: ['round', 'unit', 'cell', 'outside'],
          rows: [...steady('earlier', 10, [0, 1]), ...steady('later', 10, [0, 1])],
        },
      },
      theory: {
        'growth.value': [0, 'nothing changed'],
        'growth.low': [0, 'what is shared cancels'],
        'covered.earlier.value': [1 / 3, 'two of six modes'],
      },
    },
  ],
};
