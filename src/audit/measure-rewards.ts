import { CollapseAwareError } from '../errors.ts';
import {
  type CheckpointPanels,
  checkPanels,
  headlineGap,
  missing,
  overfitting,
  overfittingRise,
  overfittingTrend,
  type PanelRewards,
  type RewardRange,
  type RewardRows,
  rewardCell,
} from '../metrics/index.ts';
import type { Split } from '../trajectory/trajectory.ts';
import type { AuditOptions } from './options.ts';
import type { AuditReport, MatrixCell } from './report-data.ts';
import type { Samples } from './samples.ts';

/** Rewarded rows of one checkpoint with one simulator. */
interface Cell {
  readonly checkpoint: string;
  readonly simulator: string;
  readonly split: Split | null;
  readonly rows: RewardRows;
}

/** Which panel each simulator is in: what `--held-out` says, else what its rows say. */
export function panelsOf(
  { view, simulators }: Samples,
  heldOut: readonly string[] = [],
): { readonly training: string[]; readonly heldOut: string[] } {
  for (const name of heldOut)
    if (!view.simulators.includes(name))
      throw new CollapseAwareError(
        'CA_USAGE',
        `--held-out names "${name}", which is no simulator of the input`,
        {
          todo: `the simulators are ${view.simulators.join(', ')}`,
        },
      );
  const bySplit = { seen: new Set<string>(), selection: new Set<string>(), test: new Set<string>() };
  for (const sample of simulators)
    for (const row of sample.rows) {
      const { split } = view.profile.peek(sample.columns.profileRow[row]!);
      if (split !== null) bySplit[split].add(sample.id);
    }
  checkPanels({ seen: [...bySplit.seen], selection: [...bySplit.selection], test: [...bySplit.test] });
  for (const name of heldOut)
    if (bySplit.seen.has(name))
      throw new CollapseAwareError(
        'CA_PANEL_OVERLAP',
        `--held-out names "${name}", which rows mark as seen in training`,
        { todo: 'leave it out of --held-out, or mend the split of its rows' },
      );
  if (heldOut.length > 0)
    return { training: view.simulators.filter((name) => !heldOut.includes(name)), heldOut: [...heldOut] };
  // The selection panel steers training; test is for the end, so it is read only where there is nothing else.
  const held = bySplit.selection.size > 0 ? bySplit.selection : bySplit.test;
  return { training: [...bySplit.seen].sort(), heldOut: [...held].sort() };
}

/** The range given, else what was seen; `null` where rewards are missing or all equal. */
export function rewardRangeOf({ view }: Samples, given?: readonly [number, number]): RewardRange | null {
  if (given !== undefined) return given;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const reward of view.rows.reward) {
    if (Number.isNaN(reward)) continue;
    low = Math.min(low, reward);
    high = Math.max(high, reward);
  }
  return high > low ? [low, high] : null;
}

/** @throws CA_USAGE where rewards lie outside what was given: shares of such a range, and successes, would be wrong. */
function checkRange(samples: Samples, given: readonly [number, number] | undefined): void {
  const seen = rewardRangeOf(samples);
  if (given === undefined || seen === null || (seen[0] >= given[0] && seen[1] <= given[1])) return;
  throw new CollapseAwareError(
    'CA_USAGE',
    `rewards go from ${seen[0]} to ${seen[1]}, outside the reward range ${given[0]},${given[1]}`,
    { todo: 'give the lowest and highest possible reward with --reward-range' },
  );
}

