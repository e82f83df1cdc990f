import { setTimeout as pass } from 'node:timers/promises';
import { CollapseAwareError } from '../../errors.ts';
import { answerOf, type DriveEnd, follow } from '../drive.ts';
import { errorOf, type Fault, faultOf } from '../fault.ts';
import type { LoopRequest } from '../request.ts';
import { partsOf } from '../request-parts.ts';
import { type RunStore, requestHash } from '../run-store.ts';
import type { Dbos } from './dbos.ts';
import type { Workplace } from './workplace.ts';

/** Led by one process, whose next in line takes over; performed by all. */
export const LEAD_QUEUE = 'collapse-aware-lead';
export const TASK_QUEUE = 'collapse-aware-tasks';

/** How often what is waited for is asked for, in ms. */
export const POLL = 100;
/** Processes that one task may take with it before the run is stopped. */
const MOST_ATTEMPTS = 5;
/** How long the server may need to see that the former driver is gone, in ms. */
const TAKE_OVER = 120_000;

export type LeadEnd =
  | Pick<Extract<DriveEnd, { kind: 'paused' }>, 'kind' | 'by'>
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly fault: Fault };

export interface RunWorkflows {
  lead(run: string, attempt: number): Promise<LeadEnd>;
}

/**
 * The durable workflows, registered once a process. A run is a workflow: every request is a look whether it is answered, a
 * task a part, and an entry. DBOS records each, so that whoever goes on with the workflow goes the same way; what is
 * recorded are marks, the answers themselves stand in the run's own tables. @param workplace of the process as it is now
 */
export function registerWorkflows(dbos: Dbos, workplace: () => Workplace): RunWorkflows {
  const task = dbos.registerWorkflow(
    async (run: string, round: number, part: LoopRequest): Promise<Fault | null> =>
      dbos.runStep(() => unlessLeaving(workplace(), (place) => place.perform(run, round, part)), {
        name: part.id,
      }),
    { name: 'collapse-aware-task', maxRecoveryAttempts: MOST_ATTEMPTS },
  );

  const lead = async (run: string, attempt: number): Promise<LeadEnd> => {
    const place = workplace();
    let end: DriveEnd | null = null;
    const fault = await unlessLeaving(place, async () => {
      const store = await takeOver(place, run);
      try {
        end = await follow(place.program, store, {
          answer: (round, request) => answered(place, store, run, attempt, round, request),
        });
      } finally {
        await store.close();
      }
    });
    if (fault !== null) return { kind: 'failed', fault };
    const { kind, ...rest } = end! as DriveEnd;
    return kind === 'done' ? { kind } : ({ kind, ...rest } as LeadEnd);
  };

  const answered = async (
    place: Workplace,
    store: RunStore,
    run: string,
    attempt: number,
    round: number,
    request: LoopRequest,
  ) => {
    const look = await dbos.runStep(
      async () => {
        if ((await place.entry(run, request.id)) !== null) return { kept: true, pause: null };
        return { kept: false, ...(await store.control()) };
      },
      { name: `look ${request.id}` },
    );
    if (look.pause !== null) return { pause: look.pause };
    if (!look.kept) {
      const handles = [];
      for (const part of partsOf(request)) {
        // A question that is asked otherwise is another task.
        const workflowID = `${run}/${attempt}/${part.id}/${requestHash(part)}`;
        handles.push(await dbos.startWorkflow(task, { workflowID, queueName: TASK_QUEUE })(run, round, part));
      }
      for (const handle of handles) {
        const fault = await handle.getResult({ pollingIntervalMs: POLL });
        if (fault !== null) throw errorOf(fault);
      }
      await dbos.runStep(
        async () => {
          // Killed after it was kept and before that was recorded: it is there.
          if ((await place.entry(run, request.id)) === null)
            await store.append(await place.joined(run, round, request));
          await place.forget(run, request);
        },
        { name: `keep ${request.id}` },
      );
    }
    const entry = await place.entry(run, request.id);
    if (entry === null)
      throw new CollapseAwareError('CA_STORE_FAILED', `the answer of "${request.id}" is gone`, {
        place: { file: store.place },
        todo: 'Restore the database, or begin the run anew.',
      });
    return answerOf(entry, request, store.place);
  };

  return {
    lead: dbos.registerWorkflow(lead, { name: 'collapse-aware-run', maxRecoveryAttempts: 1000 }),
  };
}

/** The server may hold the lock of a driver that is gone for a while: when its machine went with it. */
async function takeOver(place: Workplace, run: string): Promise<RunStore> {
  for (const end = Date.now() + TAKE_OVER; ; ) {
    try {
      return await place.place(run).open(null);
    } catch (error) {
      const locked = error instanceof CollapseAwareError && error.code === 'CA_STORE_LOCKED';
      if (!locked || Date.now() > end) throw error;
      await pass(500);
    }
  }
}

/**
 * Null where it was done, else why not. While the process leaves nothing is told at all: what was under way is taken up
 * by others, and its end here is none.
 */
async function unlessLeaving(
  place: Workplace,
  work: (place: Workplace) => Promise<void>,
): Promise<Fault | null> {
  const { signal } = place.leaving;
  let fault: Fault | null = null;
  try {
    await work(place);
  } catch (error) {
    fault = faultOf(error);
  }
  if (signal.aborted) await new Promise(() => {});
  return fault;
}
