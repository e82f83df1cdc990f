import type { PlacedRow } from '../synthesis/index.ts';
import type { ExamRow, LostEpisodes, OpenAnswer, ProbeAnswer } from './answer.ts';
import { soundReplies } from './turn-error.ts';

/** What answers are held to: performers may be anybody's program. */
export type Sound = Pick<OpenAnswer, 'k' | 'rewardRange'>;

/**
 * An answer whose every row can be counted: rows that cannot be placed, or are of somebody who was not asked for, are
 * lost, with why; a reward that cannot be is none. What is sound comes back as it is.
 */
export function soundProbe(
  { kind, rows, lost, replied, epsilon }: ProbeAnswer,
  asked: ReadonlySet<string>,
  { k, rewardRange }: Sound,
): ProbeAnswer {
  const more = new Map<string, LostEpisodes>();
  const kept = rows.flatMap((row) => {
    const reason = faultOf(row, asked, k);
    if (reason === null) return [{ ...row, reward: soundReward(row.reward, rewardRange) }];
    const simulator = String(row?.simulator);
    const key = `${simulator} ${reason}`;
    more.set(key, { simulator, reason, count: (more.get(key)?.count ?? 0) + 1 });
    return [];
  });
  return {
    kind,
    rows: kept,
    lost: [...lost, ...[...more].sort(byKey).map(([, one]) => one)],
    ...(replied === undefined ? {} : { replied: soundReplies(replied, asked) }),
    ...(epsilon === undefined ? {} : { epsilon }),
  };
}

/** Of the episodes that were trained on, those that can be counted; the others are told by whoever trains. */
export function soundTraining(
  rows: readonly PlacedRow[],
  asked: ReadonlySet<string>,
  { k, rewardRange }: Sound,
): PlacedRow[] {
  return rows.flatMap((row) =>
    faultOf(row, asked, k) === null ? [{ ...row, reward: soundReward(row.reward, rewardRange) }] : [],
  );
}

/** Rewards of an exam that can be; the others are failures, which are no zeros. */
export const soundExam = (rows: readonly ExamRow[], { rewardRange }: Sound): ExamRow[] =>
  rows.map((row) => ({ ...row, reward: soundReward(row.reward, rewardRange) }));

function faultOf(row: PlacedRow, asked: ReadonlySet<string>, k: number): string | null {
  if (typeof row !== 'object' || row === null) return 'is no row';
  const { simulator, cell, outside, context, hash, turns } = row;
  if (!asked.has(simulator)) return 'nobody of the name was asked for';
  if (!(Number.isInteger(cell) && cell >= 0 && cell < k)) return `its mode is no whole number below ${k}`;
  if (typeof outside !== 'boolean') return 'it is not said whether it is off support';
  if (typeof context !== 'string' || typeof hash !== 'string') return 'it has no context or no hash';
  if (!(Number.isFinite(turns) && turns >= 0)) return 'it has no number of turns';
  return null;
}

const soundReward = (reward: number | null, [low, high]: readonly [number, number]): number | null =>
  typeof reward === 'number' && reward >= low && reward <= high ? reward : null;

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
