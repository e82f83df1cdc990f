import { adjustedMutualInformation } from '../math/index.ts';
import { type BehaviourSpace, modeInformationRows, type View } from '../space/index.ts';
import type { Evidence } from './fit.ts';
import type { ModeInformation, SpaceSummary } from './report-data.ts';

const NONE: ModeInformation = { context: null, simulator: null, policy: null };

/**
 * Adjusted mutual information (Vinh et al. 2010) of the mode with context, simulator and policy, before and after
 * control, on rows left out of the fit. Without the rows' vectors (profiles) only what is compared can be shown.
 */
export function measureModeInformation(
  view: View,
  space: BehaviourSpace,
  evidence: Evidence | null,
): SpaceSummary['modeInformation'] {
  if (evidence === null || view.classes !== null) {
    const { cell, context, simulator, policy } = view.rows;
    return { before: NONE, after: informationOf(cell, { context, simulator, policy }), n: view.rows.size };
  }
  const compared = new Set(view.simulators);
  const rows = modeInformationRows(
    space,
    evidence.behaviours.filter(({ facts }) => compared.has(facts.simulator)),
    view.control,
    evidence.fitted,
  );
  return { before: informationOf(rows.before, rows), after: informationOf(rows.after, rows), n: rows.size };
}

function informationOf(
  cell: ArrayLike<number>,
  by: { readonly [key in keyof ModeInformation]: ArrayLike<number> },
): ModeInformation {
  const sharedWith = (labels: ArrayLike<number>) =>
    differ(labels) ? adjustedMutualInformation(cell, labels) : null;
  return {
    context: sharedWith(by.context),
    simulator: sharedWith(by.simulator),
    policy: sharedWith(by.policy),
  };
}

function differ(labels: ArrayLike<number>): boolean {
  for (let row = 1; row < labels.length; row++) if (labels[row] !== labels[0]) return true;
  return false;
}
