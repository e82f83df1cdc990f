import type { Figure } from '../metrics/index.ts';
import type { MemberRecord } from './member-record.ts';
import type { RoundCost, RoundRecord } from './round-record.ts';
import type { RunSettings } from './run-settings.ts';

export const SUMMARY_SCHEMA = 'collapse-aware/evolve@1';

/** All of a finished run (`summary.json`): follows from settings and seed alone, whatever stopped in between. */
export interface RunSummary {
  readonly schema: typeof SUMMARY_SCHEMA;
  readonly settings: RunSettings;
  readonly space: { readonly id: string; readonly k: number; readonly people: boolean };
  readonly rounds: readonly RoundRecord[];
  /** Everybody the run met, in the order of round and id: the population tree. */
  readonly members: readonly MemberRecord[];
  /** The checkpoint that the selection panel chose. */
  readonly selected: { readonly round: number; readonly checkpoint: string };
  /** Of that checkpoint and of the one before training; asked for once, at the end. */
  readonly final: {
    readonly test: Figure;
    readonly people: Figure;
    readonly baseTest: Figure;
    readonly basePeople: Figure;
    /** Test and people, less those of the policy before training. */
    readonly gain: Figure;
    readonly peopleGain: Figure;
    readonly psod: Figure;
    readonly psodRise: Figure;
  };
  /** What the acceptance rule promises of this run, and what it does not. */
  readonly guarantee: readonly string[];
  readonly cost: RoundCost;
}
