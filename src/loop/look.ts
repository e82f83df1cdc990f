import {
  behaviouralDiversity,
  behaviouralMass,
  equalSize,
  type Figure,
  meanFigure,
  missing,
  overfitting,
  overfittingRise,
  type PanelRewards,
  pairCollapse,
  type RewardRows,
  realism,
} from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { ExamRow, OpenAnswer } from './answer.ts';
import type { RoundFigures } from './round-record.ts';
import { tallyOfPeople, tallyOfRows, UnitNumbers } from './rows-tally.ts';

/** What a population shows in an exam, beside a held-out panel on the same contexts. */
export interface ExamPair {
  readonly population: readonly ExamRow[];
  readonly heldOut: readonly ExamRow[];
}

/** Numbers of units that rows and people share. */
export function unitNumbers(open: OpenAnswer, ...lists: (readonly PlacedRow[])[]): UnitNumbers {
  const people = open.people === null ? [] : [...open.people.mass.units, ...open.people.ceiling.units];
  return new UnitNumbers([...people, ...lists.flatMap((rows) => rows.map(({ context }) => context))]);
}

/** Figures of a population's fresh episodes, members not told apart: what a policy meets. */
export function figuresOf(
  open: OpenAnswer,
  rows: readonly PlacedRow[],
  exam: ExamPair | null,
  baseExam: ExamPair | null,
): Omit<RoundFigures, 'epsilon'> {
  const { k, people } = open;
  const units = unitNumbers(open, rows);
  const tally = tallyOfRows(rows, k, units);
  const mass = people === null ? null : tallyOfPeople(people.mass, k, units);
  const ceiling = people === null ? null : tallyOfPeople(people.ceiling, k, units);
  const size = equalSize(ceiling === null ? [tally] : [tally, ceiling]);
  const overfit = exam === null ? null : overfitting(panelsOf(exam), open.rewardRange).psod;
  return {
    scd2: rows.length === 0 ? missing('no rows') : pairCollapse([tally]).pooled2,
    bdi:
      ceiling === null || mass === null
        ? behaviouralMass(tally, null, size)
        : behaviouralDiversity(tally, ceiling, mass, size),
    realism: realism(tally),
    psod: overfit ?? missing('no exam yet'),
    psodRise:
      exam === null || baseExam === null
        ? missing('no exam yet')
        : overfittingRise(panelsOf(exam), panelsOf(baseExam), open.rewardRange),
  };
}

/** The population as one simulator: in every context the mean over those who were drawn. */
export function panelsOf({ population, heldOut }: ExamPair): PanelRewards {
  const contexts = [...new Set([...population, ...heldOut].map(({ context }) => context))].sort();
  const numbers = new Map(contexts.map((context, at) => [context, at]));
  const rowsOf = (rows: readonly ExamRow[], simulator: string): RewardRows => {
    const rewarded = rows.filter(({ reward }) => reward !== null);
    return {
      simulator,
      unit: rewarded.map(({ context }) => numbers.get(context)!),
      reward: rewarded.map(({ reward }) => reward!),
    };
  };
  const names = [...new Set(heldOut.map(({ simulator }) => simulator))].sort();
  return {
    training: [rowsOf(population, 'the population')],
    heldOut: names.map((name) =>
      rowsOf(
        heldOut.filter(({ simulator }) => simulator === name),
        name,
      ),
    ),
  };
}

/** Mean reward over contexts, each dialogue alike within one. */
export function examFigure(
  rows: readonly ExamRow[],
  figure: (values: number[], n: number) => Figure,
): Figure {
  return figure([...contextMeans(rows).values()], rewarded(rows));
}

/** Gain of one checkpoint over another in the same exam: paired over the contexts that both have. */
export function pairedGain(after: readonly ExamRow[], before: readonly ExamRow[]): Figure {
  const start = contextMeans(before);
  const gains: number[] = [];
  for (const [context, mean] of contextMeans(after)) {
    const own = start.get(context);
    if (own !== undefined) gains.push(mean - own);
  }
  return meanFigure(gains, {
    n: rewarded(after) + rewarded(before),
    name: 'paired-t',
    unit: 'reward',
    undefinedReason: 'no context has a reward with both',
  });
}

const rewarded = (rows: readonly ExamRow[]): number => rows.filter(({ reward }) => reward !== null).length;

/** By context, in the order of names; sums in that of size. */
function contextMeans(rows: readonly ExamRow[]): Map<string, number> {
  const contexts = new Map<string, number[]>();
  for (const { context, reward } of rows) {
    if (reward === null) continue;
    const own = contexts.get(context);
    if (own === undefined) contexts.set(context, [reward]);
    else own.push(reward);
  }
  return new Map(
    [...contexts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([context, list]) => [
        context,
        list.sort((a, b) => a - b).reduce((sum, reward) => sum + reward, 0) / list.length,
      ]),
  );
}
