import type { AuditReport, EpsilonTables, Gate } from '../../audit/index.ts';
import type { BreakerLevel } from '../../diagnosis/index.ts';
import type { Figure, VarianceSplit } from '../../metrics/index.ts';

export type { EpsilonTables } from '../../audit/index.ts';

/** Collapse among those that the policy trains on: held-out panels do not enter, as in a look. */
export interface TrainingFigures {
  readonly scd2: Figure;
  readonly scd: Figure;
  /** The most concentrated member. */
  readonly mci: { readonly simulator: string | null; readonly figure: Figure };
  /** Members that SCD2 and SCD speak without, one sentence each. */
  readonly leftOut: readonly string[];
  /** Training sessions of the window. */
  readonly n: number;
}

/** Figures of the present window: those of `audit` on the same records in the same space. */
export interface LiveMetrics {
  /** Null until a space can be fitted. */
  readonly report: AuditReport | null;
  /** Why there is no report yet. */
  readonly reason: string | null;
  /** What a look at the window would see; null until it is known how a run is compared (the plan). */
  readonly training: TrainingFigures | null;
  /** Epochs of its rows: the latest ended ones, as many as the settings say, and the one under way. */
  readonly window: {
    readonly epochs: readonly number[];
    readonly sessions: number;
    /** Sessions that are not counted since there were too many for the memory; absent where there are none. */
    readonly left?: number;
  };
  readonly epsilon: EpsilonTables | null;
  readonly varianceSplit: VarianceSplit;
  /** Milliseconds since 1970 of the newest record in it. */
  readonly asOf: number | null;
}

/** One epoch as it was looked at: a point of the dashboard's curves. */
export interface Look {
  readonly epoch: number;
  readonly at: number;
  readonly n: number;
  readonly scd2: Figure;
  readonly scd: Figure;
  readonly bdi: Figure;
  readonly psod: Figure;
  readonly psodRise: Figure;
  readonly zeroVariance: Figure;
  readonly epsilonMember: Figure;
  readonly level: BreakerLevel;
  readonly notes: readonly string[];
  /** A round of probe sessions during this epoch, beside the look at the epoch's own. */
  readonly probe?: true;
}

/** A pool whose trainer should push a checkpoint. */
export interface CheckpointDue {
  /** The member's id. */
  readonly pool: string;
  /** Epochs from one checkpoint to the next. */
  readonly every: number;
  /** In which the newest one came; null where there is none. */
  readonly lastEpoch: number | null;
  readonly newest: string | null;
}

/** `GET /api/gate`: what a trainer waits for. */
export interface GatewayGate extends Gate {
  /** The epoch under way. */
  readonly epoch: number;
  /** Panel sessions (model `panel/selection`) are due before PSOD can be told again. */
  readonly psod: {
    readonly due: boolean;
    readonly lastEpoch: number | null;
    readonly every: number;
    /**
     * Contexts that training sessions of `contextsEpoch` played, by their labels (their identities where they have
     * none): PSOD needs panel sessions on the same ones. At most 64, the same ones as long as they come again.
     */
    readonly contexts: readonly string[];
    /** The epoch under way, or the one before it while none of its sessions is over; null where none is known. */
    readonly contextsEpoch: number | null;
  };
  /** Pools in service that a checkpoint is due for at the present epoch, by id. */
  readonly checkpointsDue: readonly CheckpointDue[];
  /** Grows with every change: `GET /api/gate?after=REVISION&wait=SECONDS` answers when it is larger. */
  readonly revision: number;
}
