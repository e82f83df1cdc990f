import type { Figure } from '../metrics/figure.ts';
import type { AuditReport } from './report-data.ts';

export const COMPARISON_SCHEMA = 'collapse-aware/comparison@1';

/**
 * What the interval of the difference says, all figures of one family together (Holm at 5 %). `no difference
 * shown` is not "equal": see the figure's `detectable`. `not tested`: no difference, or one without an interval.
 */
export type Change = 'higher' | 'lower' | 'no difference shown' | 'not tested';

/** One number of both runs. `difference` is B - A. */
export interface ComparedFigure {
  readonly key: string;
  readonly label: string;
  readonly a: Figure;
  readonly b: Figure;
  readonly difference: Figure;
  /** Which way is better; `none` where neither is in itself. */
  readonly better: 'lower' | 'higher' | 'none';
  /** Holm-adjusted p-value of the difference over its family, null where it was not tested. */
  readonly holm: number | null;
  readonly change: Change;
}

export interface ComparedSide {
  readonly label: string;
  readonly headline: string;
  readonly version: string;
  readonly kept: number;
  readonly simulators: number;
  readonly diagnosis: AuditReport['diagnosis'];
  readonly confounds: AuditReport['confounds'];
}

export interface ComparedSimulator {
  readonly id: string;
  readonly mci: ComparedFigure;
  readonly spread: ComparedFigure;
  readonly bdi: ComparedFigure;
  readonly outside: ComparedFigure;
}

/** What else than the simulators could differ between the two sides. */
export interface ComparisonConfound {
  readonly kind: 'policy' | 'context';
  readonly text: string;
}

/** What `compare --json` prints. Field names are stable; figures stand at the paths they have in an audit. */
export interface Comparison {
  readonly schema: typeof COMPARISON_SCHEMA;
  readonly version: string;
  readonly headline: string;
  readonly space: {
    readonly id: string;
    readonly k: number;
    readonly control: string;
    readonly controlReason: string;
    readonly unit: string;
    readonly unitReason: string;
  };
  /** Compared row by row, or from two reports: then variances add, whatever the two share. */
  readonly basis: 'rows' | 'reports';
  readonly method: string;
  /** Units (contexts, persons or episodes) of each side and of both; null from reports. */
  readonly units: { readonly a: number; readonly b: number; readonly shared: number } | null;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly scd: {
    readonly pooled2: ComparedFigure;
    readonly pooled: ComparedFigure;
    readonly pooled2Within: ComparedFigure;
    readonly pooled2Alike: ComparedFigure;
    readonly conditional: ComparedFigure;
  };
  readonly bdi: {
    readonly headline: ComparedFigure;
    readonly mass: ComparedFigure;
    /** Share of modes covered, each weighing the same: needs no people. */
    readonly covered: ComparedFigure;
    readonly realism: ComparedFigure;
    /** Relative growth of the covered modes from A to B: covered(B) / covered(A) - 1. */
    readonly relative: Figure;
    readonly g0: number | null;
  };
  readonly psod: { readonly value: ComparedFigure; readonly rise: ComparedFigure };
  readonly epsilon: { readonly member: ComparedFigure };
  readonly health: { readonly zeroVariance: ComparedFigure };
  /** Simulators of either side; one that only one side has keeps its reason on the other. */
  readonly simulators: readonly ComparedSimulator[];
  readonly confounds: readonly ComparisonConfound[];
}

/** All figures of the populations, in the order they are shown. */
export function comparedFigures(comparison: Comparison): ComparedFigure[] {
  const { scd, bdi, psod, epsilon, health } = comparison;
  return [
    scd.pooled2,
    scd.pooled,
    scd.pooled2Within,
    scd.pooled2Alike,
    scd.conditional,
    bdi.headline,
    bdi.mass,
    bdi.covered,
    bdi.realism,
    psod.value,
    psod.rise,
    epsilon.member,
    health.zeroVariance,
  ];
}
