import { mean } from '../../math/summary.ts';
import type { Measure, Measures } from '../measure/measures.ts';
import { panelMean, type StepRecord } from '../trainer/index.ts';
import type { Cell, CheckpointScores } from './cell.ts';

/** Steps at the start and at the end that training figures are means of. */
export const WINDOW = 25;

/** A number of one cell that tables show. */
export interface CellFigure {
  readonly id: string;
  readonly title: string;
  readonly unit: 'reward' | 'share' | 'nats' | 'index' | 'count';
  /** Which way is good; null where neither is. */
  readonly better: 'more' | 'less' | null;
  of(cell: Cell): Measure;
}

const value = (of: number | null, reason: string): Measure =>
  of === null ? { value: null, reason } : { value: of };

/** Mean of a column of the training history over its first or last steps; lost steps are left out. */
export function windowMean(
  { history }: Cell,
  end: 'first' | 'last',
  of: (record: StepRecord) => number | null,
): Measure {
  if (history.length === 0) return { value: null, reason: 'nothing was trained' };
  const records = end === 'first' ? history.slice(0, WINDOW) : history.slice(-WINDOW);
  const values = records.map(of).filter((x): x is number => x !== null);
  return value(values.length === 0 ? null : mean(values), 'no step has a value');
}

/** Mean of the last steps less that of the first; null where they are not different steps. */
export function windowChange(cell: Cell, of: (record: StepRecord) => number | null): Measure {
  if (cell.history.length < 2 * WINDOW)
    return { value: null, reason: `fewer than ${2 * WINDOW} steps of training` };
  const first = windowMean(cell, 'first', of).value;
  const last = windowMean(cell, 'last', of).value;
  return value(first === null || last === null ? null : last - first, 'no step has a value');
}

/** Reward with those trained against less reward with the test panel, in units of the reward range 0..1. */
function overfitting({ population, test }: CheckpointScores): Measure {
  const own = panelMean(population);
  const heldOut = panelMean(test);
  return value(own === null || heldOut === null ? null : own - heldOut, 'a simulator gave no reward');
}

function rise(cell: Cell, at: 'selected' | 'last'): Measure {
  const before = overfitting(cell.base).value;
  const after = overfitting(cell[at]).value;
  return value(before === null || after === null ? null : after - before, 'a simulator gave no reward');
}

const measured =
  (pick: (measures: Measures) => Measure) =>
  ({ measures }: Cell): Measure =>
    measures === null ? { value: null, reason: 'not measured' } : pick(measures);

const heldOut = ({ test }: CheckpointScores): Measure => value(panelMean(test), 'a simulator gave no reward');

