import { CollapseAwareError } from '../errors.ts';
import { mergeRanges, planRanges, type RangePlan, type RangeSummary } from '../formats/index.ts';
import type { BehaviourSpace, ReleasedBuilder } from '../space/index.ts';
import type { AuditOptions, ReadableFiles, Records } from './options.ts';
import type { SampledPart } from './scan.ts';
import { faultOf, newThread, threadsFor } from './threads.ts';
import type { FromWorker, Job, ToWorker } from './worker-messages.ts';

/** Below this a second thread costs more than it saves. */
const LEAST_BYTES = 32 * 1024 * 1024;
/** Of a worker's heap: rows live for one batch, so that a wide nursery spares them the copying. */
const YOUNG_MEGABYTES = 128;

/** Content hashes of the episodes of ranges: the second pass then need not hash them again. */
export interface KnownRows {
  /** The plan they belong to, with the files' sizes and dates. */
  readonly plan: string;
  readonly hashes: readonly (Uint32Array | null)[];
}

/**
 * Threads that read ranges of files, each range by whoever is free. What they find does not depend on their number:
 * sums are order-free, and samples and drops are put in reading order.
 */
export class Crew {
  readonly #plan: RangePlan;
  readonly #files: ReadableFiles;
  readonly #options: AuditOptions;
  readonly #size: number;

  private constructor(plan: RangePlan, files: ReadableFiles, options: AuditOptions, size: number) {
    this.#plan = plan;
    this.#files = files;
    this.#options = options;
    this.#size = size;
  }

  /** Null where the records are better read, or can only be read, in one thread. */
  static async of(records: Records, options: AuditOptions): Promise<Crew | null> {
    const { files } = records;
    const wanted = threadsFor('worker', options);
    if (files === undefined || wanted < 2) return null;
    const plan = await planRanges(files.paths, files.options, files.rangeBytes);
    if (plan === null) return null;
    const bytes = plan.files.reduce((sum, file) => sum + file.bytes, 0);
    if (options.workers === undefined && bytes < LEAST_BYTES) return null;
    const size = Math.min(wanted, plan.ranges.length);
    return size < 2 ? null : new Crew(plan, files, options, size);
  }

  /** What each thread kept of its rows; null where the files cannot be read in ranges after all. */
  async scan(progress: (rows: number) => void): Promise<{ parts: SampledPart[]; known: KnownRows } | null> {
    const { seed, sampleLimit, perSimulator } = this.#options;
    const sample = {
      ...(seed === undefined ? {} : { seed }),
      ...(sampleLimit === undefined ? {} : { sampleLimit }),
      ...(perSimulator === undefined ? {} : { perSimulator }),
    };
    const hashes: (Uint32Array | null)[] = [];
    const parts = await this.#run<SampledPart>(
      { kind: 'scan', ...this.#reading(), sample },
      hashes,
      progress,
    );
    return parts === null ? null : { parts, known: { plan: JSON.stringify(this.#plan), hashes } };
  }

  /** Every row placed; null as in `scan`. */
  async place(
    space: BehaviourSpace,
    known: KnownRows | null,
    progress: (rows: number) => void,
  ): Promise<ReleasedBuilder[] | null> {
    const hashes = known?.plan === JSON.stringify(this.#plan) ? [...known.hashes] : [];
    return this.#run<ReleasedBuilder>({ kind: 'place', ...this.#reading(), space }, hashes, progress);
  }

  #reading() {
    return { options: this.#files.options, withoutPeople: this.#files.withoutPeople === true };
  }

  /** `hashes`, by range: what is known goes to the threads, what they find is put in. */
  async #run<Result>(
    job: Job,
    hashes: (Uint32Array | null)[],
    progress: (rows: number) => void,
  ): Promise<Result[] | null> {
    const { ranges } = this.#plan;
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const summaries: RangeSummary[] = [];
    const results: Result[] = [];
    let next = 0;
    let rows = 0;
    const workers = Array.from({ length: this.#size }, () =>
      newThread('worker', {
        workerData: job,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      }),
    );
    let stop: () => void = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        stop = () => reject(signal!.reason);
        signal?.addEventListener('abort', stop, { once: true });
        let working = workers.length;
        for (const worker of workers) {
          const send = (message: ToWorker) => worker.postMessage(message);
          const give = () => {
            const index = next++;
            send(
              index < ranges.length
                ? { kind: 'range', index, range: ranges[index]!, hashes: hashes[index] ?? null }
                : { kind: 'end' },
            );
          };
          worker.on('message', (message: FromWorker) => {
            if (message.kind === 'progress') {
              rows += message.rows;
              progress(rows);
            } else if (message.kind === 'read') {
              summaries[message.index] = message.summary;
              hashes[message.index] = message.hashes;
              if (message.summary.irregular) resolve();
              else give();
            } else {
              results.push(message.result as Result);
              working -= 1;
              if (working === 0) resolve();
            }
          });
          worker.on('error', (error) => reject(faultOf(error)));
          worker.on('exit', (code) =>
            reject(new CollapseAwareError('CA_INTERNAL', `a reading thread ended early (${code})`)),
          );
          give();
        }
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
    if (results.length < workers.length) return null;
    const files = mergeRanges(this.#plan, summaries);
    if (files === null) return null;
    this.#files.settled(files);
    return results;
  }
}
