import {
  type AuditPage,
  embedderOf,
  epsilonTables,
  type MonitorOptions,
  type MonitorPlan,
  type MonitorState,
  observeProbe,
  observeStep,
  planMonitor,
  shownLevel,
} from '../../audit/index.ts';
import { excerpt } from '../../embedding/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { type BehaviourSpace, encodeProfile, mergeProfiles } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { BucketedSession } from './closed-session.ts';
import { coverageOf, type LiveCoverage } from './coverage.ts';
import type { LiveMetrics, Look } from './live.ts';
import { splitOf } from './nested-sessions.ts';
import { distinctPeople, fitOnFirst } from './warm-up.ts';
import {
  auditWindow,
  furtherFigures,
  isCounted,
  isLookedAt,
  judged,
  type Placing,
  placePeople,
  trainingFigures,
  windowOf,
} from './window-figures.ts';
import { type PlacedSession, WindowRows } from './window-rows.ts';

/** What the breaker's owner keeps of the monitor; rows stay with the core. Plain JSON. */
export type MonitorLight = Omit<MonitorState, 'recent' | 'base'>;

export interface CoreOptions {
  readonly seed: number;
  readonly warmUp: number;
  /** Ended epochs that enter the figures of now, beside the one under way. */
  readonly window: number;
  readonly rewardRange: readonly [number, number] | null;
  readonly monitor: MonitorOptions;
  readonly people: readonly Trajectory[];
  /** Null: fitted on the first `warmUp` sessions. */
  readonly space: BehaviourSpace | null;
  /** Of an earlier life, in the same space. */
  readonly plan: MonitorPlan | null;
  readonly base: MonitorState['base'];
  /** Sessions held at most; the oldest go. */
  readonly mostSessions?: number;
  /** Epochs that were looked at, ascending. */
  readonly ended: readonly number[];
  /** Called before anything rests on them; the base again where it is another one (GapBase). */
  readonly keep: {
    space(space: BehaviourSpace): Promise<void>;
    plan(plan: MonitorPlan): Promise<void>;
    base(base: NonNullable<MonitorState['base']>): Promise<void>;
  };
}

/** One look, and the state after it. */
export interface Looked {
  readonly look: Look;
  readonly monitor: MonitorLight;
}

/** Ended epochs that are remembered: no window is longer. */
const REMEMBERED = 101;

/** Sessions kept beyond the warm-up while a space cannot be fitted. */
const MOST_WAITING = 10_000;

/** Why a warm-up could not end yet: more sessions may help. */
const MORE_MAY_HELP = new Set(['CA_SPACE_TOO_SMALL', 'CA_INPUT_EMPTY']);

/**
 * Closed sessions in, figures out: the pipeline of `audit` over a window of epochs, and the monitor's looks. Holds rows
 * of the window alone. One call at a time; reads no clock.
 */
export class LiveCore {
  readonly #options: CoreOptions;
  readonly #nested = new Map<string, BucketedSession>();
  /** Until there is a space. */
  #waiting = new Map<string, BucketedSession>();
  #tryAt: number;
  #placing: Placing | null = null;
  #reason: string | null = null;
  #ended: number[];
  #base: MonitorState['base'];
  #cached: LiveMetrics | null = null;

  constructor(options: CoreOptions) {
    this.#options = options;
    this.#tryAt = options.warmUp;
    this.#ended = [...options.ended];
    // Of an epoch whose look was lost with an earlier life: that look is made again.
    const last = this.#ended.at(-1) ?? Number.NEGATIVE_INFINITY;
    this.#base = options.base === null || options.base.step > last ? null : options.base;
  }

  /** Whether looks can be made. */
  get ready(): boolean {
    return this.#placing !== null;
  }

  get plan(): MonitorPlan | null {
    return this.#placing?.plan ?? null;
  }

