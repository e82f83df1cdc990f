// Entry of a reading thread (crew.ts): ranges in, one result at the end.
import { parentPort, type TransferListItem, workerData } from 'node:worker_threads';
import { readRange } from '../formats/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { HashList } from './hash-list.ts';
import { isHuman } from './options.ts';
import { Placer } from './place.ts';
import { Sampler } from './scan.ts';
import type { FromWorker, Job, ToWorker } from './worker-messages.ts';

/** Rows of one range are at positions of their own, in reading order. */
const ROWS_PER_RANGE = 2 ** 32;

const job = workerData as Job;
const port = parentPort!;
const send = (message: FromWorker, transfer: TransferListItem[] = []) => port.postMessage(message, transfer);
const take = job.kind === 'scan' ? sampling(job) : placing(job);

port.on('message', (message: ToWorker) => {
  handle(message).catch((error: unknown) => {
    // Thrown outside of the promise, so that the crew hears of it.
    setImmediate(() => {
      throw error;
    });
  });
});

async function handle(message: ToWorker): Promise<void> {
  if (message.kind === 'end') return take.end();
  const { summary, rows } = readRange(message.range, job.options);
  let row = message.index * ROWS_PER_RANGE;
  let told = 0;
  const hashes = take.begin(message.hashes);
  for await (const item of rows) {
    row += 1;
    if (item.kind !== 'trajectory') continue;
    if (job.withoutPeople && isHuman(item.trajectory)) take.skip(hashes);
    else await take.row(item.trajectory, row, hashes);
    if (++told === 256) {
      send({ kind: 'progress', rows: told });
      told = 0;
    }
  }
  send({ kind: 'progress', rows: told });
  send({ kind: 'read', index: message.index, summary, hashes: take.hashes(hashes) });
}

interface Task {
  /** Hashes of a range, known or to be made. */
  begin(known: Uint32Array | null): HashList;
  row(trajectory: Trajectory, at: number, hashes: HashList): void | Promise<void>;
  skip(hashes: HashList): void;
  /** Those that were made. */
  hashes(list: HashList): Uint32Array | null;
  end(): void | Promise<void>;
}

function sampling({ sample }: Extract<Job, { kind: 'scan' }>): Task {
  // As bytes: they lie outside of the heap, where no collector copies them.
  const sampler = new Sampler<Buffer>(sample);
  return {
    begin: () => new HashList(),
    skip: (hashes) => hashes.push(undefined),
    hashes: (list) => list.words(),
    row: (trajectory, at, hashes) => {
      hashes.push(sampler.add(trajectory, at, () => Buffer.from(JSON.stringify(trajectory))));
    },
    end: () =>
      send({
        kind: 'done',
        result: sampler.samples().map((simulator) => ({
          ...simulator,
          kept: simulator.kept.map((kept) => ({ ...kept, content: kept.content.toString() })),
        })),
      }),
  };
}

function placing({ space }: Extract<Job, { kind: 'place' }>): Task {
  const placer = Placer.inSpace(space);
  return {
    begin: (known) => new HashList(known ?? new Uint32Array(0)),
    skip: (hashes) => void hashes.next(),
    hashes: () => null,
    row: (trajectory, _, hashes) => placer.add(trajectory, hashes.next()),
    end: async () => {
      const result = await placer.release();
      const { hash, text, small, number, cell, id, span, bytes } = result.columns;
      send(
        { kind: 'done', result },
        [hash, text, small, number, cell, id, span, bytes].map(({ buffer }) => buffer),
      );
    },
  };
}
