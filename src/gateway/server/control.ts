import type { AuditPage } from '../../audit/index.ts';
import type { EvolvePage } from '../../report/index.ts';
import type {
  Decision,
  EpochEntry,
  EvolveReceipt,
  GateView,
  LooksView,
  MetricsView,
  NewSession,
  OpenedSession,
  OverrideEntry,
  PopulationView,
  Receipt,
  SelectReply,
  SessionList,
  SessionView,
  StatusView,
  WeightsReply,
} from '../api/control.ts';
import type { Purpose } from '../recorder/purpose.ts';

/** What the control API can ask of a gateway; `gateway.ts` answers. */
export interface Control {
  status(): StatusView;
  population(): PopulationView;
  replacePopulation(population: unknown, by: string): Promise<PopulationView>;
  setWeights(weights: Readonly<Record<string, number>>, by: string): Promise<PopulationView>;
  pushCheckpoint(member: string, checkpoint: string, by: string): Promise<readonly string[]>;
  openSession(session: NewSession, baseUrl: string): Promise<OpenedSession>;
  sessions(query: SessionQuery): SessionList;
  session(id: string): Promise<SessionView>;
  endSession(id: string, termination: string): Promise<void>;
  /** Entries as they came: those that are wrong are rejected one by one. */
  rewards(entries: readonly unknown[]): Promise<Receipt>;
  rewardsFromDump(rows: readonly unknown[], format: string | null): Promise<Receipt>;
  beginEpoch(entry: EpochEntry): Promise<GateView>;
  trajectories(query: TrajectoryQuery): AsyncIterable<string>;
  metrics(): Promise<MetricsView>;
  map(): Promise<{ readonly map: AuditPage['map']; readonly modes: AuditPage['modes'] } | null>;
  looks(limit: number): LooksView;
  /** JSON text of an `EvolveReply`, without the run where none is newer. */
  evolve(after: number | null): string;
  setEvolve(page: EvolvePage): Promise<EvolveReceipt>;
  /** The window as a profile's file; null until there is a space. */
  profile(): Promise<string | null>;
  /** The saved space as text; null until there is one. */
  space(): Promise<string | null>;
  gate(after: number | null, waitMs: number, signal: AbortSignal): Promise<GateView>;
  override(entry: OverrideEntry | { readonly release: true; readonly by: string }): Promise<GateView>;
  record(trajectories: readonly unknown[]): Promise<Receipt>;
  decide(
    groups: readonly { readonly id?: string | undefined; readonly sessions: readonly string[] }[],
    zeroVariance: 'accept' | 'reject',
  ): Promise<readonly Decision[]>;
  weights(ids: readonly string[], recipe: unknown): Promise<WeightsReply>;
  select(
    candidates: readonly { readonly id: string; readonly group?: string | undefined }[],
    n: number,
    recipe: unknown,
  ): Promise<SelectReply>;
  nestedPlan(query: NestedQuery): readonly NewSession[];
  questions(): readonly {
    readonly id: string;
    readonly messages: readonly unknown[];
    readonly since: number;
  }[];
  answerQuestion(id: string, text: string): boolean;
}

export interface SessionQuery {
  readonly state: 'open' | 'closed' | 'orphan' | null;
  readonly member: string | null;
  readonly epoch: number | null;
  /** Part of an id. */
  readonly text: string | null;
  readonly after: string | null;
  readonly limit: number;
}

export interface TrajectoryQuery {
  /** `window`: the sessions that enter the present figures; `closed`: all that are over; `all`: those under way too. */
  readonly of: 'window' | 'closed' | 'all';
  readonly epoch: number | null;
  readonly split: 'seen' | 'selection' | 'test' | null;
  readonly member: string | null;
  /** Of the window, those of them alone that enter its figures. */
  readonly purposes: readonly Purpose[];
}

export interface NestedQuery {
  readonly contexts: readonly string[];
  readonly agentSeeds: number;
  readonly userSeeds: number;
}