/** In the order of the tables. */
export const CELL_FIGURES: readonly CellFigure[] = [
  { id: 'heldOut', title: 'held-out', unit: 'reward', better: 'more', of: (cell) => heldOut(cell.selected) },
  {
    id: 'people',
    title: 'people',
    unit: 'reward',
    better: 'more',
    of: (cell) => value(cell.selected.people.reward, 'no dialogue with people had a reward'),
  },
  {
    id: 'heldOutLast',
    title: 'held-out, last checkpoint',
    unit: 'reward',
    better: 'more',
    of: (cell) => heldOut(cell.last),
  },
  {
    id: 'trainReward',
    title: `training reward, last ${WINDOW} steps`,
    unit: 'reward',
    better: null,
    of: (cell) => windowMean(cell, 'last', ({ reward }) => reward),
  },
  {
    id: 'selectedStep',
    title: 'selected step',
    unit: 'count',
    better: null,
    of: (cell) => ({ value: cell.selected.step }),
  },
  { id: 'scdPooled', title: 'SCD pooled', unit: 'index', better: 'less', of: measured((m) => m.scdPooled) },
  {
    id: 'scdPooled2',
    title: 'SCD pooled2',
    unit: 'index',
    better: 'less',
    of: measured((m) => m.scdPooled2),
  },
  {
    id: 'scdActs',
    title: 'SCD pooled, of acts',
    unit: 'index',
    better: 'less',
    of: measured((m) => m.scdActs),
  },
  {
    id: 'scdActs2',
    title: 'SCD pooled2, of acts',
    unit: 'index',
    better: 'less',
    of: measured((m) => m.scdActs2),
  },
  {
    id: 'peopleScdActs2',
    title: "people's SCD pooled2, of acts",
    unit: 'index',
    better: null,
    of: measured((m) => m.people.scdActs2),
  },
  {
    id: 'scdConditional',
    title: 'SCD conditional',
    unit: 'index',
    better: 'less',
    of: measured((m) => m.scdConditional),
  },
  {
    id: 'scdConditionalActs',
    title: 'SCD conditional, of acts',
    unit: 'index',
    better: 'less',
    of: measured((m) => m.scdConditionalActs),
  },
  { id: 'bdi', title: 'BDI', unit: 'index', better: 'more', of: measured((m) => m.bdi) },
  {
    id: 'bdiRecorded',
    title: 'BDI, against recorded people',
    unit: 'index',
    better: 'more',
    of: measured((m) => m.bdiRecorded),
  },
  { id: 'realism', title: 'realism', unit: 'share', better: 'more', of: measured((m) => m.realism) },
  {
    id: 'peopleRealism',
    title: "people's realism",
    unit: 'share',
    better: null,
    of: measured((m) => m.people.realism),
  },
  { id: 'psod', title: 'PSOD', unit: 'reward', better: 'less', of: (cell) => overfitting(cell.selected) },
  {
    id: 'psodRise',
    title: "PSOD's rise",
    unit: 'reward',
    better: 'less',
    of: (cell) => rise(cell, 'selected'),
  },
  {
    id: 'psodRiseLast',
    title: "PSOD's rise, last checkpoint",
    unit: 'reward',
    better: 'less',
    of: (cell) => rise(cell, 'last'),
  },
  {
    id: 'epsilonMember',
    title: 'epsilon, member',
    unit: 'share',
    better: 'more',
    of: measured((m) => m.epsilonMember),
  },
  {
    id: 'epsilonPopulation',
    title: 'epsilon, population',
    unit: 'share',
    better: 'more',
    of: measured((m) => m.epsilonPopulation),
  },
  {
    id: 'epsilonMemberExact',
    title: 'epsilon, member, from the laws',
    unit: 'share',
    better: 'more',
    of: measured((m) => m.epsilonMemberExact),
  },
  {
    id: 'peopleEpsilonExact',
    title: "people's epsilon, from the laws",
    unit: 'share',
    better: null,
    of: measured((m) => m.people.epsilonExact),
  },
  { id: 'mci', title: 'MCI, largest', unit: 'index', better: 'less', of: measured((m) => m.mci) },
  {
    id: 'consistency',
    title: 'consistency of the policy',
    unit: 'index',
    better: null,
    of: measured((m) => m.consistency),
  },
  {
    id: 'zeroVariance',
    title: `zero-variance groups, last ${WINDOW} steps`,
    unit: 'share',
    better: 'less',
    of: (cell) => windowMean(cell, 'last', ({ zeroVariance }) => zeroVariance),
  },
  {
    id: 'entropy',
    title: `policy entropy, last ${WINDOW} steps`,
    unit: 'nats',
    better: null,
    of: (cell) => windowMean(cell, 'last', ({ entropy }) => entropy),
  },
  {
    id: 'turns',
    title: 'turns played in training',
    unit: 'count',
    better: null,
    of: ({ cost }) => ({ value: cost.turns }),
  },
  {
    id: 'simulatorUpdates',
    title: 'updates of a simulator',
    unit: 'count',
    better: null,
    of: ({ cost }) => ({ value: cost.simulatorUpdates }),
  },
];

/** Throws RangeError for an id that is none: a fault of this program. */
export function cellFigure(id: string): CellFigure {
  const found = CELL_FIGURES.find((figure) => figure.id === id);
  if (found === undefined) throw new RangeError(`no figure "${id}"`);
  return found;
}
