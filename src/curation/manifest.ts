import type { Figure } from '../metrics/index.ts';
import type { AllocationParts } from './allocation.ts';
import type { Blame } from './gate/check.ts';
import type { GateAction } from './gate/gate-recipe.ts';
import type { Recipe } from './recipe.ts';

export const CURATION_SCHEMA = 'collapse-aware/curation@1';

/** What a curation did, in numbers: manifest.json. Holds no time, so that equal input gives equal bytes. */
export interface CurationManifest {
  readonly schema: typeof CURATION_SCHEMA;
  readonly version: string;
  /** One sentence: what changed, or that nothing could. */
  readonly headline: string;
  readonly inputs: readonly InputFile[];
  readonly reference: readonly InputFile[] | null;
  /** Contents among the rows that are in the reference too: above 0 the people are not independent of the rows. */
  readonly sharedWithReference: number;
  readonly recipe: Recipe;
  readonly space: {
    readonly id: string;
    readonly k: number;
    readonly embedder: string;
    readonly fittedOn: 'people' | 'sample';
    readonly control: string;
    readonly controlReason: string;
    readonly unit: string;
    /** Mean adjusted Rand index of the modes that other seeds cut, at most 1; null or absent: not known. */
    readonly stability?: number | null;
  };
  /** In order; rows that leave one stage enter the next. */
  readonly funnel: readonly FunnelStage[];
  readonly gated: GatedAccount;
  readonly gate: readonly CheckCount[] | null;
  readonly judge: JudgeAccount | null;
  /** Where concentration is corrected, once. */
  readonly concentration: WeightsAccount['concentration'];
  readonly weights: WeightsAccount | null;
  readonly batches: BatchesAccount | null;
  readonly simulators: readonly SimulatorAccount[];
  readonly modes: readonly ModeAccount[];
  readonly selection: SelectionAccount | null;
  readonly advantage: AdvantageAccount | null;
  readonly consistency: ConsistencyAccount | null;
  readonly allocation: AllocationAccount | null;
  readonly beforeAfter: BeforeAfter;
  readonly outputs: readonly OutputFile[];
}

