import type { Bars, BreakerLevel, Measure } from '../diagnosis/index.ts';
import type { Figure } from '../metrics/index.ts';
import type { AcceptanceVerdict } from './acceptance.ts';
import type { AcceptancePower } from './acceptance-power.ts';
import type { DataPlan } from './data-plan.ts';
import type { MemberRecord } from './member-record.ts';

/** One round as it went: everything that was decided, with its evidence. Plain data, a line of the run's log. */
export interface RoundRecord {
  readonly round: number;
  /** Figures of the population in force when the round began, with the policy as it was then. */
  readonly look: RoundFigures;
  /** How often the rule lets a population pass that is as good as the best, or better; told once, before the first proposal. */
  readonly power: AcceptancePower | null;
  readonly breaker: {
    /** Before and after this round's look. */
    readonly before: BreakerLevel;
    readonly after: BreakerLevel;
    readonly training: 'run' | 'paused';
    readonly notes: readonly string[];
    /** In force in the whole run: the proposal's constants, or over people's own SCD2. */
    readonly bars: Readonly<Record<Measure, Bars>>;
  };
  /** What the look says, in words with their numbers; what follows from it stands in `breaker`, `data` and `candidates`. */
  readonly diagnosis: readonly string[];
  /** Modes of people, by mass: what of the population's episodes fell there before and would under the new shares. */
  readonly modes: readonly {
    readonly mode: number;
    readonly mass: number | null;
    readonly before: number;
    readonly after: number | null;
    readonly missing: boolean;
  }[];
  /** Share of groups that synthesis may fill this round, 0..1. */
  readonly synthesisShare: number;
  readonly candidates: readonly MemberRecord[];
  readonly acceptance: AcceptanceVerdict | null;
  /** In force after the round: ids and shares. */
  readonly population: readonly { readonly member: string; readonly share: number }[];
  readonly data: DataPlan;
  /** Which rule moved what of the data plan, in words with its numbers. */
  readonly dataNotes: readonly string[];
  readonly training: {
    readonly checkpoint: string;
    readonly steps: number;
    readonly reward: Figure;
    /** Mean over steps; null where no group has a reward. */
    readonly zeroVariance: number | null;
    readonly entropy: number | null;
    readonly stopped: string | null;
  } | null;
  readonly exam: { readonly selection: Figure; readonly population: Figure } | null;
  readonly cost: RoundCost;
}

export interface RoundFigures {
  readonly scd2: Figure;
  /** Headline BDI with people; share of modes covered without (`relative` in the method). */
  readonly bdi: Figure;
  readonly realism: Figure;
  readonly psod: Figure;
  readonly psodRise: Figure;
  /** Of the population at the first user turn, where it is known. */
  readonly epsilon: Figure;
}

export interface RoundCost {
  readonly probeEpisodes: number;
  readonly trainEpisodes: number;
  readonly turns: number;
}
