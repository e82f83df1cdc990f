import { createGzip, type Gzip } from 'node:zlib';
import { AtomicFile } from '../store/index.ts';
import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { soundJson } from './json-text.ts';
import type { TrajectoryFile, WriteOptions, Writer } from './writer.ts';

/**
 * The native format: one `Trajectory` a line, compressed where the name ends in `.gz`. Read back, it is the same.
 * Training signals are a `training` object beside it, which the reader passes over.
 */
export const nativeWriter: Writer = {
  name: 'native',
  title: 'collapse-aware trajectories (JSONL)',
  extensions: ['.jsonl', '.jsonl.gz'],
  open: (path, options) => openJsonLines(path, nativeRecord, options),
};

const nativeRecord: JsonRecord = (trajectory, signals) =>
  signals === undefined ? trajectory : { ...trajectory, training: signals };

/** What one line of a file of JSON lines holds. */
export type JsonRecord = (trajectory: Trajectory, signals: TrainingSignals | undefined) => unknown;

/** A file of JSON lines, one per trajectory; gzip where the name ends in `.gz`. */
export async function openJsonLines(
  path: string,
  record: JsonRecord,
  options: WriteOptions = {},
): Promise<TrajectoryFile> {
  const file = await AtomicFile.open(path, options);
  const sink = path.endsWith('.gz') ? zipped(file) : plain(file);
  return {
    write: (trajectory, signals) => sink.write(`${soundJson(record(trajectory, signals))}\n`),
    async close() {
      await sink.end();
      await file.commit();
    },
    async abort() {
      sink.destroy();
      await file.abort();
    },
  };
}

interface Sink {
  write(text: string): Promise<void>;
  end(): Promise<void>;
  destroy(): void;
}

const plain = (file: AtomicFile): Sink => ({
  write: (text) => file.write(text),
  end: async () => {},
  destroy: () => {},
});

/** Compressed bytes flow to the file as they come; a fault of the file reaches the next `write` or `end`. */
function zipped(file: AtomicFile): Sink {
  const gzip: Gzip = createGzip();
  const flow = (async () => {
    for await (const chunk of gzip) await file.write(chunk as Uint8Array);
  })();
  let fault: unknown = null;
  flow.catch((error) => {
    fault = error;
  });
  return {
    async write(text) {
      if (fault !== null) throw fault;
      if (!gzip.write(text)) await Promise.race([new Promise((done) => gzip.once('drain', done)), flow]);
    },
    async end() {
      gzip.end();
      await flow;
    },
    destroy: () => gzip.destroy(),
  };
}
