import type {
  Decision,
  EpochEntry,
  EvolveReceipt,
  EvolveReply,
  GateView,
  LooksView,
  MetricsView,
  NewSession,
  OpenedSession,
  OverrideEntry,
  PopulationView,
  Receipt,
  RewardEntry,
  SelectReply,
  SessionList,
  SessionView,
  StatusView,
  WeightsReply,
} from '../gateway/api/control.ts';
import type { EvolvePage } from '../report/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { ClientError } from './client-error.ts';
import type { ClientOptions } from './client-options.ts';
import { flatMetrics } from './flat-metrics.ts';
import {
  acceptAll,
  type Candidate,
  type GroupToDecide,
  keepAll,
  noneTaken,
  weightsOfOne,
} from './stand-in.ts';
import { type Call, openTransport, pause, type Transport } from './transport.ts';

/** What a trainer does next. */
export interface GateReply {
  /** `hold` at red and half-open. */
  readonly training: 'go' | 'hold';
  readonly level: GateView['level'];
  readonly reasons: readonly string[];
  /** Null where the service is down. */
  readonly view: GateView | null;
}

export interface SessionQuery {
  readonly state?: 'open' | 'closed' | 'orphan';
  readonly member?: string;
  readonly epoch?: number;
  /** Part of an id. */
  readonly text?: string;
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit?: number;
}

export interface TrajectoryQuery {
  /** `window`: those in the present figures; `closed` (default): all that are over; `all`: those under way too. */
  readonly of?: 'window' | 'closed' | 'all';
  readonly epoch?: number;
  readonly split?: 'seen' | 'selection' | 'test';
  readonly member?: string;
  /** Default training and panel: the others are no training data. */
  readonly purpose?: readonly ('training' | 'panel' | 'probe' | 'nested')[];
}

/** Longest that one request for the gate is held; the service may answer sooner. */
const LONGEST_WAIT_S = 30;
const SHORTEST_WAIT_MS = 200;

/**
 * The control API of a gateway, for a trainer: each method is one HTTP call for a whole batch, and everything is found
 * by id. With `failOpen` (the default) training goes on while the service is down: weight 1, accept, green, everybody
 * selected; `metrics()` then has `collapse_aware/up` 0 and counts the answers that stood in.
 * @example `new CollapseAwareClient({ baseUrl: 'http://127.0.0.1:8420', adminKey: process.env.CA_ADMIN_KEY })`
 */
export class CollapseAwareClient {
  readonly #transport: Transport;
  readonly #failOpen: boolean;
  #stoodIn = 0;

  constructor(options: ClientOptions) {
    this.#transport = openTransport(options);
    this.#failOpen = options.failOpen ?? true;
  }

