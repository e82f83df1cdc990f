import { CollapseAwareError } from '../errors.ts';
import {
  type Figure,
  headlineGap,
  missing,
  overfitting,
  overfittingRise,
  type PanelRewards,
} from '../metrics/index.ts';
import { type BehaviourSpace, compareView, mergeProfiles, type Profile } from '../space/index.ts';
import { panelsOf } from './measure-rewards.ts';
import type { MonitorPlan, StepRows } from './monitor-plan.ts';
import { type Samples, samplesOf } from './samples.ts';

/**
 * What the rise is measured from: the first step whose PSOD had an interval; until there is one, the first that had a
 * PSOD at all.
 */
export interface GapBase {
  readonly step: number;
  readonly profile: Profile;
}

export interface Gap {
  readonly psod: Figure;
  readonly rise: Figure;
  /** False where the step has no held-out row: nothing was to be measured. */
  readonly played: boolean;
  readonly base: GapBase | null;
}

const INTERVAL = { unitNoun: 'context' } as const;

/**
 * PSOD of one step alone (never of a window: it belongs to one state of the policy) and its rise over the base
 * step, paired by context.
 */
export function policyGap(
  { step, profile }: StepRows,
  base: GapBase | null,
  space: BehaviourSpace,
  plan: MonitorPlan,
  range: readonly [number, number] | null,
): Gap {
  const none = (reason: string, played: boolean): Gap => ({
    psod: missing(reason),
    rise: missing(reason),
    played,
    base,
  });
  const present = new Set<string>();
  let marked = false;
  for (let i = 0; i < profile.size; i++) {
    const { simulator, split } = profile.peek(i);
    present.add(simulator);
    if (split === 'selection' || split === 'test') marked = true;
  }
  const heldOut = plan.heldOut.filter((id) => present.has(id));
  if (plan.heldOut.length > 0 ? heldOut.length === 0 : !marked)
    return none('no held-out row in this step', false);
  if (range === null || range[0] === range[1]) return none('no rewards, or all equal so far', true);
  const merged = base === null ? profile : mergeProfiles([base.profile, profile]);
  // Rewards need no cells: the interaction codebook has one for every row.
  const view = compareView(merged, space, { control: 'interaction', unit: 'context' });
  const samples = samplesOf(view, space);
  try {
    const panels = panelsOf(samples, heldOut);
    const at = (one: number): PanelRewards => ({
      training: rewardsAt(samples, panels.training, one),
      heldOut: rewardsAt(samples, panels.heldOut, one),
    });
    const now = at(step);
    if (now.heldOut.length === 0) return none('no held-out row with a reward in this step', true);
    const gapOf = (rewards: PanelRewards): Figure =>
      headlineGap((options) => overfitting(rewards, range, options).psod, INTERVAL).figure;
    const psod = gapOf(now);
    const before = base === null ? null : at(base.step);
    // A base of a handful of contexts would leave every rise after it without an interval.
    if (before === null || (psod.low !== null && gapOf(before).low === null))
      return {
        psod,
        rise: missing('this is the step that the rise is measured from', psod.n),
        played: true,
        base: psod.value === null ? base : { step, profile },
      };
    const { figure: rise } = headlineGap((options) => overfittingRise(now, before, range, options), INTERVAL);
    return { psod, rise, played: true, base };
  } catch (error) {
    // Rows that contradict one another about panels cost this figure, not the run.
    if (error instanceof CollapseAwareError && error.code === 'CA_PANEL_OVERLAP')
      return none(error.message, true);
    throw error;
  }
}

function rewardsAt(
  { simulators }: Samples,
  names: readonly string[],
  step: number,
): PanelRewards['training'] {
  return simulators
    .filter(({ id }) => names.includes(id))
    .map(({ id, columns, rows }) => {
      const own = rows.filter((row) => columns.epoch[row] === step && !Number.isNaN(columns.reward[row]!));
      return {
        simulator: id,
        unit: own.map((row) => columns.context[row]!),
        reward: own.map((row) => columns.reward[row]!),
      };
    })
    .filter(({ unit }) => unit.length > 0);
}
