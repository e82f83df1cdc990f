import type { AuditPage } from '../../audit/report-data.ts';
import type { BreakerLevel } from '../../diagnosis/index.ts';
import type { Figure } from '../../metrics/index.ts';
import type { EvolveView } from '../../report/index.ts';
import type { Split, Trajectory } from '../../trajectory/trajectory.ts';
import type { GatewayGate, LiveMetrics, Look } from '../live/live.ts';

// Bodies of the control API, as JSON. Every path stands behind the admin key. Errors are those of the data API.

/** `GET /api/status` */
export interface StatusView {
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly sessions: { readonly open: number; readonly closed: number; readonly orphans: number };
  readonly recorder: {
    readonly records: number;
    readonly bytes: number;
    readonly unrecorded: number;
    readonly failing: string | null;
  };
  readonly probes: ProbeView;
  readonly requests: { readonly running: number; readonly held: number };
  readonly level: string;
  readonly notes: readonly string[];
}

export interface ProbeView {
  readonly asked: number;
  readonly done: number;
  /** By reason: `queue full`, `clients first`, `budget`, `failed`, `draining`, `superseded`, `resting`. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Single replies that did not come; their history may be done for all that. */
  readonly failedReplies: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** `GET /api/evolve`: the run of the loop that was sent last. */
export interface EvolveReply {
  readonly schema: string;
  /** Milliseconds since 1970; null = none was sent. */
  readonly updatedAt: number | null;
  /** Null where none was sent; left out where none is newer than `after`. */
  readonly run?: EvolveView | null;
}

/** `PUT /api/evolve` takes `{run}`, with `title`, `command` and `bars` where they are known; what of it is shown. */
export interface EvolveReceipt {
  readonly rounds: number;
  readonly members: number;
}

/** `GET /api/population`; `PUT` takes `{population, by}` with `population` as in the settings file. */
export interface PopulationView {
  readonly draw: string;
  readonly level: string;
  readonly members: readonly MemberView[];
  readonly population: unknown;
}

export interface MemberView extends MemberCounts {
  readonly id: string;
  readonly family: string;
  readonly fingerprint: string;
  readonly recipe: string;
  readonly model: string | null;
  readonly upstream: string | null;
  readonly panel: 'seen' | 'selection' | 'test';
  readonly weight: number;
  /** Of new sessions of its panel at the present level; 0 where it rests. */
  readonly share: number;
  readonly antiCollapse: boolean;
  readonly state: 'up' | 'resting' | 'probing';
  readonly mci: Figure | null;
}

/** What a member has done and used since the journal began. */
export interface MemberCounts {
  readonly sessions: number;
  readonly turns: number;
  readonly failures: number;
  readonly fallbacks: number;
  /** For clients, by the upstreams' account: replies that came to nothing are in it where there was one. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The same for probes that asked it. */
  readonly probeTokens: { readonly prompt: number; readonly completion: number };
  /** Replies of models, to clients and probes, whose upstream gave no account: their tokens are in no sum. */
  readonly unmetered: number;
  /** Of all the tokens above; null where one who answered has no price. 0 where nobody was asked yet. */
  readonly cost: number | null;
  /** Some who answered at a price gave no account of tokens: `cost` is what it was at least. */
  readonly costIsLow: boolean;
}

/** `GET /api/sessions?state=&member=&epoch=&text=&after=&limit=`: newest first; `text`: part of an id. */
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  /** Give it as `after` for the next page; null = no more. */
  readonly next: string | null;
  readonly total: number;
}

export interface SessionSummary {
  readonly id: string;
  readonly state: 'open' | 'closed' | 'orphan';
  readonly bound: string;
  readonly member: string;
  readonly fingerprint: string | null;
  readonly split: Split | null;
  readonly group: string | null;
  readonly epoch: number | null;
  readonly turns: number;
  readonly reward: number | null;
  readonly termination: string | null;
  readonly openedAt: number;
  readonly touchedAt: number;
}

