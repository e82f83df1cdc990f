import type { SimulatorVerdict, Verdict } from '../diagnosis/verdict.ts';
import type { Figure } from '../metrics/figure.ts';

export type { Verdict } from '../diagnosis/verdict.ts';

export const AUDIT_SCHEMA = 'collapse-aware/audit@1';

export interface ModeInformation {
  readonly context: number | null;
  readonly simulator: number | null;
  readonly policy: number | null;
}

export interface SpaceSummary {
  readonly id: string;
  readonly k: number;
  readonly kRule: string;
  readonly seed: number;
  readonly embedder: string;
  readonly fittedOn: 'people' | 'sample';
  readonly nFit: number;
  /** Which codebook the rows are compared in, and why. */
  readonly control: 'context' | 'interaction' | 'none';
  readonly controlReason: string;
  readonly unit: 'context' | 'person' | 'episode';
  readonly unitReason: string;
  readonly contexts: number;
  /** Adjusted mutual information of the mode with context, simulator, policy, on rows left out of the fit. */
  readonly modeInformation: {
    readonly before: ModeInformation;
    readonly after: ModeInformation;
    readonly n: number;
  };
  /** Share of rows eligible for context control, used, outside. */
  readonly shares: { readonly eligible: number; readonly used: number; readonly outside: number };
  readonly stability: {
    readonly episode: number | null;
    readonly interaction: number | null;
    readonly turn: number | null;
  };
}

export interface SimulatorReport {
  readonly id: string;
  readonly kind: string;
  readonly n: number;
  readonly contexts: number;
  /** Policies it was seen with. */
  readonly policies: readonly string[];
  readonly mci: Figure;
  readonly effectiveModes: Figure;
  readonly spread: Figure;
  readonly effectiveRank: Figure;
  readonly withinContext: Figure;
  readonly vendi: Figure;
  readonly outside: Figure;
  /** Share outside in the semantic block alone: the style distance. */
  readonly style: Figure;
  readonly bdi: {
    readonly mass: Figure;
    readonly knn: Figure;
    readonly knnExpected: number | null;
    readonly realism: Figure;
  };
  /** Differences simulator - people (on fresh people); `holm` = p-value adjusted over simulators. */
  readonly versusReference: {
    readonly mci: Figure;
    readonly bdiMass: Figure;
    readonly mciHolm: number | null;
    readonly bdiMassHolm: number | null;
  } | null;
  /** Features whose standardised difference to the reference (or to the pool) is largest. */
  readonly drivers: readonly { readonly feature: string; readonly difference: Figure }[];
  /** Mode shares in the codebook used, length k. */
  readonly shares: readonly number[];
  readonly verdict: SimulatorVerdict;
  readonly reward: {
    readonly n: number;
    readonly mean: number | null;
    readonly quantiles: readonly number[];
    readonly missing: number;
  };
  readonly exemplars: readonly { readonly mode: number; readonly text: string }[];
}

export interface MatrixCell {
  readonly checkpoint: string;
  readonly simulator: string;
  readonly split: string | null;
  readonly reward: Figure;
  /** pass^k for k = 1.. while every used context has k trials; success = reward at the top of its range. */
  readonly passHatK: readonly { readonly k: number; readonly value: number; readonly contexts: number }[];
  readonly n: number;
}

export interface EpochRow {
  readonly epoch: number;
  readonly n: number;
  readonly scd: Figure;
  readonly scd2: Figure;
  readonly bdi: Figure;
  readonly psod: Figure;
  readonly mci: Figure;
}

/** Mean per-turn collapse error of one law, and what holds of it where too few replies were drawn again for a value. */
export type TurnErrors = Figure & {
  /** G2: chance that two replies at one visited history are of different classes. */
  readonly disagreement: Figure;
  /** The plug-in value errs low, leave-one-out high. */
  readonly bracket: { readonly plugIn: Figure; readonly leaveOneOut: Figure };
  /** 1 - sqrt(1 - G2) and G2: hold for any law. */
  readonly bounds: { readonly low: Figure; readonly high: Figure };
};

