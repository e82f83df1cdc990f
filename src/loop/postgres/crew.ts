import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { CollapseAwareError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import type { DriveEnd } from '../drive.ts';
import { errorOf } from '../fault.ts';
import type { RunStudy } from '../run-study.ts';
import { type DbosModule, loadDbos } from './dbos.ts';
import { databaseFault, openPool } from './pg.ts';
import { goneOf, Presence } from './presence.ts';
import { LEAD_QUEUE, POLL, type RunWorkflows, registerWorkflows, TASK_QUEUE } from './run-workflow.ts';
import { DBOS_SCHEMA } from './schema.ts';
import { Workplace, type WorkplaceOptions } from './workplace.ts';

const APPLICATION = 'collapse-aware';
/** How often a process looks whether others are gone, in ms. */
const SWEEP = 1000;
/** Runs that one process leads at a time: leading is waiting. */
const LEADS = 8;

export interface CrewOptions extends WorkplaceOptions {
  /** Whether this process performs tasks, one at a time, or leads runs alone. */
  readonly performs: boolean;
  /** What DBOS warns of, a line each. */
  onWarning?(line: string): void;
}

/** A process that has joined the others at one database. */
export interface Crew {
  /**
   * Has the run led to its end or to a pause, here or wherever somebody is free, and waits for that. Who comes second
   * waits with the first. @param study null = that of the run that is there
   * Errors: those of `drive`, CA_CONFIG_INVALID where it is another study; the signal's reason, while the run goes on
   * elsewhere.
   */
  lead(run: string, study: RunStudy | null, signal?: AbortSignal): Promise<DriveEnd>;
  /** What was under way here is taken up by others. */
  leave(): Promise<void>;
}

let workplace: Workplace | null = null;
let workflows: RunWorkflows | null = null;

/**
 * Joins whoever works at a database: leads runs, performs what they ask for, and takes up what processes that are gone
 * were at. One at a time in a process. Errors: CA_DEPENDENCY_MISSING, CA_STORE_FAILED, CA_USAGE.
 */
export async function joinCrew(options: CrewOptions): Promise<Crew> {
  const module = await loadDbos();
  const { dbos } = module;
  if (workplace !== null || dbos.isInitialized())
    throw new CollapseAwareError('CA_USAGE', 'DBOS is in use in this process already', {
      todo: 'Join in a process of its own: collapse-aware worker.',
    });
  const here = await Workplace.open(options);
  workplace = here;
  workflows ??= registerWorkflows(dbos, () => workplace!);
  const executor = `collapse-aware-${randomUUID()}`;
  // Its own would warn at every connection, and not miss a machine that went away.
  const dbosPool = await openPool(options.url, 10);
  let presence: Presence | null = null;
  try {
    // Before anything is taken up: a process that nobody sees is taken to be gone.
    presence = await Presence.begin(options.url, executor);
    const warn = (entry: unknown) =>
      options.onWarning?.(entry instanceof Error ? entry.message : String(entry));
    dbos.setConfig({
      name: APPLICATION,
      systemDatabaseUrl: options.url,
      systemDatabasePool: dbosPool,
      systemDatabaseSchemaName: DBOS_SCHEMA,
      applicationVersion: VERSION,
      executorID: executor,
      logger: { info: () => {}, debug: () => {}, warn, error: warn },
      listenQueues: options.performs ? [LEAD_QUEUE, TASK_QUEUE] : [LEAD_QUEUE],
    });
    await dbos.launch();
    const queue = (name: string, workerConcurrency: number) =>
      dbos.registerQueue(name, {
        workerConcurrency,
        minPollingIntervalMs: POLL,
        onConflict: 'always_update',
      });
    await queue(LEAD_QUEUE, LEADS);
    await queue(TASK_QUEUE, 1);
  } catch (error) {
    await dbos.shutdown().catch(() => {});
    await dbosPool.end().catch(() => {});
    await presence?.end();
    await here.close();
    workplace = null;
    throw databaseFault(options.url, error);
  }
  const sweeping = sweep(module, here, executor, options);
  const held = presence;
  return {
    lead: async (run, study, signal) => {
      if (study !== null) await here.begin(run, study);
      return lead(module, here, workflows!, run, signal);
    },
    leave: async () => {
      here.leaving.abort();
      await sweeping;
      await dbos.shutdown().catch(() => {});
      await dbosPool.end().catch(() => {});
      await held.end();
      await here.close();
      workplace = null;
    },
  };
}

/** Gives what processes that are gone were at back to the queues, for as long as this one stays. */
async function sweep(
  { dbos, executor }: DbosModule,
  { pool, leaving }: Workplace,
  own: string,
  { onWarning }: CrewOptions,
): Promise<void> {
  while (!leaving.signal.aborted) {
    try {
      const pending = await dbos.listWorkflows({ status: 'PENDING', loadInput: false, loadOutput: false });
      const others = pending.flatMap(({ executorId }) =>
        executorId === undefined || executorId === own ? [] : [executorId],
      );
      const gone = await goneOf(pool, others);
      if (gone.length > 0) await executor().recoverPendingWorkflows(gone);
    } catch (error) {
      if (!leaving.signal.aborted) onWarning?.((error as Error).message);
    }
    await pass(SWEEP, undefined, { signal: leaving.signal, ref: false }).catch(() => {});
  }
}

async function lead(
  { dbos }: DbosModule,
  here: Workplace,
  { lead: workflow }: RunWorkflows,
  run: string,
  signal?: AbortSignal,
): Promise<DriveEnd> {
  const view = await here.place(run).view();
  try {
    const attempt = await attemptOf(dbos, here, run);
    const workflowID = `${run}/${attempt}`;
    const handle = await dbos.startWorkflow(workflow, { workflowID, queueName: LEAD_QUEUE })(run, attempt);
    const end = await aborted(handle.getResult({ pollingIntervalMs: POLL }), signal);
    if (end.kind === 'failed') throw errorOf(end.fault);
    if (end.kind === 'paused') return end;
    return { kind: 'done', summary: (await view.summary())! };
  } finally {
    await view.close();
  }
}

/** The attempt that is under way; a new one where the last has ended. */
async function attemptOf(dbos: DbosModule['dbos'], here: Workplace, run: string): Promise<number> {
  const last = await here.attempt(run);
  const status = last === 0 ? null : await dbos.getWorkflowStatus(`${run}/${last}`);
  const goesOn = ['PENDING', 'ENQUEUED', 'DELAYED'].includes(status?.status ?? '');
  // Killed between taking its number and starting, an attempt has no workflow yet.
  if (last > 0 && (status === null || goesOn)) return last;
  return here.attemptAfter(run, last);
}

function aborted<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return wait;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    wait.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
