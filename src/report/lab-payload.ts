import type { Figure } from '../metrics/figure.ts';

/** A figure over seeds; seeds without one are counted with their reasons. */
export interface LabFigure extends Figure {
  readonly nulls: readonly { readonly reason: string; readonly seeds: readonly number[] }[];
}

/** A method less the table's comparison, paired over the seeds that have both. */
export interface LabDifference extends Figure {
  readonly p: number | null;
  /** Holm's over the methods of one world and figure. */
  readonly pHolm: number | null;
}

export interface LabCurvePoint {
  /** 0 = before training. */
  readonly step: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Seeds with a value. */
  readonly n: number;
}

export const LAB_CURVES = ['trainReward', 'selection', 'entropy', 'zeroVariance', 'simulatorReward'] as const;
export type LabCurve = (typeof LAB_CURVES)[number];

export interface LabMethod {
  readonly method: string;
  readonly title: string;
  readonly seeds: {
    readonly done: readonly number[];
    readonly diverged: readonly {
      readonly seed: number;
      readonly step: number;
      readonly side: string;
      readonly reason: string;
    }[];
    /** Planned and not made yet. */
    readonly missing: readonly number[];
  };
  /** By id of `LabTable.figures`. */
  readonly figures: Readonly<Record<string, LabFigure>>;
  /** Empty for the comparison itself and where it is not in the table. */
  readonly differences: Readonly<Record<string, LabDifference>>;
  readonly curves: { readonly every: number } & Readonly<Record<LabCurve, readonly LabCurvePoint[]>>;
}

/** A published phenomenon, and whether it was met; `verdict` is null where there is no interval. */
export interface LabSign {
  readonly id: string;
  readonly statement: string;
  readonly source: string;
  readonly expected: string;
  readonly verdict: 'seen' | 'not seen' | 'opposite' | null;
  readonly figure: Figure;
}

export interface LabWorld {
  /** `persuasion-10`. */
  readonly name: string;
  readonly world: string;
  readonly horizon: number;
  readonly methods: readonly LabMethod[];
  readonly signs: readonly LabSign[];
}

/** The table of the lab as this folder needs it: it may not look down to the lab, whose table has this shape. */
export interface LabTable {
  readonly schema: string;
  readonly study: {
    readonly version: string;
    readonly hash: string;
    readonly settings: object;
    readonly panels: Readonly<
      Record<'seen' | 'selection' | 'test', readonly ({ readonly id: string } & object)[]>
    >;
  };
  /** The method that the others are held against. */
  readonly comparison: string;
  readonly seeds: readonly number[];
  readonly figures: readonly {
    readonly id: string;
    readonly title: string;
    readonly unit: string;
    readonly better: 'more' | 'less' | null;
  }[];
  readonly worlds: readonly LabWorld[];
}

/** What others measured, one score a column; null = not reported. */
export interface LabPublished {
  readonly source: string;
  /** Benchmark and unit, by comma. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly method: string; readonly scores: readonly (number | null)[] }[];
}

/** What was guessed before anything was measured. */
export interface LabGuessed {
  readonly source: string;
  readonly thresholds: readonly {
    /** An id of `LabTable.figures`. */
    readonly figure: string;
    readonly title: string;
    readonly limit: number;
    readonly better: 'more' | 'less';
  }[];
}

export interface LabPage {
  readonly title: string;
  /** The command line that makes the table again. */
  readonly command: string;
  readonly table: LabTable;
  readonly published: LabPublished;
  readonly guessed: LabGuessed;
}
