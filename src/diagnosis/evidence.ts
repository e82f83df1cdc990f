import type { Figure } from '../metrics/figure.ts';
import type { SimulatorVerdict } from './verdict.ts';

/**
 * The part of an audit's figures that diagnosis reads. Declared here, by structure, because audit/ stands
 * below diagnosis/ in the house: a whole report satisfies it, and so does a row of a running monitor.
 */
export interface SimulatorEvidence {
  readonly id: string;
  readonly n: number;
  readonly mci: Figure;
  /** Trace of its covariance over the reference's or pool's. */
  readonly spread: Figure;
  readonly outside: Figure;
  /** Difference to people; null without people. */
  readonly versusReference: { readonly mci: Figure; readonly mciHolm: number | null } | null;
}

export interface JudgedSimulator extends SimulatorEvidence {
  readonly verdict: SimulatorVerdict;
}

/** The pool a simulator is held against where there are no people. */
export interface PoolEvidence {
  /** c_mix of `pooled2`: the chance that two rows of the mixture share a mode. */
  readonly mci: number | null;
  readonly simulators: number;
  /** Holm-adjusted p-value, over all simulators, of an MCI that is not `poolFactor` times the pool's; null = not tested. */
  readonly holm?: number | null;
}

export interface DiagnosisInput {
  readonly space: { readonly k: number };
  readonly simulators: readonly JudgedSimulator[];
  readonly reference: { readonly id: string; readonly scd2: Figure } | null;
  readonly scd: {
    readonly pooled2: Figure;
    readonly pooled2Within: Figure;
    readonly pooled2Alike: Figure;
  };
  readonly bdi: { readonly headline: Figure; readonly g0: number | null };
  readonly psod: Figure & { readonly rise: Figure; readonly trend: Figure };
  /** Slopes over epochs, by metric; those of SIGNATURE are read. */
  readonly trend: readonly { readonly metric: string; readonly slope: Figure }[];
  readonly missing: readonly { readonly mode: number; readonly mass: Figure; readonly p: number }[];
  readonly confounds: readonly { readonly kind: string; readonly simulator: string | null }[];
}

/** Names under which `trend` carries the four parts of the joint signature, and the way each must go. */
export const SIGNATURE = [
  { metric: 'reward.seen', words: 'reward on the training simulators', direction: 1 },
  { metric: 'reward.heldOut', words: 'reward on held-out simulators', direction: -1 },
  { metric: 'variance.simulator', words: "the simulators' side of the reward's variance", direction: -1 },
  { metric: 'zeroVariance', words: 'share of zero-variance groups', direction: 1 },
] as const;

/** SCD2 = 1 + log c_mix / log K, solved for c_mix. */
export function poolConcentration(scd2: Figure, k: number): number | null {
  return scd2.value === null ? null : k ** (scd2.value - 1);
}
