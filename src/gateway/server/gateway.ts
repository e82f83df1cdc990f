import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CollapseAwareError } from '../../errors.ts';
import { seeded } from '../../math/random.ts';
import { DASHBOARD_HEADERS, dashboardPage } from '../../report/index.ts';
import { openJournal } from '../../store/index.ts';
import { LiveHistory } from '../live/live-history.ts';
import { type Live, startLive } from '../live/start-live.ts';
import { openProber, type Prober } from '../probes/index.ts';
import { openRecorder, type Recorder } from '../recorder/recorder.ts';
import type { JournalRecord } from '../recorder/records.ts';
import { scenarioOf } from '../sessions/scenario.ts';
import { sessionIds } from '../sessions/session-id.ts';
import { SessionTable } from '../sessions/session-table.ts';
import type { Environment } from '../settings/environment.ts';
import { checkExposure, isLoopback } from '../settings/read-settings.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { chatRoutes } from './chat-route.ts';
import { controlRoutes } from './control-routes.ts';
import { Conversations } from './conversations.ts';
import { closedSession, FinishedSessions } from './finished-sessions.ts';
import { gatewayControl } from './gateway-control.ts';
import { newServer } from './http.ts';
import { type Instruments, newInstruments } from './instruments.ts';
import { KeyRing } from './keys.ts';
import { type LogLevel, newLog } from './log.ts';
import { type Members, openMembers } from './members.ts';
import { openRoutes } from './open-routes.ts';
import { BY_SETTINGS, populationRecord, readPopulationLog } from './population-log.ts';
import { conversationServices } from './serving.ts';

export interface GatewayOptions {
  readonly environment: Environment;
  readonly log?: LogLevel;
  /** Where log lines go instead of standard error. */
  readonly logSink?: { write(line: string): void };
  /** Relative paths of the settings start here. */
  readonly folder: string;
  /** Milliseconds since 1970 (default: this machine's clock). */
  readonly clock?: () => number;
}

export interface RunningGateway {
  /** `http://host:port` */
  readonly url: string;
  /** Made at this start because the settings name none; null where they do. */
  readonly madeAdminKey: string | null;
  /** Lets replies under way end, for at most `drainMs`, and closes the journal. */
  stop(reason: string, drainMs?: number): Promise<void>;
}

/** What all parts of a running gateway share. */
export interface Parts {
  readonly settings: GatewaySettings;
  readonly members: Members;
  readonly recorder: Recorder;
  readonly table: SessionTable;
  readonly conversations: Conversations;
  readonly live: Live;
  readonly prober: Prober;
  readonly finished: FinishedSessions;
  readonly keys: KeyRing;
  readonly instruments: Instruments;
  readonly startedAt: number;
  readonly clock: () => number;
}

const DRAIN_MS = 30_000;
const SETTLE_MS = 2000;
/** Between two looks for sessions that nobody speaks in. */
const EXPIRE_MS = 1000;

/**
 * A gateway that listens.
 * @throws CA_USAGE (keys, exposure), CA_CONFIG_INVALID, CA_STORE_LOCKED, CA_STORE_FAILED, CA_LISTEN_FAILED.
 */