export interface InputFile {
  readonly path: string;
  readonly format: string;
  readonly bytes: number | null;
  /** Of the bytes as they lie on disk; null for standard input. */
  readonly sha256: string | null;
  readonly rows: number;
  readonly kept: number;
  /** Why reading it stopped; rows before that are kept. Null where it was read to its end. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface OutputFile {
  readonly path: string;
  readonly rows: number | null;
  readonly bytes: number;
  readonly sha256: string;
}

/** Whose fault it is that a row is not trained on; `none`: the row is sound, it is only not needed. */
export type DropBlame = Blame | 'none';

export interface FunnelStage {
  readonly stage: 'read' | 'gate' | 'selection' | 'batches';
  readonly entered: number;
  readonly left: number;
  readonly reasons: readonly { readonly reason: string; readonly blame: DropBlame; readonly count: number }[];
}

/** Rows that passed the gate. */
export interface GatedAccount {
  readonly rows: number;
  /** Different contents among them: a content counts once in densities, modes and figures. */
  readonly contents: number;
  /** GRPO groups with a row left, those with a single one (nothing to compare it with), and rows of no group. */
  readonly groups: number;
  readonly lone: number;
  readonly ungrouped: number;
}

export interface CheckCount {
  readonly check: string;
  readonly blame: Blame;
  readonly action: GateAction;
  /** Rows with a finding, rows it dropped (a row with several findings counts for each), rows it could not look at. */
  readonly found: number;
  readonly dropped: number;
  readonly unchecked: number;
}

/** What a model said, not what it cost: equal input then gives equal bytes, whatever was cached. */
export interface JudgeAccount {
  readonly model: string;
  /** Rows of different content that something was asked of. */
  readonly rows: number;
  /** Answers that came, one for each question and vote: the lines of votes.jsonl. */
  readonly votes: number;
  /** Rows with an answer, or more, that could not be read as "yes" or "no". */
  readonly invalid: number;
  /** Rows with a question, or more, that stayed open: no reply, or too many invalid answers, as the gate counts them. */
  readonly unchecked: number;
}

export interface WeightsAccount {
  readonly n: number;
  /** Where concentration is corrected. */
  readonly concentration: 'weights' | 'batches' | 'gradient' | 'none';
  /** Exponent that log weights were multiplied by to keep the effective sample size, 0 .. 1. */
  readonly kappa: number;
  /** weight = clip(scale w^kappa, low, high) */
  readonly scale: number;
  /** (sum w)^2 / sum w^2, and the same of the weights before kappa and bounds. */
  readonly ess: number;
  readonly essRaw: number;
  readonly atLow: number;
  readonly atHigh: number;
  /** Rows of unknown density (they stand in the middle), and of simulators of unknown MCI (factor 1). */
  readonly unknownDensity: number;
  readonly unknownConcentration: number;
  readonly histogram: readonly { readonly low: number; readonly high: number; readonly count: number }[];
}

export interface BatchesAccount {
  readonly size: number;
  readonly count: number;
  readonly balance: 'mode' | 'none';
  readonly rows: number;
  readonly groups: number;
  /** In no batch: what modes have beyond their equal share. */
  readonly leftOut: { readonly rows: number; readonly groups: number };
  /** Rows without a mode, and how many of them are in batches. */
  readonly withoutMode: { readonly exists: number; readonly got: number };
  /** By mode: rows that an equal share asks for, that there are, that batches hold, and how many of the share are lacking. */
  readonly modes: readonly {
    readonly mode: number;
    readonly wanted: number;
    readonly exists: number;
    readonly got: number;
    readonly shortfall: number;
  }[];
}

export interface SimulatorAccount {
  readonly id: string;
  readonly rows: number;
  readonly kept: number;
  readonly mci: Figure;
  readonly meanWeight: number | null;
  readonly gradientScale: number | null;
  readonly consistency: number | null;
}

export interface ModeAccount {
  readonly mode: number;
  readonly label: string;
  /** Shares of the rows read, of the rows kept, of the weight, of the batches, and of people. */
  readonly before: number;
  readonly kept: number;
  readonly weighted: number | null;
  readonly after: number;
  readonly people: number | null;
}

export interface SelectionAccount {
  readonly design: 'conditional-poisson' | 'poisson';
  readonly keep: number;
  readonly groups: number;
  readonly kept: number;
  /** Poisson only: groups left with fewer than 2 rows. */
  readonly short: number;
}

export interface AdvantageAccount {
  readonly baseline: 'weighted' | 'simulator';
  readonly groups: number;
  /** Rows without a comparison: alone in their group, or alone of their simulator in it. Their advantage is 0. */
  readonly lone: number;
  /** Rows without a reward or without a group: their advantage is null. */
  readonly missing: number;
}

/** What multipliers over simulators came from; the multipliers stand with the simulators. */
export interface ConsistencyAccount {
  readonly rule: 'v-rex' | 'group-dro';
  /** Policy that gains are measured from; null = there is only one. */
  readonly base: string | null;
  /** By simulator that passed the gate. */
  readonly gains: readonly { readonly simulator: string; readonly gain: Figure }[];
  /** Why all multipliers are 1; null where they need not be. */
  readonly reason: string | null;
}

/** Where the next rollouts go, summed up; the cells stand in allocation.json. */
export interface AllocationAccount {
  readonly budget: number;
  readonly left: number;
  /** Cells that get any, and those of them that were never rolled out. */
  readonly cells: number;
  readonly fresh: number;
  readonly parts: AllocationParts;
  readonly unreached: readonly number[];
}

/** One figure before and after, at one size, with the interval of its difference. */
export interface ChangedFigure {
  readonly before: Figure;
  readonly after: Figure;
  /** after - before */
  readonly difference: Figure;
}

export interface BeforeAfter {
  /** What "after" is: rows in batches, or a weight-proportional draw, in words. */
  readonly after: string;
  readonly rows: { readonly before: number; readonly after: number };
  readonly g0: number | null;
  /** Each simulator counts the same, as in an audit. */
  readonly scd2: ChangedFigure;
  readonly bdi: ChangedFigure;
  readonly mass: ChangedFigure;
  readonly realism: ChangedFigure;
  /** Null where the figures improved, or nothing can be judged. */
  readonly search: SearchResult | null;
  readonly verdict: 'improved' | 'unchanged' | 'limited-by-data' | 'not-judged';
}

/** What the best subset of gated rows of the same size reached in a stated search. */
export interface SearchResult {
  readonly method: string;
  readonly rows: number;
  readonly evaluations: number;
  readonly seed: number;
  readonly bestScd2: {
    readonly scd2: number | null;
    readonly bdi: number | null;
    readonly realism: number | null;
  };
  readonly bestBdi: {
    readonly scd2: number | null;
    readonly bdi: number | null;
    readonly realism: number | null;
  };
}

/** What the before / after page shows beside the manifest. */
export interface CurationPage {
  readonly title: string;
  readonly manifest: CurationManifest;
  /** Some dropped rows of every reason. */
  readonly dropped: readonly DroppedExample[];
}

export interface DroppedExample {
  readonly id: string;
  readonly simulator: string;
  readonly stage: string;
  readonly check: string;
  readonly blame: DropBlame;
  readonly reason: string;
  readonly evidence: string;
  readonly source: string;
}
