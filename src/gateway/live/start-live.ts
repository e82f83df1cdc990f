import type { AuditPage } from '../../audit/index.ts';
import { describeBreaker } from '../../diagnosis/index.ts';
import type { EpochEntry, LooksView } from '../api/control.ts';
import type { JournalRecord } from '../recorder/records.ts';
import type { Environment } from '../settings/environment.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { BucketedSession, ClosedSession } from './closed-session.ts';
import type { LiveCoverage } from './coverage.ts';
import { beginEpoch, countSession, type EpochState, settleEpochs } from './epoch-clock.ts';
import { type GateChange, GateKeeper } from './gate-keeper.ts';
import type { CheckpointDue, LiveMetrics, Look } from './live.ts';
import { isProbed, keptSteered, MOST_LOOKS, type RestoredLive } from './live-history.ts';
import type { LiveInit } from './live-messages.ts';
import type { OpenPort } from './live-port.ts';
import { LiveThread } from './live-thread.ts';
import { LookLine } from './look-line.ts';
import { startNotifier, WEBHOOK_SCHEMA } from './notifier.ts';
import { contextsToPlay, keptPlayed, type PlayedContexts, withPlayed } from './played-contexts.ts';

/** Where closed sessions can be had again: the recorder. Each with its present rewards and probes. */
export interface SessionSource {
  session(id: string): Promise<ClosedSession | null>;
  /**
   * At least those whose epoch lies after this one or is null, of all epochs for null; in any order. Those of earlier
   * epochs are passed over.
   */
  since(epoch: number | null): AsyncIterable<ClosedSession>;
}

export interface LiveOptions {
  readonly settings: Pick<GatewaySettings, 'seed' | 'store' | 'live' | 'breaker' | 'webhooks'>;
  /** What the journal adds up to (LiveHistory). */
  readonly restored: RestoredLive;
  /** Whether the panel `selection` has members now. */
  readonly hasPanel: () => boolean;
  /** Pools that a checkpoint is due for in this epoch. */
  readonly checkpointsDue: (epoch: number) => readonly CheckpointDue[];
  readonly source: SessionSource;
  /** Puts epochs and changes of the breaker on record; must not throw. */
  readonly journal: (record: JournalRecord) => void;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly environment: Environment;
  /** Milliseconds since 1970 that never run backwards (default: the time of the start and a steady clock since). */
  readonly clock?: () => number;
  readonly open?: OpenPort;
}

/** Figures, epochs, breaker and gate of a running gateway. */
export interface Live {
  readonly keeper: GateKeeper;
  readonly epochs: EpochState;
  readonly looks: LooksView;
  /** Figures that wait, and sessions that could not be measured. */
  readonly backlog: { readonly waiting: number; readonly lost: number };
  readonly webhooks: { readonly sent: number; readonly failed: number };
  /** A session is over: each once. Not to be called for orphans. */
  closed(session: ClosedSession): void;
  /** A reward or a probe came after the close. */
  amended(session: ClosedSession): void;
  /** The trainer begins an epoch. @throws ApiError 400, 409. */
  beginEpoch(entry: EpochEntry): void;
  metrics(): Promise<LiveMetrics>;
  page(): Promise<AuditPage | null>;
  /** For the draw `least-covered`; null until there is a space. */
  coverage(): Promise<LiveCoverage | null>;
  /** The text of a profile's file; null where the window holds nothing. */
  profile(): Promise<string | null>;
  now(): number;
  /** Resolves once all looks that are due were made. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two looks at the time limit and lapsing overrides. */
const TICK = 1000;

const steady = (): number => Math.round(performance.timeOrigin + performance.now());

/** @throws CollapseAwareError for settings that cannot be used. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const { settings, restored, hasPanel, source, journal, log, environment, clock = steady } = options;
  const { live, breaker } = settings;
  const notifier = startNotifier(settings.webhooks, { environment, log });
  let epochs = restored.epochs;
  let looks: Look[] = [...restored.looks];
  let played: PlayedContexts = new Map();
  let probing: string[] = [...restored.probing];
  let steered = [...restored.steered];
  /** A round that was too small for a look waits for this many sessions more. */
  let tried = 0;
  let probed = false;