export async function startGateway(given: GatewaySettings, options: GatewayOptions): Promise<RunningGateway> {
  const { environment, folder, clock = Date.now } = options;
  checkExposure(given);
  const settings = resolved(given, folder);
  const log = newLog(options.log ?? 'warn', options.logSink);
  const keys = new KeyRing(settings.keys, environment);
  const members = openMembers(settings, environment, clock);
  const ticks = () => performance.now();
  await mkdir(settings.store, { recursive: true });
  const { recorder: rules } = settings;
  const journal = await openJournal({
    path: join(settings.store, 'journal.db'),
    durability: rules.durability,
    maxBytes: rules.maxBytes,
  });
  const closing: (() => Promise<void> | void)[] = [() => journal.close()];
  try {
    const history = new LiveHistory(settings.live.epochs);
    const seen: string[] = [];
    const recorder = await openRecorder({
      journal,
      retention: { keepSessions: rules.keepSessions, keepDays: rules.keepDays },
      pricesOf: (id) => members.pricesOf(id),
      clock,
      scenarioOf: (prompt) => scenarioOf(prompt, settings.sessions.scenario),
      onRead: (record) => {
        history.take(record);
        if (record.kind === 'close' && record.session !== null) seen.push(record.session);
      },
      onFault: (error) => log.error({ why: (error as Error).message }, 'a listener failed'),
    });
    closing.unshift(() => recorder.close());
    await restorePopulation(settings, members, recorder, clock);

    const instruments = newInstruments();
    // Parts that speak of one another are tied together here, and nowhere else.
    const tied: { live: Live | null; conversations: Conversations | null; prober: Prober | null } = {
      live: null,
      conversations: null,
      prober: null,
    };
    const { sessions, limits } = settings;
    const table = new SessionTable({
      retryMs: sessions.retryMs,
      idleMs: sessions.idleMs,
      turns: limits.turns,
      sessions: limits.sessions,
      newId: sessionIds(seeded(`${settings.seed}/ids/${clock()}/${process.pid}`)),
      // One that was opened beforehand waits for its first turn.
      taken: (id) => recorder.session(id) !== undefined && !tied.conversations?.announced(id),
    });
    const open: JournalRecord[] = [];
    for await (const record of recorder.openRecords()) open.push(record);
    table.restore(open, ticks());

    const finished = new FinishedSessions(
      recorder,
      {
        closed: (session) => tied.live?.closed(session),
        amended: (session) => tied.live?.amended(session),
      },
      log,
    );
    for (const id of seen) finished.remember(id);
    const live = await startLive({
      settings,
      restored: history.result(),
      hasPanel: () => members.cast.population.panels.selection.length > 0,
      source: sourceOf(recorder),
      journal: (record) => {
        recorder.append(record).catch((error: Error) => log.error({ why: error.message }, 'not recorded'));
      },
      log: (event, facts) => log.info({ ...facts }, event),
      environment,
    });
    tied.live = live;
    closing.unshift(() => live.close());

    const services = conversationServices({
      settings,
      members,
      recorder,
      table,
      live,
      instruments,
      log,
      clock,
      ticks,
      offer: (history) => tied.prober?.offer(history),
    });
    const conversations = new Conversations(services);
    tied.conversations = conversations;
    const prober = openProber({
      settings: settings.probes,
      seed: settings.seed,
      voiceOf: ({ simulator, seed }) => members.cast.voiceOf(simulator, seed),
      population: ({ model, split }) =>
        split !== 'seen' || model.includes('/') || !isDrawn(settings, model)
          ? null
          : standIns(members, services.weights()),
      append: (record) => recorder.append(record),
      clientsRunning: () => conversations.running,
      now: clock,
      onDropped: (reason) => instruments.probes.inc({ outcome: reason }),
    });
    tied.prober = prober;
    closing.unshift(() => prober.close());

    closing.unshift(
      recorder.subscribe((record, session) => {
        if (record.kind === 'close' && record.session !== null) {
          table.close(record.session, ticks());
          conversations.forget(record.session);
          keys.forget(record.session);
        }
        if (record.kind === 'epoch') prober.beginEpoch();
        if (record.kind === 'probe') instruments.probes.inc({ outcome: 'done' });
        if (session !== undefined && session.state === 'closed' && AFTER_THE_END.has(record.kind))
          finished.changed(session.id);
      }),
    );

    const parts: Parts = {
      settings,
      members,
      recorder,
      table,
      conversations,
      live,
      prober,
      finished,
      keys,
      instruments,
      startedAt: clock(),
      clock,
    };
    const expiry = setInterval(() => {
      const stale = conversations.stale(sessions.idleMs).map((id) => ({ id, orphan: true }));
      for (const { id, orphan } of [...table.expire(ticks()), ...stale]) {
        // Of a session without a reply there may be no record at all.
        if (recorder.session(id) === undefined) conversations.forget(id);
        else
          recorder
            .append({ kind: 'close', at: clock(), session: id, termination: orphan ? 'orphan' : 'idle' })
            .catch((error: Error) => log.error({ session: id, why: error.message }, 'end not recorded'));
      }
    }, EXPIRE_MS);
    expiry.unref();
    closing.unshift(() => clearInterval(expiry));

    let stopping: string | null = null;
    const server = newServer(settings, log, () => stopping);
    chatRoutes(server, { settings, keys, conversations, instruments, log, clock, ticks });
    controlRoutes(server, gatewayControl(parts), keys);
    openRoutes(server, {
      keys,
      instruments,
      population: () => members.cast.population,
      unready: () => stopping ?? recorder.status().failing,
      measure: () => measure(parts),
      startedAt: Math.floor(clock() / 1000),
      dashboard: dashboardPage,
      dashboardHeaders: DASHBOARD_HEADERS,
      exposed: !isLoopback(settings.listen.host),
    });
    const url = await listen(server, settings);
    log.info({ url }, 'listening');
    return {
      url,
      madeAdminKey: keys.madeAdminKey,
      stop: async (reason, drainMs = DRAIN_MS) => {
        if (stopping !== null) return;
        stopping = reason;
        log.info({ reason }, 'stopping');
        // Those held at red are let go: they would never be admitted.
        live.keeper.close();
        members.people.close();
        const end = ticks() + drainMs;
        // Whoever comes meanwhile is told so, instead of finding nobody.
        await until(() => conversations.running === 0, drainMs);
        const late = setTimeout(() => server.server.closeAllConnections(), Math.max(0, end - ticks()));
        await server.close();
        clearTimeout(late);
        // What the last ones missed is still to be put on record.
        await until(() => conversations.running === 0, SETTLE_MS);
        await finished.settled();
        for (const close of closing) await close();
        await members.close();
        log.info({}, 'stopped');
      },
    };
  } catch (error) {
    for (const close of closing) await Promise.resolve(close()).catch(() => {});
    await members.close().catch(() => {});
    throw error;
  }
}

