import type { Clustering } from '../math/index.ts';
import { type ClusterJob, cluster } from '../space/index.ts';
import type { AuditOptions } from './options.ts';
import { startThread, threadsFor } from './threads.ts';

/** Distances (rows x cells x columns x starts) below which another thread costs more than it saves. */
const LEAST_WORK = 5e7;

const workOf = ({ rows, columns, k, restarts }: ClusterJob): number => rows * columns * k * restarts;

/** Results of the jobs, in their order: shared out by their size, one share done here. */
export async function clusterAll(
  jobs: readonly ClusterJob[],
  options: AuditOptions,
): Promise<readonly Clustering[]> {
  const shares = sharesOf(jobs, threadsFor('cluster-worker', options));
  const results: Clustering[] = [];
  const put = (share: readonly number[], found: readonly Clustering[]) => {
    share.forEach((job, at) => {
      results[job] = found[at]!;
    });
  };
  const [own = [], ...others] = shares;
  const threads = others.map((share) => ({
    share,
    thread: startThread<Clustering[]>('cluster-worker', options),
  }));
  try {
    const pending = threads.map(({ share, thread }) => thread.ask(share.map((job) => jobs[job]!)));
    put(
      own,
      own.map((job) => cluster(jobs[job]!)),
    );
    for (const [at, found] of (await Promise.all(pending)).entries()) put(threads[at]!.share, found);
  } finally {
    await Promise.all(threads.map(({ thread }) => thread.end()));
  }
  return results;
}

/** Largest first, each to whoever has least. */
function sharesOf(jobs: readonly ClusterJob[], threads: number): number[][] {
  const total = jobs.reduce((sum, job) => sum + workOf(job), 0);
  const count = total < LEAST_WORK ? 1 : Math.max(1, Math.min(threads, jobs.length));
  const shares = Array.from({ length: count }, () => ({ work: 0, jobs: [] as number[] }));
  for (const job of jobs.map((_, at) => at).sort((a, b) => workOf(jobs[b]!) - workOf(jobs[a]!) || a - b)) {
    const least = shares.reduce((a, b) => (b.work < a.work ? b : a));
    least.jobs.push(job);
    least.work += workOf(jobs[job]!);
  }
  return shares.map((share) => share.jobs);
}