/** What `audit --json` prints. Field names are stable. */
export interface AuditReport {
  readonly schema: typeof AUDIT_SCHEMA;
  readonly version: string;
  readonly space: SpaceSummary;
  readonly simulators: readonly SimulatorReport[];
  readonly reference: {
    readonly id: string;
    readonly n: number;
    readonly parts: { readonly fit: number; readonly mass: number; readonly ceiling: number };
    readonly mci: Figure;
    readonly scd: Figure;
    readonly scd2: Figure;
    readonly ceiling: {
      readonly mass: Figure;
      readonly knn: Figure;
      readonly knnExpected: number | null;
      readonly realism: Figure;
    };
    readonly shares: readonly number[];
  } | null;
  readonly scd: {
    readonly pooled: Figure;
    readonly within: Figure;
    readonly between: Figure;
    readonly pooled2: Figure;
    readonly pooled2Within: Figure;
    readonly pooled2Alike: Figure;
    readonly joint: Figure;
    readonly kernel: Figure;
    readonly conditional: Figure;
  };
  readonly bdi: {
    readonly headline: Figure;
    readonly mass: Figure;
    readonly support: Figure;
    readonly knn: Figure;
    readonly knnExpected: number | null;
    readonly realism: Figure;
    readonly relative: Figure;
    readonly g0: number | null;
  };
  readonly psod: Figure & {
    readonly rise: Figure;
    readonly trend: Figure;
    readonly range: readonly [number, number] | null;
  };
  readonly matrix: readonly MatrixCell[];
  readonly epsilon: { readonly member: TurnErrors; readonly population: TurnErrors };
  readonly varianceSplit: { readonly simulator: Figure; readonly agent: Figure };
  readonly epochs: readonly EpochRow[];
  readonly trend: readonly { readonly metric: string; readonly slope: Figure }[];
  /** Per simulator-turn depth (0 = first turn): SCD2 of the turn classes. */
  readonly depth: readonly {
    readonly depth: number;
    readonly n: number;
    readonly scd2: Figure;
    readonly mci: Figure;
  }[];
  readonly health: {
    readonly groups: number;
    readonly zeroVariance: {
      readonly share: Figure;
      readonly allFail: number;
      readonly allPass: number;
      readonly sameBehaviour: number;
      readonly other: number;
    };
    readonly policyEntropy: Figure;
    readonly contextInformation: Figure;
    readonly consistency: Figure;
  };
  readonly confounds: readonly {
    readonly kind:
      | 'one-policy'
      | 'topic'
      | 'style'
      | 'one-simulator'
      | 'label-contexts'
      | 'off-support'
      | 'language'
      | 'codebook';
    readonly simulator: string | null;
    readonly text: string;
  }[];
  readonly missing: readonly {
    readonly mode: number;
    readonly mass: Figure;
    readonly p: number;
    readonly exemplars: readonly string[];
  }[];
  readonly diagnosis: readonly Verdict[];
  /** The first line of the page: one sentence. */
  readonly headline: string;
  readonly input: {
    readonly files: readonly {
      readonly path: string;
      readonly format: string;
      readonly rows: number;
      readonly kept: number;
    }[];
    readonly rows: number;
    readonly kept: number;
    readonly duplicates: number;
    readonly dropped: readonly {
      readonly code: string;
      readonly reason: string;
      readonly count: number;
      readonly first: string;
    }[];
    readonly reference: { readonly rows: number; readonly kept: number } | null;
  };
}

/** What the HTML page needs beside the report. */
export interface AuditPage {
  readonly report: AuditReport;
  /** Seeded sample of at most 5,000 points, 2-D projection (first two principal axes of the codebook's space). */
  readonly map: {
    readonly points: readonly {
      readonly x: number;
      readonly y: number;
      readonly simulator: string;
      readonly human: boolean;
      readonly mode: number;
      readonly outside: boolean;
      readonly excerpt: string;
    }[];
    readonly centroids: readonly { readonly x: number; readonly y: number; readonly mode: number }[];
    /** Share of variance the two axes show. */
    readonly explained: number;
    readonly sampled: { readonly shown: number; readonly of: number; readonly seed: number };
  };
  /** Per mode: share per simulator and people, a short label from its driving features, exemplars. */
  readonly modes: readonly {
    readonly mode: number;
    readonly label: string;
    readonly people: number | null;
    readonly exemplars: readonly string[];
  }[];
  readonly created: string;
  readonly title: string;
}
