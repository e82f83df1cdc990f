import type { Bars, Measure } from '../diagnosis/index.ts';
import type { AcceptanceVerdict, MemberRecord, RoundRecord, RunSettings, RunSummary } from '../loop/index.ts';
import type { Origin } from '../synthesis/index.ts';

/** A run under way, or one that was stopped: what it has decided so far, without final figures. */
export interface RunSoFar {
  readonly settings: RunSettings;
  /** Null until the space is open. */
  readonly space: RunSummary['space'] | null;
  readonly rounds: readonly RoundRecord[];
  /** Members met so far; those of `settings` and of the rounds' candidates are added where they are missing. */
  readonly members: readonly MemberRecord[];
}

/** What the page of a run is made from. */
export interface EvolvePage {
  readonly title: string;
  /** The command line that makes the run again; null = not known. */
  readonly command: string | null;
  /** A finished run (`summary.json`) or one so far. */
  readonly run: RunSummary | RunSoFar;
  /** Bars in force; null = those that the rounds tell, or the proposal's constants if the settings say so. */
  readonly bars: RunBars | null;
}

export type RunBars = Readonly<Record<Measure, Bars>>;

/** A run as its page carries it: every id and every mode once. */
export interface EvolveView {
  readonly title: string;
  readonly command: string | null;
  readonly finished: boolean;
  readonly settings: Omit<RunSettings, 'members'>;
  readonly space: RunSummary['space'] | null;
  /** `scd` is null where the bars follow people and nobody said where they lie. */
  readonly bars: { readonly scd: Bars | null; readonly psod: Bars };
  readonly rounds: readonly EvolveRound[];
  readonly modes: readonly EvolveMode[];
  readonly members: readonly EvolveMember[];
  readonly selected: RunSummary['selected'] | null;
  readonly final: EvolveFinal | null;
  readonly guarantee: readonly string[];
  /** Null of a run under way: its rounds have theirs. */
  readonly cost: RunSummary['cost'] | null;
}

/** Gains are paired over contexts; absent where a record has none. */
export type EvolveFinal = Omit<RunSummary['final'], 'gain' | 'peopleGain'> &
  Partial<Pick<RunSummary['final'], 'gain' | 'peopleGain'>>;

export interface EvolveRound extends Omit<RoundRecord, 'modes' | 'candidates' | 'population' | 'acceptance'> {
  readonly acceptance: AcceptanceVerdict | null;
  /** How many candidates were proposed and kept. */
  readonly candidates: { readonly kept: number; readonly of: number };
}

/** A mode of people, and what fell there in each round, in the order of `rounds`. */
export interface EvolveMode {
  readonly mode: number;
  /** Null without people. */
  readonly mass: number | null;
  readonly rounds: readonly {
    /** Null where the round does not name the mode. */
    readonly before: number | null;
    readonly after: number | null;
    readonly missing: boolean;
  }[];
}

export interface EvolveMember {
  readonly id: string;
  readonly family: string;
  /** Null where no model is asked. */
  readonly model: string | null;
  /** How it answers, in words. */
  readonly recipe: string;
  /** Null where the run has no record of it. */
  readonly origin: Origin | null;
  /** Round in which it was made; 0 = given at the start. */
  readonly round: number;
  readonly audition: MemberRecord['audition'];
  readonly kept: boolean;
  readonly reason: string;
  /** Of the population at the start, then after each round; null = not in service. Empty: never. */
  readonly shares: readonly (number | null)[];
}
