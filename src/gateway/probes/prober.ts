import type { ProbeView } from '../api/control.ts';
import { addTokens } from '../speakers/token-sums.ts';
import {
  keptResamples,
  newJob,
  type ProbeJob,
  type ProbeTask,
  probeRecord,
  spentRecords,
} from './probe-job.ts';
import { probeReply } from './probe-reply.ts';
import type { DropReason, ProberServices } from './prober-services.ts';
import { isSameHistory, lawsAt, sessionProbes, type VisitedHistory } from './visited-history.ts';

export interface Prober {
  /** A turn was answered: probes it if it is drawn. Never throws, never waits. */
  offer(history: VisitedHistory): void;
  /** Clients have become fewer. Without it, it is looked again after a while. */
  wake(): void;
  /** The budget of tokens starts anew. */
  beginEpoch(): void;
  view(): ProbeView;
  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void>;
  /** Gives up what waits, cancels what is under way, records what came of it. Resolves when all is still. */
  close(): Promise<void>;
}

/** How long it is until clients are counted again, in ms. */
const LOOK_AGAIN = 200;

/**
 * Asks for further replies at a share of the histories that sessions visit, behind the clients' backs: in slots of its
 * own, only while few clients are under way, within a budget of tokens (the history that spends the last is finished).
 *
 * A history that was drawn and is not measured is missing, not weighed up: the recorded probability stays the share, and
 * epsilon speaks of the histories that were measured. Whether one leaves a full queue is drawn at random, so that among
 * histories that wait together nothing is favoured. What load cannot be kept from is *when* it leaves some out: turns
 * visited in a rush (the first turns of a batch of rollouts), or late in an epoch whose budget is spent, are fewer. Hence
 * drops are counted by reason, and epsilon is given by depth and member beside the mean. A partly failed history keeps
 * what came of a law from two replies on; replies that fail because they are long are missing from it.
 */