  /** Episodes that the gateway did not serve. A batch that is too large for one request goes in halves. */
  async record(trajectories: readonly Trajectory[]): Promise<Receipt> {
    return this.#orElse(
      () => this.#recorded(trajectories),
      (why) =>
        noneTaken(
          trajectories.map(({ id }) => id),
          why,
        ),
    );
  }

  /** Rewards by session id; a session ends with its reward unless `close` is false. */
  async rewards(rewards: readonly RewardEntry[]): Promise<Receipt> {
    return this.#orElse(
      () => this.#post<Receipt>('/api/rewards', { rewards }),
      (why) =>
        noneTaken(
          rewards.map(({ session }) => session),
          why,
        ),
    );
  }

  /** Rewards from rows of a trainer's own dump. @param format as `--format` of `audit`; absent = recognised. */
  async rewardsFromDump(rows: readonly unknown[], format?: string): Promise<Receipt> {
    const body = format === undefined ? { rows } : { rows, format };
    return this.#orElse(
      () => this.#post<Receipt>('/api/rewards/dump', body),
      (why) => noneTaken([], why),
    );
  }

  /** The trainer begins an epoch. */
  async epochs(entry: EpochEntry): Promise<GateReply> {
    return this.#orElse(async () => replyOf(await this.#post<GateView>('/api/epochs', entry)), goOn);
  }

  /** One decision a group, in the order asked. */
  async decide(
    groups: readonly GroupToDecide[],
    options: { readonly zeroVariance?: 'accept' | 'reject' } = {},
  ): Promise<readonly Decision[]> {
    return this.#orElse(
      async () =>
        (await this.#post<{ decisions: readonly Decision[] }>('/api/decide', { groups, ...options }))
          .decisions,
      (why) => acceptAll(groups, why),
    );
  }

  /** Loss weights by id, mean 1 over the known ones: multiply ADVANTAGES after group normalisation, never rewards. */
  async weights(ids: readonly string[], options: { readonly recipe?: unknown } = {}): Promise<WeightsReply> {
    return this.#orElse(
      () => this.#post<WeightsReply>('/api/weights', { ids, ...options }),
      (why) => weightsOfOne(ids, why),
    );
  }

  /** Keeps n candidates of each group, with the chances that unbiased use needs. */
  async select(
    candidates: readonly Candidate[],
    n: number,
    options: { readonly recipe?: unknown } = {},
  ): Promise<SelectReply> {
    return this.#orElse(
      () => this.#post<SelectReply>('/api/select', { candidates, n, ...options }),
      (why) => keepAll(candidates, why),
    );
  }

  /**
   * May training go on? With `after` (a revision) and `wait` (seconds) the answer comes when something has changed, or
   * the time is over.
   */
  async gate(
    options: { readonly after?: number; readonly wait?: number; readonly signal?: AbortSignal } = {},
  ): Promise<GateReply> {
    const { after, wait, signal } = options;
    const call: Call = {
      query: { after, wait },
      heldMs: (wait ?? 0) * 1000,
      ...(signal === undefined ? {} : { signal }),
    };
    return this.#orElse(async () => replyOf(await this.#get<GateView>('/api/gate', call)), goOn);
  }

  /**
   * Waits while training is held, at most `maxSeconds` (default 300: collective operations give up after about ten
   * minutes). Ask on one rank and tell the others. `timedOut` true: it is still held.
   */
  async waitForGreen(
    options: { readonly maxSeconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<GateReply & { readonly timedOut: boolean }> {
    const until = Date.now() + (options.maxSeconds ?? 300) * 1000;
    const aborting = options.signal === undefined ? {} : { signal: options.signal };
    let reply = await this.gate(aborting);
    while (reply.training === 'hold') {
      const left = (until - Date.now()) / 1000;
      if (left <= 0) return { ...reply, timedOut: true };
      const after = reply.view?.revision;
      const wait = Math.min(LONGEST_WAIT_S, left);
      reply = await this.gate({ ...(after === undefined ? {} : { after }), wait, ...aborting });
      // A gate that answers at once, again and again, is not to be asked in a tight loop.
      if (reply.training === 'hold') await pause(Math.min(SHORTEST_WAIT_MS, left * 1000), options.signal);
    }
    return { ...reply, timedOut: false };
  }

  /** A session made beforehand: give its `baseUrl` and `key` to an OpenAI client. */
  openSession(session: NewSession = {}): Promise<OpenedSession> {
    return this.#post('/api/sessions', session);
  }

  sessions(query: SessionQuery = {}): Promise<SessionList> {
    return this.#get('/api/sessions', { query: { ...query } });
  }

  session(id: string): Promise<SessionView> {
    return this.#get(`/api/sessions/${encodeURIComponent(id)}`);
  }

  async endSession(id: string, termination: string): Promise<void> {
    await this.#post(`/api/sessions/${encodeURIComponent(id)}/end`, { termination });
  }

  /** Every recorded session as a native record, as the gateway sends them: none is held in memory. */
  async *trajectories(
    { purpose, ...rest }: TrajectoryQuery = {},
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Trajectory, void> {
    const query = { ...rest, purpose: purpose?.join(',') };
    for await (const line of this.#transport.lines('/api/trajectories', { query, ...options }))
      yield JSON.parse(line) as Trajectory;
  }

  /** A flat record of numbers for a tracker (docs/gateway-clients.md). */
  async metrics(): Promise<Record<string, number>> {
    const both = await this.#orElse<{ view: MetricsView | null; gate: GateView | null }>(
      async () => {
        const [view, gate] = await Promise.all([this.liveMetrics(), this.#get<GateView>('/api/gate')]);
        return { view, gate };
      },
      () => ({ view: null, gate: null }),
      'unseen',
    );
    return flatMetrics(both.view, both.gate, this.counts);
  }

  /** Everything behind `metrics()`: the report of the present window, with intervals. */
  liveMetrics(): Promise<MetricsView> {
    return this.#get('/api/metrics');
  }

  looks(limit?: number): Promise<LooksView> {
    return this.#get('/api/looks', { query: { limit } });
  }

  status(): Promise<StatusView> {
    return this.#get('/api/status');
  }

  population(): Promise<PopulationView> {
    return this.#get('/api/population');
  }

  /** @param population as in the settings file. @param by who changes it, for the journal. */
  setPopulation(population: unknown, by: string): Promise<PopulationView> {
    return this.#transport.json('/api/population', { method: 'PUT', body: { population, by } });
  }

  /** Weights of the draw, by member. */
  setWeights(weights: Readonly<Record<string, number>>, by: string): Promise<PopulationView> {
    return this.#transport.json('/api/population/weights', { method: 'PATCH', body: { weights, by } });
  }

  /** A new checkpoint for a member that is a pool; the oldest goes. Answers what it holds now. */
  async pushCheckpoint(member: string, checkpoint: string, by = 'trainer'): Promise<readonly string[]> {
    const path = `/api/population/${encodeURIComponent(member)}/checkpoints`;
    return (await this.#post<{ checkpoints: readonly string[] }>(path, { checkpoint, by })).checkpoints;
  }

  /** The run of the loop so far, or its summary, for the dashboard: it replaces the one before (docs/run-page.md). */
  showRun(page: Pick<EvolvePage, 'run'> & Partial<EvolvePage>): Promise<EvolveReceipt> {
    return this.#transport.json('/api/evolve', { method: 'PUT', body: page });
  }

  /** What was sent last, as it is shown; with `after` (an `updatedAt`) without the run where none is newer. */
  shownRun(after?: number): Promise<EvolveReply> {
    return this.#get('/api/evolve', { query: { after } });
  }

  /** An operator's level, which stands over the rules'. */
  override(entry: OverrideEntry): Promise<GateView> {
    return this.#post('/api/breaker', entry);
  }

  release(by: string): Promise<GateView> {
    return this.#post('/api/breaker', { release: true, by });
  }

  /** Since this client was made: requests, retries, and answers that stood in for the service's. */
  get counts(): { readonly requests: number; readonly retries: number; readonly stood_in: number } {
    return { ...this.#transport.counts, stood_in: this.#stoodIn };
  }

  async #recorded(trajectories: readonly Trajectory[]): Promise<Receipt> {
    try {
      return await this.#post<Receipt>('/api/record', { trajectories });
    } catch (error) {
      if (!(error instanceof ClientError && error.status === 413) || trajectories.length < 2) throw error;
      const middle = Math.ceil(trajectories.length / 2);
      const parts = [
        await this.#recorded(trajectories.slice(0, middle)),
        await this.#recorded(trajectories.slice(middle)),
      ];
      return {
        accepted: parts.reduce((sum, part) => sum + part.accepted, 0),
        rejected: parts.flatMap((part) => part.rejected),
      };
    }
  }

  #get<T>(path: string, call: Call = {}): Promise<T> {
    return this.#transport.json<T>(path, call);
  }

  #post<T>(path: string, body: unknown): Promise<T> {
    return this.#transport.json<T>(path, { body });
  }

  /** @param seen `unseen`: a figure that is not shown decides nothing, and is not counted. */
  async #orElse<T>(
    ask: () => Promise<T>,
    standIn: (why: string) => T,
    seen: 'counted' | 'unseen' = 'counted',
  ): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(this.#failOpen && error instanceof ClientError && error.passing)) throw error;
      if (seen === 'counted') this.#stoodIn += 1;
      return standIn(error.message);
    }
  }
}

function replyOf(view: GateView): GateReply {
  return { training: view.training, level: view.level, reasons: view.reasons, view };
}

function goOn(why: string): GateReply {
  return { training: 'go', level: 'green', reasons: [`the service was not asked: ${why}`], view: null };
}
