import { drawer } from './draw.mjs';

const FIELDS = ['checkpoint', 'panel', 'simulator', 'unit', 'reward'];
const PANELS = { training: ['t1', 't2'], 'held-out': ['h1', 'h2', 'h3'] };

/** Rewards of every simulator in every context; `gain(step, panel)` = chance of success. */
function played(label, { steps, contexts, trials, chance }) {
  const random = drawer(label);
  const rows = [];
  for (const step of steps)
    for (const [panel, simulators] of Object.entries(PANELS))
      for (const simulator of simulators)
        for (let unit = 0; unit < contexts; unit++)
          for (let trial = 0; trial < trials; trial++)
            rows.push([step, panel, simulator, unit, random.next() < chance(step, panel) ? 1 : 0]);
  return rows;
}

/** The same reward in every context. */
function steady(step, rewards, contexts) {
  return Object.entries(PANELS).flatMap(([panel, simulators]) =>
    simulators.flatMap((simulator) =>
      Array.from({ length: contexts }, (_, unit) => [step, panel, simulator, unit, rewards[simulator]]),
    ),
  );
}

const flat = { t1: 8, t2: 6, h1: 6, h2: 4, h3: 5 };
const later = { t1: 10, t2: 8, h1: 4, h2: 3, h3: 5 };

export const PSOD = {
  file: 'psod',
  group: 'counts',
  title: 'PSOD, its rise and trend; rewards of a checkpoint, pass^k',
  cases: [
    {
      id: 'psod/steady',
      about: 'Panel means 7 and 5, later 9 and 4, range 0..10: gaps .2 and .5 in every context.',
      task: 'overfitting',
      input: {
        range: [0, 10],
        base: 0,
        table: { fields: FIELDS, rows: [...steady(0, flat, 9), ...steady(4, later, 9)] },
      },
      theory: {
        'psod.0.value': [0.2, '(7 - 5) / 10'],
        'psod.0.low': [0.2, 'no context differs'],
        'psod.4.value': [0.5, '(9 - 4) / 10'],
        'rise.4.value': [0.3, '.5 - .2'],
        'rise.0.value': [0, 'base minus itself'],
        'slope.value': [0.075, '.3 over 4 steps'],
        'mannKendall.s': [1, 'one pair, rising'],
      },
    },
    {
      id: 'psod/drawn',
      about:
        'Success or not, 12 contexts, 2 trials, three checkpoints; held-out users are harder from the start.',
      task: 'overfitting',
      input: {
        range: [0, 1],
        base: 0,
        table: {
          fields: FIELDS,
          rows: played('psod/drawn', {
            steps: [0, 50, 100],
            contexts: 12,
            trials: 1,
            chance: (step, panel) => (panel === 'training' ? 0.5 + step / 250 : 0.4 - step / 1000),
          }),
        },
      },
    },
    {
      id: 'psod/falling',
      about:
        'Rewards between -10 and 10, steps and contexts in no order: the gap falls from .2 to .1, over steps 0, 2 and 4.',
      task: 'overfitting',
      input: {
        range: [-10, 10],
        base: 2,
        table: {
          fields: FIELDS,
          rows: [
            ...steady(4, flat, 9),
            ...steady(0, { ...flat, t1: 10, t2: 8 }, 9),
            ...steady(2, { ...flat, t1: 9, t2: 7 }, 9),
          ].reverse(),
        },
      },
      theory: {
        'psod.0.value': [0.2, '(9 - 5) / 20'],
        'psod.4.value': [0.1, '(7 - 5) / 20'],
        'rise.4.value': [-0.05, '.1 - .15'],
        'slope.value': [-0.025, '-.1 over 4 steps'],
        'mannKendall.s': [-3, 'three pairs, all falling'],
        'mannKendall.tau': [-1, 'three of three'],
      },
    },
    {
      id: 'psod/contexts-not-shared',
      about:
        'A context that one simulator did not play is left out; without a base checkpoint there is no rise.',
      task: 'overfitting',
      input: {
        range: [0, 10],
        base: null,
        table: {
          fields: FIELDS,
          rows: steady(0, flat, 10).filter(([, , simulator, unit]) => !(simulator === 'h3' && unit > 4)),
        },
      },
      theory: {
        'psod.0.value': [0.2, 'contexts 0 .. 4 only'],
        'psod.0.low': [null, 'fewer than 8 contexts'],
        'rise.0.value': [null, 'no base checkpoint'],
        'slope.value': [null, 'one checkpoint'],
      },
    },
    {
      id: 'psod/nothing-in-common',
      about:
        'At step 1 another training simulator played: no rise. At step 2 the panels met no context in common: no gap.',
      task: 'overfitting',
      input: {
        range: [0, 1],
        base: 0,
        table: {
          fields: FIELDS,
          rows: [
            [0, 'training', 't1', 0, 1],
            [0, 'held-out', 'h1', 0, 0.5],
            [1, 'training', 't2', 0, 1],
            [1, 'held-out', 'h1', 0, 0],
            [2, 'training', 't1', 0, 1],
            [2, 'held-out', 'h1', 1, 0],
          ],
        },
      },
      theory: {
        'psod.0.value': [0.5, '1 - .5'],
        'psod.1.value': [1, '1 - 0'],
        'psod.2.value': [null, 'no shared context'],
        'rise.0.value': [0, 'base minus itself'],
        'rise.1.value': [null, 'the panels differ'],
        'rise.2.value': [null, 'no shared context'],
        'slope.value': [null, 'the panels differ'],
      },
    },
    {
      id: 'psod/simulator-in-both-panels',
      about: 'Seen and held-out at once is an error, not a number.',
      task: 'overfitting',
      input: {
        range: [0, 1],
        base: null,
        table: {
          fields: FIELDS,
          rows: [
            [0, 'training', 's', 0, 1],
            [0, 'held-out', 's', 0, 0],
          ],
        },
      },
    },
    {
      id: 'psod/empty-panel',
      about: 'No held-out simulator.',
      task: 'overfitting',
      input: { range: [0, 1], base: null, table: { fields: FIELDS, rows: [[0, 'training', 's', 0, 1]] } },
      theory: { 'psod.0.value': [null, 'an empty panel'] },
    },
    {
      id: 'psod/pass-k',
      about: 'Contexts with 3 of 4, 4 of 4, 0 of 4 and 1 of 5 successes: k goes up to the fewest trials.',
      task: 'checkpoint-cell',
      input: {
        range: [0, 1],
        table: {
          fields: ['unit', 'reward'],
          rows: [
            ...[1, 1, 0, 1].map((reward) => [0, reward]),
            ...[1, 1, 1, 1].map((reward) => [1, reward]),
            ...[0, 0, 0, 0].map((reward) => [2, reward]),
            ...[0, 0, 1, 0, 0].map((reward) => [3, reward]),
          ],
        },
      },
      theory: {
        'reward.value': [(0.75 + 1 + 0 + 0.2) / 4, 'mean of the contexts means'],
        'pass.1': [(3 / 4 + 1 + 0 + 1 / 5) / 4, 'C(c, 1) / C(n, 1)'],
        'pass.2': [(3 / 6 + 1) / 4, 'C(c, 2) / C(n, 2)'],
        'pass.3': [(1 / 4 + 1) / 4, 'C(c, 3) / C(n, 3)'],
        'pass.4': [1 / 4, 'C(c, 4) / C(n, 4)'],
      },
    },
  ],
};