export function measureRewards(
  samples: Samples,
  options: AuditOptions,
): { psod: AuditReport['psod']; matrix: MatrixCell[] } {
  const panels = panelsOf(samples, options.heldOut);
  checkRange(samples, options.rewardRange);
  const range = rewardRangeOf(samples, options.rewardRange);
  const cells = cellsOf(samples, new Set(panels.heldOut), new Set(panels.training));
  const n = cells.reduce((rows, cell) => rows + cell.rows.unit.length, 0);
  const nothing = (reason: string) => ({
    ...missing(reason, n),
    rise: missing(reason, n),
    trend: missing(reason, n),
    range,
  });
  if (n === 0) return { psod: nothing('no row carries a reward'), matrix: [] };
  if (range === null) return { psod: nothing('all rewards are equal: give --reward-range'), matrix: [] };
  // Rewards are compared at the same context, whatever the unit of the other figures.
  const interval = { unitNoun: 'context' } as const;
  const matrix = cells.map((cell): MatrixCell => {
    const { reward, passHatK, n: rows } = rewardCell(cell.rows, range, interval);
    return {
      checkpoint: cell.checkpoint,
      simulator: cell.simulator,
      split: cell.split,
      reward,
      passHatK,
      n: rows,
    };
  });
  if (panels.heldOut.length === 0)
    return {
      psod: nothing('no simulator is held out: name some with --held-out, or mark rows with split'),
      matrix,
    };
  const checkpoints = inOrder([...new Set(cells.map(({ checkpoint }) => checkpoint))]);
  const at = checkpoints.map(
    (checkpoint, index): CheckpointPanels => ({
      step: stepOf(checkpoint) ?? index,
      ...panelRewards(cells, checkpoint, panels),
    }),
  );
  const last = at.at(-1)!;
  const base = options.baseCheckpoint ?? checkpoints[0]!;
  const first =
    checkpoints.length > 1 || options.baseCheckpoint !== undefined
      ? at[checkpoints.indexOf(base)]
      : undefined;
  if (options.baseCheckpoint !== undefined && first === undefined)
    throw new CollapseAwareError('CA_USAGE', `no row is of the base checkpoint "${base}"`, {
      todo: `the checkpoints are ${checkpoints.join(', ')}`,
    });
  return {
    psod: {
      ...headlineGap((options) => overfitting(last, range, options).psod, interval).figure,
      rise: headlineGap((options) => overfittingRise(last, first ?? null, range, options), interval).figure,
      trend: headlineGap((options) => overfittingTrend(at, range, options).slope, interval).figure,
      range,
    },
    matrix,
  };
}

/** Rewards of both panels under the last checkpoint: what PSOD is the gap of. */
export function lastPanels(samples: Samples, options: AuditOptions): PanelRewards {
  const panels = panelsOf(samples, options.heldOut);
  const cells = cellsOf(samples, new Set(panels.heldOut), new Set(panels.training));
  const last = inOrder([...new Set(cells.map(({ checkpoint }) => checkpoint))]).at(-1);
  return last === undefined ? { training: [], heldOut: [] } : panelRewards(cells, last, panels);
}

const WITHOUT = 'all';

/** A checkpoint is what the rows call it, else their epoch, else all rows are of one. */
function cellsOf(
  { view, simulators }: Samples,
  heldOut: ReadonlySet<string>,
  training: ReadonlySet<string>,
): Cell[] {
  const cells = new Map<string, { cell: Omit<Cell, 'rows'>; unit: number[]; reward: number[] }>();
  for (const sample of simulators)
    for (const row of sample.rows) {
      const reward = sample.columns.reward[row]!;
      if (Number.isNaN(reward)) continue;
      const checkpoint = checkpointOf(view, row);
      const key = `${checkpoint}\u0000${sample.id}`;
      let held = cells.get(key);
      if (held === undefined) {
        const { split } = view.profile.peek(sample.columns.profileRow[row]!);
        const panel = heldOut.has(sample.id) ? (split ?? 'test') : training.has(sample.id) ? 'seen' : split;
        held = { cell: { checkpoint, simulator: sample.id, split: panel }, unit: [], reward: [] };
        cells.set(key, held);
      }
      held.unit.push(sample.columns.context[row]!);
      held.reward.push(reward);
    }
  const order = inOrder([...new Set([...cells.values()].map(({ cell }) => cell.checkpoint))]);
  return [...cells.values()]
    .map(({ cell, unit, reward }): Cell => ({ ...cell, rows: { simulator: cell.simulator, unit, reward } }))
    .sort(
      (a, b) =>
        order.indexOf(a.checkpoint) - order.indexOf(b.checkpoint) || (a.simulator < b.simulator ? -1 : 1),
    );
}

function checkpointOf(view: Samples['view'], row: number): string {
  const named = view.rows.checkpoint[row]!;
  if (named >= 0) return view.checkpoints[named]!;
  const epoch = view.rows.epoch[row]!;
  return Number.isNaN(epoch) ? WITHOUT : String(epoch);
}

function panelRewards(
  cells: readonly Cell[],
  checkpoint: string,
  panels: { readonly training: readonly string[]; readonly heldOut: readonly string[] },
): PanelRewards {
  const rowsOf = (names: readonly string[]) =>
    cells
      .filter((cell) => cell.checkpoint === checkpoint && names.includes(cell.simulator))
      .map(({ rows }) => rows);
  return { training: rowsOf(panels.training), heldOut: rowsOf(panels.heldOut) };
}

/** The number a checkpoint's name ends with: `step-40` -> 40. */
function stepOf(checkpoint: string): number | null {
  const match = /(\d+(?:\.\d+)?)\D*$/.exec(checkpoint);
  return match === null ? null : Number(match[1]);
}

function inOrder(checkpoints: string[]): string[] {
  return checkpoints.sort((a, b) => (stepOf(a) ?? -1) - (stepOf(b) ?? -1) || (a < b ? -1 : 1));
}