/** `GET /api/sessions/{sid}` */
export interface SessionView extends SessionSummary {
  readonly trajectory: Trajectory;
  /** Index in `trajectory.turns` of the user's turns, and how each was answered. */
  readonly answers: readonly {
    readonly turn: number;
    readonly answeredBy: string;
    readonly fingerprint: string;
    readonly fallback: string | null;
    readonly drawn: number | null;
    readonly attempts: number;
    readonly upstreamMs: number;
    readonly overheadMs: number;
  }[];
}

/** `POST /api/sessions`: a session made beforehand, with a key and a base URL of its own. */
export interface NewSession {
  readonly id?: string;
  readonly model?: string;
  readonly group?: string;
  readonly epoch?: number;
  readonly run?: string;
  readonly policy?: { readonly id: string; readonly checkpoint?: string | null | undefined };
  readonly contextLabel?: string;
  readonly nested?: { readonly agentSeed: string; readonly userSeed: string };
}

export interface OpenedSession {
  readonly id: string;
  readonly key: string;
  readonly baseUrl: string;
  readonly member: string;
  readonly fingerprint: string;
}

/** `POST /api/rewards` `{rewards: [...]}`; `close` (default true) ends the session. */
export interface RewardEntry {
  readonly session: string;
  readonly reward: number | null;
  readonly outcome?: string | null;
  readonly termination?: string | null;
  readonly close?: boolean;
}

export interface Receipt {
  readonly accepted: number;
  readonly rejected: readonly { readonly id: string; readonly code: string; readonly reason: string }[];
}

/** `POST /api/epochs`: the trainer begins an epoch. */
export interface EpochEntry {
  readonly epoch: number;
  readonly run?: string | null;
  readonly policy?: { readonly id: string; readonly checkpoint?: string | null | undefined };
}

/** `POST /api/decide` `{groups: [{id?, sessions}]}` */
export interface Decision {
  readonly group: string;
  readonly decision: 'accept' | 'reject' | 'defer';
  readonly reasons: readonly string[];
  /** Sessions of it that passed the quality gate. */
  readonly usable: readonly string[];
  readonly dropped: readonly { readonly session: string; readonly check: string; readonly reason: string }[];
}

/** `POST /api/weights` `{ids, recipe?}`: mean 1 over the ids that are known. */
export interface WeightsReply {
  readonly weights: Readonly<Record<string, number>>;
  readonly unknown: readonly { readonly id: string; readonly reason: string }[];
  readonly ess: number | null;
  readonly notes: readonly string[];
}

/** `POST /api/select` `{candidates, n, recipe?}`: n of each group are kept. */
export interface SelectReply {
  readonly kept: readonly string[];
  /** Chance with which each candidate was kept. */
  readonly inclusion: Readonly<Record<string, number>>;
  /** Of kept pairs of one group: weight 1 / pi_ij. */
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly joint: number }[];
  readonly unknown: readonly { readonly id: string; readonly reason: string }[];
  readonly seed: string;
}

/** `GET /api/metrics` */
export type MetricsView = LiveMetrics;
/** `GET /api/looks?limit=` */
export interface LooksView {
  readonly looks: readonly Look[];
  readonly bars: { readonly yellow: number; readonly red: number } | null;
  /** What moved the breaker beside looks (an operator, a lapse, a time limit), oldest first; absent = not kept. */
  readonly steered?: readonly {
    readonly at: number;
    readonly level: BreakerLevel;
    readonly notes: readonly string[];
  }[];
}
/** `GET /api/map`; null until there is a report, whose reason says why. */
export type MapView = Pick<AuditPage, 'map' | 'modes'> | null;
/** `GET /api/gate?after=&wait=` */
export type GateView = GatewayGate;

/** `POST /api/breaker` : an operator's level, or `{release: true, by}`. */
export interface OverrideEntry {
  readonly level: 'green' | 'yellow' | 'red';
  readonly by: string;
  readonly reason: string;
  /** Seconds; absent = until released. */
  readonly seconds?: number;
}
