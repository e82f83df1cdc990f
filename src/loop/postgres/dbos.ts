import { CollapseAwareError } from '../../errors.ts';
import { INSTALL, type Pool } from './pg.ts';

/** The part of `@dbos-inc/dbos-sdk` that is used; typed here since the package is optional. */
export interface WorkflowHandle<R> {
  readonly workflowID: string;
  getResult(options?: { pollingIntervalMs?: number }): Promise<R>;
}
export interface WorkflowStatus {
  readonly workflowID: string;
  readonly status: string;
  readonly executorId?: string;
}
type Logged = (entry: unknown) => void;
export interface DbosConfig {
  readonly name: string;
  readonly systemDatabaseUrl: string;
  readonly systemDatabasePool: Pool;
  readonly systemDatabaseSchemaName: string;
  readonly applicationVersion: string;
  readonly executorID: string;
  readonly logger: { info: Logged; debug: Logged; warn: Logged; error: Logged };
  readonly listenQueues?: string[];
}
interface StartParams {
  readonly workflowID: string;
  readonly queueName: string;
}
export interface Dbos {
  isInitialized(): boolean;
  setConfig(config: DbosConfig): void;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  registerWorkflow<A extends unknown[], R>(
    run: (...args: A) => Promise<R>,
    config: { name: string; maxRecoveryAttempts?: number },
  ): (...args: A) => Promise<R>;
  registerQueue(
    name: string,
    options: { workerConcurrency: number; minPollingIntervalMs: number; onConflict: 'always_update' },
  ): Promise<unknown>;
  startWorkflow<A extends unknown[], R>(
    workflow: (...args: A) => Promise<R>,
    params: StartParams,
  ): (...args: A) => Promise<WorkflowHandle<R>>;
  retrieveWorkflow<R>(workflowID: string): WorkflowHandle<R>;
  getWorkflowStatus(workflowID: string): Promise<WorkflowStatus | null>;
  listWorkflows(query: {
    status: string;
    loadInput: boolean;
    loadOutput: boolean;
  }): Promise<WorkflowStatus[]>;
  runStep<R>(step: () => Promise<R>, options: { name: string }): Promise<R>;
}

/**
 * Puts what another process was at back on its queue, each once, with its attempts counted. DBOS does so by itself for
 * a process of the same name that starts again; that one is gone for good is for us to say.
 */
export interface Executor {
  recoverPendingWorkflows(executorIds: string[]): Promise<readonly unknown[]>;
}

const PACKAGE = '@dbos-inc/dbos-sdk';

export interface DbosModule {
  readonly dbos: Dbos;
  executor(): Executor;
}

export async function loadDbos(): Promise<DbosModule> {
  try {
    const { DBOS } = (await import(PACKAGE)) as { DBOS: Dbos };
    const inner = (await import(`${PACKAGE}/internal/dbos-executor`)) as {
      DBOSExecutor: { globalInstance?: Executor };
    };
    return { dbos: DBOS, executor: () => inner.DBOSExecutor.globalInstance! };
  } catch (cause) {
    throw new CollapseAwareError('CA_DEPENDENCY_MISSING', `rounds on many machines need ${PACKAGE}`, {
      todo: INSTALL,
      cause,
    });
  }
}