  const onChange = ({ at, before, level, rules, notes, monitor }: GateChange) => {
    journal({ at, session: null, kind: 'breaker', level, rules, notes, monitor });
    if (monitor.look !== null) looks = [...looks, monitor.look].slice(-MOST_LOOKS);
    else if (notes.length > 0) steered = keptSteered(steered, { at, level, notes });
    if (!isProbed(rules)) probing = [];
    if (notes.length > 0) log('breaker', { level, rules, notes });
    if (level === before) return;
    notifier.notify({
      schema: WEBHOOK_SCHEMA,
      level,
      before,
      reasons: notes,
      epoch: epochs.epoch,
      at: new Date(at).toISOString(),
    });
  };
  const keeper = new GateKeeper({
    settings: breaker,
    now: clock(),
    restored,
    epochs,
    hasPanel,
    toPlay: () => contextsToPlay(played, epochs),
    checkpointsDue: options.checkpointsDue,
    onChange,
  });
  const { buckets } = restored;
  const bucketed = (session: ClosedSession | null): BucketedSession | null => {
    if (session === null) return null;
    const epoch = buckets.of(session.trajectory.id, session.epoch);
    return epoch === null ? null : { ...session, epoch };
  };
  const note = (session: BucketedSession) => {
    if (session.epoch < (epochs.ended.at(-1) ?? epochs.epoch)) return;
    played = keptPlayed(withPlayed(played, session, session.epoch), epochs);
  };
  const init = (): LiveInit => ({
    folder: settings.store,
    seed: settings.seed,
    live,
    breaker,
    panels: hasPanel(),
    ended: looks.flatMap(({ epoch, probe }) => (probe === true ? [] : [epoch])),
  });
  let planned = false;
  let trouble: string | null = null;
  const say = () => {
    if (trouble !== null) keeper.setNote(`the live figures fail: ${trouble}`);
    else keeper.setNote(planned ? null : `the figures begin once ${live.warmUp} sessions are over`);
  };
  const line = new LookLine({ keeper, clock, log, thread: () => thread });
  const thread = await LiveThread.start({
    init,
    source: {
      session: async (id) => bucketed(await source.session(id)),
      since: async function* (epoch) {
        for await (const one of source.since(epoch)) {
          const session = bucketed(one);
          if (session === null) continue;
          // Of an earlier life: the record alone knows what was played.
          note(session);
          yield session;
        }
      },
    },
    log,
    ...(options.open === undefined ? {} : { open: options.open }),
    onPlan: (plan) => {
      keeper.setPlan(plan);
      if (!planned)
        log('the behaviour space is there', { space: plan.space, rules: describeBreaker(plan.breaker) });
      planned = true;
      say();
      line.ready();
    },
    onTrouble: (reason) => {
      trouble = reason;
      say();
    },
  });
  say();

  const move = (next: EpochState) => {
    const settled = settleEpochs(live.epochs, next);
    epochs = settled.state;
    for (const ended of settled.ended) over(ended, ended + 1, null, null);
    keeper.setEpochs(epochs);
  };
  const over = (
    ended: number,
    epoch: number,
    policy: Extract<JournalRecord, { kind: 'epoch' }>['policy'],
    run: string | null,
  ) => {
    journal({ at: clock(), session: null, kind: 'epoch', epoch, policy, run });
    line.epoch(ended);
  };
  const probe = (least: number) => {
    tried = Math.min(tried, probing.length);
    if (probed || probing.length - tried < Math.max(1, least)) return;
    const ids = new Set(probing);
    probed = true;
    line.probe(epochs.epoch, [...ids], (used) => {
      probed = false;
      tried = used ? 0 : ids.size;
      if (used) probing = probing.filter((id) => !ids.has(id));
      probe(live.epochs.every);
    });
  };
  // Epochs that were over when an earlier life ended, and never looked at.
  const last = looks.findLast((look) => look.probe !== true)?.epoch ?? Number.NEGATIVE_INFINITY;
  for (const ended of epochs.ended) if (ended > last) line.epoch(ended);
  move(epochs);
  probe(live.epochs.every);
  const timer = setInterval(() => keeper.tick(clock()), TICK);
  timer.unref();

  return {
    keeper,
    get epochs() {
      return epochs;
    },
    get looks() {
      return { looks, bars: keeper.bars, steered };
    },
    get backlog() {
      return { waiting: thread.waiting, lost: thread.lost };
    },
    webhooks: notifier.counts,
    now: clock,
    closed: (given) => {
      const { purpose, trajectory } = given;
      const epoch = buckets.decide(trajectory.id, given.epoch, epochs);
      thread.add({ ...given, epoch });
      note({ ...given, epoch });
      move(countSession(epochs, { epoch, purpose, split: trajectory.split }));
      if (purpose !== 'probe' || !isProbed(keeper.rules)) return;
      probing.push(trajectory.id);
      probe(live.epochs.every);
    },
    amended: (given) => {
      const session = bucketed(given);
      if (session !== null) thread.add(session);
    },
    beginEpoch: ({ epoch, run = null, policy }) => {
      const { state, ended } = begun(epochs, epoch);
      if (ended !== null) {
        epochs = state;
        const named = policy === undefined ? null : { id: policy.id, checkpoint: policy.checkpoint ?? null };
        over(ended, epoch, named, run);
        probe(1);
      }
      move(epochs);
    },
    metrics: () => thread.metrics(),
    page: () => thread.ask({ kind: 'page', created: new Date(clock()).toISOString() }),
    coverage: () => thread.ask({ kind: 'coverage' }),
    profile: () => thread.ask({ kind: 'profile' }),
    settled: async () => {
      await thread.settled();
      await line.settled();
    },
    close: async () => {
      clearInterval(timer);
      keeper.close();
      await thread.close();
      await line.settled();
      await notifier.close();
    },
  };
}

function begun(epochs: EpochState, epoch: number): ReturnType<typeof beginEpoch> {
  try {
    return beginEpoch(epochs, epoch);
  } catch (error) {
    const { message } = error as Error;
    throw Number.isSafeInteger(epoch)
      ? new ApiError(409, message, { param: 'epoch', code: 'epoch_over' })
      : ApiError.invalid(message, 'epoch');
  }
}
