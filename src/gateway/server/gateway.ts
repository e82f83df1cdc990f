import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CollapseAwareError } from '../../errors.ts';
import { seeded } from '../../math/random.ts';
import type { CoverageCounts } from '../../population/index.ts';
import { DASHBOARD_HEADERS, dashboardPage } from '../../report/index.ts';
import { openJournal } from '../../store/index.ts';
import { GroupMembers } from '../cast/index.ts';
import { LiveHistory } from '../live/live-history.ts';
import { type Live, startLive } from '../live/start-live.ts';
import type { Prober } from '../probes/index.ts';
import { openRecorder, type Recorder } from '../recorder/recorder.ts';
import type { JournalRecord } from '../recorder/records.ts';
import { scenarioOf } from '../sessions/scenario.ts';
import { sessionIds } from '../sessions/session-id.ts';
import { SessionTable } from '../sessions/session-table.ts';
import { checkSecrets, type Environment } from '../settings/environment.ts';
import { checkExposure, isLoopback } from '../settings/read-settings.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { announcedIn } from './announced.ts';
import { chatRoutes } from './chat-route.ts';
import { CheckpointClock } from './checkpoint-clock.ts';
import { controlRoutes } from './control-routes.ts';
import { Conversations } from './conversations.ts';
import { type EvolveRun, openEvolveRun } from './evolve-run.ts';
import { FinishedSessions, sessionSource } from './finished-sessions.ts';
import { gatewayControl } from './gateway-control.ts';
import { measure } from './gauges.ts';
import { newServer } from './http.ts';
import { type Instruments, newInstruments } from './instruments.ts';
import { KeyRing } from './keys.ts';
import { listen } from './listening.ts';
import { type LogLevel, newLog } from './log.ts';
import { type Members, openMembers } from './members.ts';
import { openRoutes } from './open-routes.ts';
import { restorePopulation } from './population-log.ts';
import { startProbing } from './probing.ts';
import { raisingAt } from './raising.ts';
import { resolvedPaths } from './resolved-paths.ts';
import { conversationServices } from './serving.ts';
import { startExpiry, watchRecords } from './session-ends.ts';
import { joinGroup } from './session-facts.ts';
import { sessionSecret } from './session-secret.ts';

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
  /** What is covered so far, where members are drawn by it. */
  readonly coverage: () => CoverageCounts | null;
  readonly finished: FinishedSessions;
  readonly evolve: EvolveRun;
  readonly keys: KeyRing;
  readonly instruments: Instruments;
  readonly startedAt: number;
  readonly clock: () => number;
}

const DRAIN_MS = 30_000;
const SETTLE_MS = 2000;

/**
 * A gateway that listens.
 * @throws CA_USAGE (keys, exposure), CA_CONFIG_INVALID, CA_STORE_LOCKED, CA_STORE_FAILED, CA_LISTEN_FAILED.
 */
