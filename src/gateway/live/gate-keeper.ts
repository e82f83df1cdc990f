import { gateOf, type MonitorPlan, newMonitor, shownLevel, steerMonitor } from '../../audit/index.ts';
import {
  type BreakerEvent,
  type BreakerLevel,
  type BreakerSettings,
  breakerActions,
  PROPOSED_BARS,
} from '../../diagnosis/index.ts';
import type { StopSignal } from '../../endpoint/index.ts';
import { PROBE_MODEL, type Purpose } from '../recorder/purpose.ts';
import type { BreakerGatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import { type EpochState, psodDue } from './epoch-clock.ts';
import type { CheckpointDue, GatewayGate, Look } from './live.ts';
import type { Looked, MonitorLight } from './live-core.ts';
import { MONITOR_RECORD_SCHEMA, type MonitorRecord } from './monitor-record.ts';
import type { ContextsToPlay } from './played-contexts.ts';
import { WaitingLine } from './waiting-line.ts';

/** Something happened to the breaker: to be put on record, and told where the level moved. */
export interface GateChange {
  readonly at: number;
  /** Shown before and now. */
  readonly before: BreakerLevel;
  readonly level: BreakerLevel;
  readonly rules: BreakerLevel;
  readonly notes: readonly string[];
  readonly monitor: MonitorRecord;
}

export interface GateKeeperOptions {
  readonly settings: BreakerGatewaySettings;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly restored: { readonly monitor: MonitorLight | null; readonly revision: number } | null;
  readonly epochs: EpochState;
  /** Whether the panel `selection` has members. */
  readonly hasPanel: () => boolean;
  /** What panel sessions are to be played on; alone it makes no revision. */
  readonly toPlay: () => ContextsToPlay;
  /** Pools that a checkpoint is due for in this epoch. */
  readonly checkpointsDue: (epoch: number) => readonly CheckpointDue[];
  readonly onChange: (change: GateChange) => void;
}

export interface OverrideRequest {
  readonly level: 'green' | 'yellow' | 'red';
  readonly by: string;
  readonly reason: string;
  /** Absent: until released. */
  readonly seconds?: number;
}

type Steering = Exclude<BreakerEvent, { kind: 'look' }>;

/** The breaker of a gateway: its level, who passes, and who waits for it. Figures come from the core's looks. */
export class GateKeeper {
  readonly #settings: BreakerGatewaySettings;
  readonly #hasPanel: () => boolean;
  readonly #toPlay: () => ContextsToPlay;
  readonly #checkpointsDue: GateKeeperOptions['checkpointsDue'];
  readonly #onChange: (change: GateChange) => void;
  readonly #held = new WaitingLine();
  readonly #polls = new WaitingLine();
  #breaker: BreakerSettings;
  #monitor: MonitorLight;
  #epochs: EpochState;
  #revision: number;
  #note: string | null = null;
  #hadPanel: boolean;
  /** Checkpoints due as of the latest revision. */
  #toldDue: string;
  /** What was done while a look was being made: done again on the state that it comes back with. */
  #meanwhile: Steering[] | null = null;
  #explain: (level: BreakerLevel) => string | null = () => null;
  #closed = false;

  constructor(options: GateKeeperOptions) {
    const { settings, now, restored, epochs, hasPanel, toPlay, checkpointsDue, onChange } = options;
    this.#settings = settings;
    this.#checkpointsDue = checkpointsDue;
    this.#hasPanel = hasPanel;
    this.#toPlay = toPlay;
    this.#onChange = onChange;
    this.#breaker = { ...NO_RULES, timeLimit: limitOf(settings) };
    const { recent, base, ...fresh } = newMonitor(now);
    this.#monitor = restored?.monitor ?? fresh;
    this.#revision = (restored?.revision ?? 0) + 1;
    this.#epochs = epochs;
    this.#hadPanel = hasPanel();
    this.#toldDue = JSON.stringify(checkpointsDue(epochs.epoch));
  }

  /** Shown: the operator's where an override stands, else the rules'; green where the breaker is off. */
  get level(): BreakerLevel {
    if (!this.#settings.enabled && this.#monitor.breaker.override === null) return 'green';
    return shownLevel(this.#monitor);
  }

  get rules(): BreakerLevel {
    return this.#monitor.breaker.level;
  }

  /** Of SCD2; null until it is known how the run is compared. */
  get bars(): { readonly yellow: number; readonly red: number } | null {
    return this.#breaker.measures.length === 0 ? null : this.#breaker.bars.scd;
  }

  /** Requests that wait for red to end. */
  get held(): number {
    return this.#held.size;
  }

  /** Why training is held, in words: an operator's own where they say so. */
  get heldBy(): string {
    const { override } = this.#monitor.breaker;
    return override?.level === 'red'
      ? `${override.by} set red${override.reason === '' ? '' : ` (${override.reason})`}`
      : 'the simulators have collapsed';
  }

  /** Seconds that a refused client should wait. */
  get retryAfter(): number {
    return Math.max(1, Math.ceil(this.#settings.holdSeconds));
  }

  gate(now: number): GatewayGate {
    this.tick(now);
    const { enabled, psodEvery } = this.#settings;
    const found = gateOf(this.#monitor, now);
    const reasons = [...found.reasons];
    const { level } = this;
    const actions = breakerActions(level);
    if (!enabled) reasons.unshift('the breaker is off: nothing is held, whatever the rules say');
    if (this.#note !== null) reasons.push(this.#note);
    const further = this.#explain(level);
    if (further !== null) reasons.push(further);
    if (actions.probe)
      reasons.push(`a probe of the population is asked for: sessions of the model ${PROBE_MODEL} pass`);
    return {
      ...found,
      level,
      actions,
      training: actions.training === 'paused' ? 'hold' : 'go',
      reasons,
      epoch: this.#epochs.epoch,
      psod: { ...psodDue(this.#epochs, psodEvery, this.#hasPanel()), ...this.#toPlay() },
      checkpointsDue: this.#checkpointsDue(this.#epochs.epoch),
      revision: this.#revision,
    };
  }

  /** Once it is known how a run is compared. */
  setPlan({ breaker }: Pick<MonitorPlan, 'breaker'>): void {
    this.#breaker = { ...breaker, timeLimit: limitOf(this.#settings) };
  }

  /** Why there are no looks yet, or no more; null where there are. */
  setNote(note: string | null): void {
    if (note === this.#note) return;
    this.#note = note;
    this.#moved();
  }

  /** What the gate says of a level beside the rules' reasons; null where there is nothing to say. */
  explain(of: (level: BreakerLevel) => string | null): void {
    this.#explain = of;
  }

  setEpochs(epochs: EpochState): void {
    const { psodEvery } = this.#settings;
    const due = (state: EpochState, panel: boolean) => psodDue(state, psodEvery, panel);
    const hasPanel = this.#hasPanel();
    const before = due(this.#epochs, this.#hadPanel);
    const after = due(epochs, hasPanel);
    const checkpoints = JSON.stringify(this.#checkpointsDue(epochs.epoch));
    const same =
      epochs.epoch === this.#epochs.epoch &&
      before.due === after.due &&
      before.lastEpoch === after.lastEpoch &&
      checkpoints === this.#toldDue;
    this.#epochs = epochs;
    this.#hadPanel = hasPanel;
    this.#toldDue = checkpoints;
    if (!same) this.#moved();
  }

  /** Other members are in service, or other checkpoints: what is due may have changed. */
  populationChanged(): void {
    this.setEpochs(this.#epochs);
  }

  /** Time passes: overrides lapse, and red or half-open reaches its limit. */
  tick(now: number): void {
    this.#steer({ kind: 'tick', at: now }, null);
  }

  /** @throws ApiError 400. */
  override({ level, by, reason, seconds }: OverrideRequest, now: number): void {
    if (!LEVELS.includes(level)) throw ApiError.invalid('level is one of green, yellow, red', 'level');
    const who = named(by);
    if (typeof reason !== 'string' || reason.length > 1000)
      throw ApiError.invalid('reason is a text of at most 1000 characters', 'reason');
    if (seconds !== undefined && !(Number.isFinite(seconds) && seconds > 0 && seconds <= YEAR))
      throw ApiError.invalid('seconds is a number above 0, at most a year', 'seconds');
    this.tick(now);
    const until = seconds === undefined ? null : now + 1000 * seconds;
    const lasts = until === null ? '' : ` until ${new Date(until).toISOString()}`;
    this.#steer(
      { kind: 'override', at: now, level, by: who, reason, until },
      `${who} set ${level}${lasts}: ${reason}`,
    );
  }

  /** Nothing happens where no override stands. @throws ApiError 400. */
  release(by: string, now: number): void {
    const who = named(by);
    this.tick(now);
    this.#steer({ kind: 'release', at: now, by: who }, null);
  }

  /** The state that a look starts from; `endLook` or `dropLook` must follow. */
  beginLook(now: number): MonitorLight {
    this.tick(now);
    this.#meanwhile = [];
    return this.#monitor;
  }

  endLook({ look, monitor }: Looked, now: number): void {
    const before = this.level;
    let next = monitor;
    for (const event of this.#meanwhile ?? [])
      next = steerMonitor({ breaker: this.#breaker }, next, event).state;
    this.#meanwhile = null;
    this.#take(next, before, look.notes, { ...look, level: shownLevel(next) }, now);
  }

  dropLook(): void {
    this.#meanwhile = null;
  }

  /** Answers when the revision is another than `after`, at the latest in `ms`. */
  async wait(
    after: number | null,
    ms: number,
    signal: StopSignal | undefined,
    clock: () => number,
  ): Promise<GatewayGate> {
    this.tick(clock());
    if (after === this.#revision && !this.#closed) await this.#polls.wait(ms, signal);
    return this.gate(clock());
  }

  admits(purpose: Purpose): boolean {
    return purpose !== 'training' || breakerActions(this.level).training === 'run';
  }

  /** A new training session: waits for red to end, up to `holdSeconds`. */
  async hold(signal?: StopSignal): Promise<'admitted' | 'refused'> {
    if (this.admits('training')) return 'admitted';
    if (this.#closed) return 'refused';
    return (await this.#held.wait(1000 * this.#settings.holdSeconds, signal)) ? 'admitted' : 'refused';
  }

  /** Whoever waits is let go: held sessions are refused. */
  close(): void {
    this.#closed = true;
    this.#held.call(false);
    this.#polls.call();
  }

  #steer(event: Steering, words: string | null): void {
    const before = this.level;
    const { state, notes } = steerMonitor({ breaker: this.#breaker }, this.#monitor, event);
    if (notes.length === 0) return;
    this.#meanwhile?.push(event);
    this.#take(state, before, words === null ? notes : [words], null, event.at);
  }

  #take(
    monitor: MonitorLight,
    before: BreakerLevel,
    notes: readonly string[],
    look: Look | null,
    at: number,
  ): void {
    this.#monitor = monitor;
    this.#moved();
    const { level, rules } = this;
    this.#onChange({
      at,
      before,
      level,
      rules,
      notes,
      monitor: { schema: MONITOR_RECORD_SCHEMA, revision: this.#revision, state: monitor, look },
    });
  }

  #moved(): void {
    this.#revision += 1;
    this.#polls.call();
    if (this.admits('training')) this.#held.call();
  }
}

const LEVELS: readonly string[] = ['green', 'yellow', 'red'];
const YEAR = 366 * 86_400;

/** Before it is known how a run is compared there are no looks: overrides and time alone. */
const NO_RULES: BreakerSettings = {
  measures: [],
  bars: PROPOSED_BARS,
  alpha: 0.05,
  looks: null,
  recoveryAlpha: 0.05,
  hysteresis: 0.05,
  cleanLooks: 2,
  timeLimit: null,
  change: null,
};

/** Milliseconds. */
function limitOf({ timeLimit }: BreakerGatewaySettings): number | null {
  return timeLimit === null ? null : 1000 * timeLimit;
}

function named(by: unknown): string {
  if (typeof by === 'string' && by.trim() !== '' && by.length <= 200) return by.trim();
  throw ApiError.invalid('by names who does it, in at most 200 characters', 'by');
}