  /** Sessions of epochs that no figure needs any more are passed over. */
  async add(sessions: readonly BucketedSession[]): Promise<void> {
    this.#cached = null;
    const first = this.#first;
    const kept = sessions.filter(({ epoch }) => epoch > first);
    for (const { trajectory, ...rest } of kept)
      if (rest.purpose === 'nested')
        // Its reward and seeds are all that is needed.
        this.#nested.set(trajectory.id, { ...rest, trajectory: { ...trajectory, turns: [] } });
    const rows = kept.filter(({ purpose }) => purpose !== 'nested');
    if (rows.length === 0) return;
    if (this.#placing !== null) return this.#placing.rows.put(rows);
    // One that cannot be read must not spoil the fit of all.
    for (const { trajectory } of rows) excerpt(trajectory);
    for (const session of rows) this.#waiting.set(session.trajectory.id, session);
    for (const id of this.#waiting.keys()) {
      if (this.#waiting.size <= MOST_WAITING + this.#options.warmUp) break;
      this.#waiting.delete(id);
    }
    await this.#warmUp();
  }

  /** Whether a look at the end of this epoch would find no training session; its panels wait for the next one. */
  isEmpty(epoch: number): boolean {
    return !this.#rowsOf(epoch, this.#ended.at(-1)).some(({ purpose }) => purpose === 'training');
  }

  /**
   * The look at an epoch that is over: its rows, and those of epochs since the one before that the trainer never named.
   * Late ones of earlier epochs enter with the window.
   * @throws RangeError for an epoch that is not after the last; CA_INTERNAL while not `ready`.
   */
  async endEpoch(epoch: number, at: number, monitor: MonitorLight): Promise<Looked> {
    const { space, rows, plan } = this.#expectPlacing();
    const own = this.#rowsOf(epoch, this.#ended.at(-1));
    const recent = this.#ended.slice(1 - plan.window, plan.window === 1 ? 0 : undefined).map((step) => {
      const sessions = this.#rowsOf(step, this.#ended[this.#ended.indexOf(step) - 1]);
      return { step, sessions };
    });
    const { state, row } = observeStep(
      plan,
      space,
      {
        ...monitor,
        recent: recent.map(({ step, sessions }) => ({ step, profile: rows.stepProfile(sessions, step) })),
        base: this.#base,
      },
      { step: epoch, profile: rows.stepProfile(own, epoch), dropped: 0 },
      at,
    );
    await this.#keepBase(state.base);
    const look: Look = {
      epoch,
      at,
      n: own.length,
      scd2: row.scd2,
      scd: row.scd,
      ...furtherFigures(this.#expectPlacing(), [...recent.flatMap(({ sessions }) => sessions), ...own]),
      psod: row.psod,
      psodRise: row.psodRise,
      zeroVariance: row.zeroVariance,
      level: row.level,
      notes: row.notes,
    };
    this.#ended = [...this.#ended, epoch].slice(-REMEMBERED);
    this.#forget();
    return { look, monitor: lightOf(state) };
  }

  /** The look at a round of probe sessions, named by id; panel sessions of the epoch under way give PSOD. */
  async probe(epoch: number, ids: readonly string[], at: number, monitor: MonitorLight): Promise<Looked> {
    const { space, rows, plan } = this.#expectPlacing();
    const named = new Set(ids);
    const round = rows.which(({ id, purpose }) => purpose === 'probe' && named.has(id));
    const panel = this.#rowsOf(epoch, this.#ended.at(-1)).filter(({ purpose }) => purpose === 'panel');
    const { state, look } = observeProbe(
      plan,
      space,
      { ...monitor, recent: [], base: this.#base },
      {
        step: epoch,
        name: `probe round of ${new Date(at).toISOString()}`,
        profile: rows.stepProfile([...round, ...panel], epoch),
        dropped: 0,
      },
      at,
    );
    return {
      look: {
        epoch,
        at,
        n: round.length,
        scd2: look.scd2,
        scd: look.scd,
        ...furtherFigures(this.#expectPlacing(), round),
        psod: look.psod,
        psodRise: look.psodRise,
        zeroVariance: look.zeroVariance,
        level: shownLevel(state),
        notes: look.notes,
        probe: true,
      },
      monitor: lightOf(state),
    };
  }

  /** Equal to `audit` on the window's records in the same space, with the same people. */
  async metrics(): Promise<LiveMetrics> {
    this.#cached ??= await this.#measure();
    return this.#cached;
  }

  /** The report with its map and modes; null where there is no report. */
  async page(created: string): Promise<AuditPage | null> {
    const window = this.#placing === null ? null : await windowOf(this.#placing);
    return window === null ? null : judged(() => auditWindow(window, created).page).value;
  }

  /** The window's rows as a profile's file, to be merged or audited elsewhere; null where there are none. */
  async profile(): Promise<string | null> {
    const window = this.#placing === null ? null : await windowOf(this.#placing);
    return window === null ? null : encodeProfile(window.profile);
  }

  /** What the training sessions of the window cover, by member; null until there is a space. */
  coverage(): LiveCoverage | null {
    if (this.#placing === null) return null;
    const { rows, people, plan, space } = this.#placing;
    const training = rows.which(({ purpose }) => purpose === 'training').map(({ row }) => row);
    const book = plan.control === 'interaction' ? space.interactionEpisode : space.episode;
    return coverageOf(training, people, { control: plan.control, k: book.centroids.rows });
  }

  async #measure(): Promise<LiveMetrics> {
    const sessions = this.#counted();
    const nested = [...this.#nested.values()];
    const left = this.#placing?.rows.left ?? 0;
    const epochs = [...new Set(sessions.map(({ epoch }) => epoch))].sort((a, b) => a - b);
    const window = this.#placing === null ? null : await windowOf(this.#placing);
    const found =
      window === null
        ? { value: null, reason: this.#whyNot(sessions.length) }
        : judged(() => auditWindow(window, '').report);
    return {
      report: found.value,
      reason: found.reason,
      training: this.#placing === null ? null : trainingFigures(this.#placing, this.#ended),
      window: { epochs, sessions: sessions.length, ...(left === 0 ? {} : { left }) },
      epsilon:
        window === null ? null : judged(() => epsilonTables(window.profile, window.placing.space)).value,
      varianceSplit: splitOf(nested),
      asOf: [...sessions, ...nested].reduce<number | null>((top, { at }) => Math.max(top ?? at, at), null),
    };
  }

  #whyNot(sessions: number): string {
    if (this.#placing !== null) return 'no session of the window is over yet';
    const { warmUp, space } = this.#options;
    if (this.#reason !== null) return `too few sessions yet: ${this.#reason}`;
    const what = space === null ? 'the behaviour space is fitted' : 'figures begin';
    return `${what} on the first ${warmUp} sessions: ${sessions} so far`;
  }

  /** Sessions of the report: training and panels. */
  #counted(): readonly { readonly epoch: number; readonly at: number }[] {
    if (this.#placing !== null) return this.#placing.rows.which(isCounted);
    return [...this.#waiting.values()].filter(isCounted);
  }

  /** Of epochs after `from`, up to `epoch`. */
  #rowsOf(epoch: number, from: number | undefined): PlacedSession[] {
    return this.#expectPlacing().rows.which(
      (one) => isLookedAt(one) && one.epoch <= epoch && one.epoch > (from ?? Number.NEGATIVE_INFINITY),
    );
  }

  async #warmUp(): Promise<void> {
    const { seed, space: given, monitor, keep, plan: known } = this.#options;
    const counted = [...this.#waiting.values()].filter(isCounted);
    if (counted.length < this.#tryAt && known === null) return;
    try {
      const people = await distinctPeople(this.#options.people);
      const space = given ?? (await fitOnFirst(counted, people, seed));
      const rows = new WindowRows(space, embedderOf(space), this.#options.mostSessions);
      await rows.put([...this.#waiting.values()]);
      const reference = people.length === 0 ? null : await placePeople(people, space);
      const own = rows.profile(rows.which(isCounted));
      const plan =
        known ?? planMonitor(reference === null ? own : mergeProfiles([reference, own]), space, monitor);
      if (known === null) {
        await keep.space(space);
        await keep.plan(plan);
      }
      const { rewardRange } = this.#options;
      const audit = rewardRange === null ? {} : { rewardRange };
      this.#placing = { space, rows, people: reference, peopleRows: people.length, plan, audit };
      this.#waiting = new Map();
    } catch (error) {
      if (!(error instanceof CollapseAwareError && MORE_MAY_HELP.has(error.code))) throw error;
      this.#reason = error.message;
      this.#tryAt = Math.ceil(1.25 * counted.length);
    }
  }

  async #keepBase(base: MonitorState['base']): Promise<void> {
    if (base !== null && base.step !== this.#base?.step) await this.#options.keep.base(base);
    this.#base = base;
  }

  /** Epochs up to and with this one enter no figure any more. */
  get #first(): number {
    return this.#ended.at(-1 - this.#options.window) ?? Number.NEGATIVE_INFINITY;
  }

  #forget(): void {
    const first = this.#first;
    this.#placing?.rows.forget(first);
    for (const [id, { epoch }] of this.#nested) if (epoch <= first) this.#nested.delete(id);
    this.#cached = null;
  }

  #expectPlacing(): Placing {
    if (this.#placing === null)
      throw new CollapseAwareError('CA_INTERNAL', 'a look was asked for before there was a behaviour space');
    return this.#placing;
  }
}

function lightOf({ recent, base, ...light }: MonitorState): MonitorLight {
  return light;
}