export async function startGateway(given: GatewaySettings, options: GatewayOptions): Promise<RunningGateway> {
  const { environment, folder, clock = Date.now } = options;
  checkExposure(given);
  const settings = resolvedPaths(given, folder);
  checkSecrets(settings, environment);
  const log = newLog(options.log ?? 'warn', options.logSink);
  const members = openMembers(settings, environment, clock);
  const ticks = () => performance.now();
  await makeFolder(settings.store);
  const { recorder: rules } = settings;
  const journal = await openJournal({
    path: join(settings.store, 'journal.db'),
    durability: rules.durability,
    maxBytes: rules.maxBytes,
  });
  const closing: (() => Promise<void> | void)[] = [() => journal.close()];
  try {
    const secret = await sessionSecret(settings.store);
    const history = new LiveHistory(settings.live.epochs);
    // Parts that speak of one another are tied together here, and nowhere else.
    const tied: {
      live: Live | null;
      conversations: Conversations | null;
      prober: Prober | null;
      finished: FinishedSessions | null;
    } = { live: null, conversations: null, prober: null, finished: null };
    /** Sessions that earlier lives ended. */
    const seen = new Set<string>();
    const groups = new GroupMembers();
    const checkpoints = new CheckpointClock();
    const instruments = newInstruments();
    const recorder = await openRecorder({
      journal,
      retention: { keepSessions: rules.keepSessions, keepDays: rules.keepDays, keepBytes: rules.keepBytes },
      onDrop: (dropped) => {
        instruments.dropped.inc(dropped.sessions);
        log.warn(dropped, 'sessions dropped by retention');
      },
      onForget: (ids) => tied.finished?.forget(ids),
      pricesOf: (id) => members.pricesOf(id),
      clock,
      scenarioOf: (prompt) => scenarioOf(prompt, settings.sessions.scenario),
      onRead: (record) => {
        history.take(record);
        checkpoints.take(record);
        if ((record.kind === 'close' || record.kind === 'episode') && record.session !== null)
          seen.add(record.session);
        if (record.kind === 'open') joinGroup(groups, record.facts);
      },
      onFault: (error) => log.error({ why: (error as Error).message }, 'a listener failed'),
    });
    closing.unshift(() => recorder.close());
    closing.unshift(recorder.subscribe((record) => checkpoints.take(record)));
    await restorePopulation(settings, members, recorder, clock);

    // A client that lost the last reply may still ask for it again.
    const isOver = (id: string) => {
      const session = recorder.session(id);
      if (session === undefined) return true;
      return session.state !== 'open' && clock() - session.touchedAt > settings.sessions.retryMs;
    };
    const keys = new KeyRing(settings.keys, environment, { secret, isOver });
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
    const announced = announcedIn(open);
    const isBegun = ({ session }: JournalRecord) => session === null || !announced.has(session);
    table.restore(open.filter(isBegun), ticks());

    const finished = new FinishedSessions(
      recorder,
      {
        closed: (session) => tied.live?.closed(session),
        amended: (session) => tied.live?.amended(session),
      },
      log,
    );
    for (const id of seen) finished.remember(id);
    seen.clear();
    tied.finished = finished;
    const live = await startLive({
      settings,
      restored: history.result(),
      hasPanel: () => members.cast.population.panels.selection.length > 0,
      checkpointsDue: (epoch) => checkpoints.due(members.pools(), epoch),
      source: sessionSource(recorder),
      journal: (record) => {
        recorder.append(record).catch((error: Error) => log.error({ why: error.message }, 'not recorded'));
      },
      log: (event, facts) => log.info({ ...facts }, event),
      environment,
    });
    tied.live = live;
    live.keeper.explain((level) => raisingAt(members, level, ticks()).note);
    closing.unshift(() => live.close());

    const services = conversationServices({
      settings,
      members,
      recorder,
      table,
      groups,
      live,
      instruments,
      log,
      clock,
      ticks,
      offer: (history) => tied.prober?.offer(history),
    });
    const conversations = new Conversations(services);
    tied.conversations = conversations;
    conversations.announce(announced);
    const prober = startProbing({
      settings,
      members,
      recorder,
      instruments,
      weights: () => services.raising().weights,
      clientsRunning: () => conversations.running,
      clock,
      ticks,
    });
    tied.prober = prober;
    closing.unshift(() => prober.close());

    closing.unshift(watchRecords({ recorder, table, conversations, prober, finished, instruments, ticks }));

    const parts: Parts = {
      settings,
      members,
      recorder,
      table,
      conversations,
      live,
      prober,
      coverage: services.coverage,
      finished,
      evolve: await openEvolveRun(settings.store, clock, log),
      keys,
      instruments,
      startedAt: clock(),
      clock,
    };
    closing.unshift(
      startExpiry({ recorder, table, conversations, idleMs: sessions.idleMs, log, clock, ticks }),
    );

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

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw new CollapseAwareError('CA_STORE_FAILED', `no folder can be made: ${(cause as Error).message}`, {
      place: { file: path },
      todo: 'name another store',
      cause,
    });
  }
}

async function until(met: () => boolean, ms: number): Promise<void> {
  for (const end = performance.now() + ms; !met() && performance.now() < end; ) await sleep(10);
}