export function openProber(services: ProberServices): Prober {
  const { settings, later = timer } = services;
  const queue: ProbeJob[] = [];
  let current: ProbeJob | null = null;
  let running = 0;
  let closed = false;
  let spent = 0;
  let callOff: (() => void) | null = null;
  const cancel = new AbortController();
  /** By session: its histories that wait or are under way. */
  const open = new Map<string, ProbeJob[]>();
  const counts = { asked: 0, done: 0, failedReplies: 0, promptTokens: 0, completionTokens: 0 };
  const dropped: Record<string, number> = {};
  let still: (() => void)[] = [];

  const forget = (job: ProbeJob) => {
    const { id } = job.history.facts;
    const rest = open.get(id)?.filter((other) => other !== job) ?? [];
    if (rest.length === 0) open.delete(id);
    else open.set(id, rest);
  };

  const drop = (job: ProbeJob, reason: DropReason) => {
    forget(job);
    count(job, reason);
  };

  const count = (job: ProbeJob, reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    try {
      services.onDropped?.(reason, job.history);
    } catch {
      // Whoever listens must not end the probes.
    }
  };

  /** Nobody is asked who is known to be down: its requests would fail one by one, and wake it no sooner. */
  const leaveResting = (job: ProbeJob) => {
    const { facts } = job.history;
    for (const law of job.laws) {
      if (!job.tasks.some((task) => task.law === law)) continue;
      if (law === 'member' ? services.serves(facts) : services.population(facts)?.length !== 0) continue;
      job.rested.add(law);
      job.tasks = job.tasks.filter((task) => task.law !== law);
    }
  };

  const pump = () => {
    while (!closed && running < settings.concurrency && (current !== null || queue.length > 0)) {
      if (services.clientsRunning() > settings.yieldAbove) {
        callOff ??= later(() => {
          callOff = null;
          pump();
        }, LOOK_AGAIN);
        return;
      }
      if (current === null) {
        const job = queue.shift()!;
        if (settings.budgetTokens !== null && spent >= settings.budgetTokens) drop(job, 'budget');
        else current = job;
        continue;
      }
      const job: ProbeJob = current;
      leaveResting(job);
      const task = job.tasks.shift();
      if (job.tasks.length === 0) current = null;
      if (task === undefined) {
        // Where replies are under way, the last of them ends it.
        if (job.running > 0) continue;
        running += 1;
        void finish(job).then(() => {
          running -= 1;
          pump();
        });
        continue;
      }
      job.running += 1;
      running += 1;
      void ask(job, task).then(async () => {
        job.running -= 1;
        if (job.tasks.length === 0 && job.running === 0) await finish(job);
        running -= 1;
        pump();
      });
    }
    if (running === 0 && current === null && queue.length === 0) {
      for (const tell of still) tell();
      still = [];
    }
  };

  /** Never rejects. */
  const ask = async (job: ProbeJob, task: ProbeTask): Promise<void> => {
    const { resample, member, tokens, prompt, completion } = await probeReply(
      services,
      job,
      task,
      cancel.signal,
    );
    if (resample !== null) job.came.push({ task, resample });
    else if (!closed) counts.failedReplies += 1;
    spent += completion;
    job.completionTokens += completion;
    job.promptTokens += prompt;
    counts.completionTokens += completion;
    counts.promptTokens += prompt;
    if (member === null || Object.keys(tokens).length === 0) return;
    const own = job.tokens.get(member) ?? {};
    job.tokens.set(member, own);
    addTokens(own, tokens);
  };

  /** Never rejects. */
  const recordSpent = async (job: ProbeJob): Promise<void> => {
    for (const record of spentRecords(job, services.now()))
      try {
        await services.append(record);
      } catch {
        // Whoever writes the journal has said so.
      }
  };

  const finish = async (job: ProbeJob): Promise<void> => {
    const resamples = keptResamples(job);
    const rested = [...job.rested].some((of) => !resamples.some(({ law }) => law === of));
    if (resamples.length === 0) {
      drop(job, job.superseded ? 'superseded' : closed ? 'draining' : rested ? 'resting' : 'failed');
      return recordSpent(job);
    }
    forget(job);
    try {
      await services.append(probeRecord(job, resamples, services.now()));
      counts.done += 1;
      if (rested) count(job, 'resting');
    } catch {
      drop(job, 'failed');
    }
  };

  const isUnderWay = (history: VisitedHistory) =>
    open.get(history.facts.id)?.some((job) => isSameHistory(job.history, history)) ?? false;

  /** A turn said anew ends what came after it: records are joined by number, and must not meet another history. */
  const supersede = (history: VisitedHistory) => {
    for (const job of open.get(history.facts.id) ?? []) {
      if (job.history.turn < history.turn || isSameHistory(job.history, history)) continue;
      job.superseded = true;
      job.tasks = [];
      const at = queue.indexOf(job);
      if (at >= 0) queue.splice(at, 1);
      if (current === job) current = null;
      if (job.running > 0) continue;
      drop(job, 'superseded');
      void recordSpent(job);
    }
  };

  const idle = () =>
    new Promise<void>((resolve) => {
      still.push(resolve);
      pump();
    });

  return {
    offer(history) {
      // Nobody asks a person the same thing eight times.
      if (closed || settings.share === 0 || history.facts.simulator.kind === 'human') return;
      try {
        supersede(history);
        const plan = sessionProbes(settings, services.seed, history.facts.id);
        const laws = lawsAt(history, settings.laws).filter(
          (law) => law === 'member' || services.population(history.facts) !== null,
        );
        // A retry of a turn that is being probed visits no new history.
        if (laws.length === 0 || !plan.probes(history.turn) || isUnderWay(history)) return;
        const stream = plan.stream(history.turn);
        counts.asked += 1;
        const job = newJob(history, laws, { ...settings, share: plan.share }, stream);
        open.set(history.facts.id, [...(open.get(history.facts.id) ?? []), job]);
        queue.push(job);
        pump();
        while (queue.length > settings.queue) {
          const last = queue.reduce(
            (most, job, at) => (job.precedence > queue[most]!.precedence ? at : most),
            0,
          );
          const busy = services.clientsRunning() > settings.yieldAbove;
          drop(queue.splice(last, 1)[0]!, busy ? 'clients first' : 'queue full');
        }
      } catch {
        dropped.failed = (dropped.failed ?? 0) + 1;
      }
    },
    wake: pump,
    beginEpoch() {
      spent = 0;
      pump();
    },
    view: () => ({ ...counts, dropped: { ...dropped } }),
    idle,
    async close() {
      if (!closed) {
        closed = true;
        callOff?.();
        for (const job of queue.splice(0)) drop(job, 'draining');
        cancel.abort();
        const job = current as ProbeJob | null;
        current = null;
        if (job !== null) {
          job.tasks = [];
          if (job.running === 0) await finish(job);
        }
      }
      await idle();
    },
  };
}

function timer(run: () => void, ms: number): () => void {
  const handle = setTimeout(run, ms);
  handle.unref();
  return () => clearTimeout(handle);
}