async function until(met: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; !met() && performance.now() < end; ) await sleep(10);
}

const AFTER_THE_END = new Set<JournalRecord['kind']>(['close', 'reward', 'probe', 'episode']);

/** Whether a member is drawn for this model name, so that others might have come. */
function isDrawn({ population }: GatewaySettings, model: string): boolean {
  const name = model.replace(/^openai\//, '');
  return (population.aliases[name] ?? name) === 'population';
}

function standIns(members: Members, weights: ReadonlyMap<string, number>) {
  const { cast } = members;
  return cast.population.panels.seen
    .map((member) => ({ member, weight: weights.get(member.id) ?? 1 }))
    .filter(({ weight }) => weight > 0)
    .map(({ member, weight }) => ({
      id: member.id,
      weight,
      open: (seed: string) => cast.speaker(member).open(seed),
    }));
}

function resolved(settings: GatewaySettings, folder: string): GatewaySettings {
  const { live, store } = settings;
  return {
    ...settings,
    store: resolve(folder, store),
    live: {
      ...live,
      space: live.space === null ? null : resolve(folder, live.space),
      reference: live.reference.map((path) => resolve(folder, path)),
    },
  };
}

async function restorePopulation(
  settings: GatewaySettings,
  members: Members,
  recorder: Recorder,
  clock: () => number,
): Promise<void> {
  const records = [];
  for await (const record of recorder.timeline(['population']))
    if (record.kind === 'population') records.push(record);
  const { former, present } = readPopulationLog(
    records,
    settings.population,
    settings.upstreams.map(({ name }) => name),
  );
  for (const population of former) members.recall(population);
  if (present !== null) return members.replace(present.population, present.pools);
  members.replace(settings.population);
  await recorder.append(populationRecord(settings.population, members.pools, BY_SETTINGS, clock()));
}

function sourceOf(recorder: Recorder) {
  return {
    session: async (id: string) => closedSession(await recorder.composed(id)),
    async *since(epoch: number | null) {
      for await (const one of recorder.exportSessions({ closedOnly: true })) {
        const session = closedSession(one);
        if (session !== null && (epoch === null || session.epoch === null || session.epoch > epoch))
          yield session;
      }
    },
  };
}

function measure({ instruments, recorder, table, live, conversations }: Parts): void {
  const { open, closed, orphans } = recorder.counts();
  for (const [state, count] of Object.entries({ open, closed, orphan: orphans }))
    instruments.sessions.set({ state }, count);
  instruments.sessions.set({ state: 'under way' }, table.open);
  instruments.journalBytes.set(recorder.status().bytes);
  instruments.held.set(live.keeper.held);
  instruments.running.set(conversations.running);
  instruments.level.set(LEVELS[live.keeper.level]);
  instruments.webhooks.reset();
  for (const [outcome, count] of Object.entries(live.webhooks)) instruments.webhooks.inc({ outcome }, count);
  const look = live.looks.looks.findLast(({ probe }) => probe !== true);
  instruments.figure.reset();
  for (const name of FIGURES)
    for (const part of ['value', 'low', 'high'] as const) {
      const figure = look?.[name][part];
      // Missing is no sample: 0 would be a statement.
      if (figure != null) instruments.figure.set({ name, part }, figure);
    }
}

const FIGURES = ['scd2', 'scd', 'bdi', 'psod', 'psodRise', 'zeroVariance', 'epsilonMember'] as const;

const LEVELS = { green: 0, yellow: 1, 'half-open': 2, red: 3 } as const;

async function listen(
  server: ReturnType<typeof newServer>,
  { listen: at }: GatewaySettings,
): Promise<string> {
  try {
    await server.listen({ host: at.host, port: at.port });
  } catch (cause) {
    throw new CollapseAwareError('CA_LISTEN_FAILED', `${at.host}:${at.port}: ${(cause as Error).message}`, {
      todo: 'take another port (--port 0 finds a free one), or stop what listens there',
      cause,
    });
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : at.port;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return `http://${host}:${port}`;
}
