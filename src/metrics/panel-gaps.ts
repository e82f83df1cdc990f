import { CollapseAwareError } from '../errors.ts';
import type { IntervalOptions } from './interval.ts';
import { type RewardRange, type RewardRows, rangeLength, rewardsByUnit } from './rewards.ts';

/** The simulators a policy was trained against and those held out, under one checkpoint. */
export interface PanelRewards {
  readonly training: readonly RewardRows[];
  readonly heldOut: readonly RewardRows[];
}

/**
 * How simulators and contexts meet. `crossed`: every simulator of both panels plays a context, and simulators weigh the
 * same. `drawn`: whoever was drawn plays it, independently of the context and of the other contexts; simulators weigh
 * what they are drawn with.
 */
export type PanelDesign = 'crossed' | 'drawn';

export interface OverfittingOptions extends IntervalOptions {
  /** Default `crossed`. */
  readonly design?: PanelDesign;
}

/** Throws CA_PANEL_OVERLAP where one simulator stands in two panels (or twice in one). */
export function checkPanels(panels: Readonly<Record<string, readonly string[]>>): void {
  const seen = new Map<string, string>();
  for (const [name, simulators] of Object.entries(panels))
    for (const simulator of simulators) {
      const other = seen.get(simulator);
      if (other !== undefined)
        throw new CollapseAwareError(
          'CA_PANEL_OVERLAP',
          other === name
            ? `simulator ${simulator} stands twice in panel ${name}`
            : `simulator ${simulator} stands in panels ${other} and ${name}`,
          { todo: 'give every simulator one panel' },
        );
      seen.set(simulator, name);
    }
}

/** Gap of every context that the design can use, in units of the range, ascending by context. */
export function panelGaps(
  panels: PanelRewards,
  range: RewardRange,
  design: PanelDesign = 'crossed',
): Map<number, number> {
  checkPanels({
    training: panels.training.map(({ simulator }) => simulator),
    'held-out': panels.heldOut.map(({ simulator }) => simulator),
  });
  return design === 'crossed' ? crossedGaps(panels, range) : drawnGaps(panels, range);
}

/** Why a design has no gap at all. */
export const NO_CONTEXT: Readonly<Record<PanelDesign, string>> = {
  crossed: 'no context was played by every simulator of both panels',
  drawn: 'no context was played with both panels',
};

/** How `method` names the design; the crossed one goes without. */
export const designNote = (design: PanelDesign = 'crossed'): { readonly note?: string } =>
  design === 'drawn' ? { note: 'drawn members' } : {};

/** Contexts that every simulator played: mean over simulators of their own means. */
function crossedGaps(panels: PanelRewards, range: RewardRange): Map<number, number> {
  const length = rangeLength(range);
  const [training, heldOut] = [panels.training, panels.heldOut].map((panel) => panel.map(contextMeans)) as [
    Map<number, number>[],
    Map<number, number>[],
  ];
  const gaps = new Map<number, number>();
  for (const unit of training[0]!.keys()) {
    if (![...training, ...heldOut].every((means) => means.has(unit))) continue;
    gaps.set(unit, (panelMean(training, unit) - panelMean(heldOut, unit)) / length);
  }
  return gaps;
}

/** Contexts with a row of each panel: mean over all rows, whoever they are of. */
function drawnGaps({ training, heldOut }: PanelRewards, range: RewardRange): Map<number, number> {
  const length = rangeLength(range);
  const held = contextMeans(pooled(heldOut));
  const gaps = new Map<number, number>();
  for (const [unit, mean] of contextMeans(pooled(training))) {
    const other = held.get(unit);
    if (other !== undefined) gaps.set(unit, (mean - other) / length);
  }
  return gaps;
}

function pooled(panel: readonly RewardRows[]): RewardRows {
  return {
    simulator: 'panel',
    unit: panel.flatMap(({ unit }) => Array.from(unit)),
    reward: panel.flatMap(({ reward }) => Array.from(reward)),
  };
}

/** `rewardsByUnit` gives a context's rewards in ascending order, so that whose they were moves no digit of the sum. */
function contextMeans(rows: RewardRows): Map<number, number> {
  const means = new Map<number, number>();
  for (const [unit, rewards] of rewardsByUnit(rows))
    means.set(unit, rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length);
  return means;
}

/** Summed in ascending order, so that renaming simulators moves no digit. */
function panelMean(panel: readonly Map<number, number>[], unit: number): number {
  const values = panel.map((means) => means.get(unit)!).sort((a, b) => a - b);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Why there is nothing to compare; null where both panels have somebody. */
export function emptyPanel({ training, heldOut }: PanelRewards): string | null {
  if (training.length === 0) return 'no training simulator';
  return heldOut.length === 0 ? 'no held-out simulator' : null;
}

/** Whose rewards these are: equal texts, equal panels. */
export function panelNames({ training, heldOut }: PanelRewards): string {
  const list = (panel: readonly RewardRows[]) => panel.map(({ simulator }) => simulator).sort();
  return JSON.stringify([list(training), list(heldOut)]);
}

export function rowsIn({ training, heldOut }: PanelRewards): number {
  return [...training, ...heldOut].reduce((rows, { unit }) => rows + unit.length, 0);
}
