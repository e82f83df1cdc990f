// Entry of a thread that makes spaces and cells of the lab (lab-thread.ts): a question at a time, events back.
import { parentPort } from 'node:worker_threads';
import { type SpaceText, workCell, worldName } from '../lab/stage-zero/index.ts';
import { measuringMaker } from './lab-maker.ts';
import type { FromLabWorker, ToLabWorker } from './lab-thread.ts';

const port = parentPort!;
const send = (message: FromLabWorker) => port.postMessage(message);
const maker = measuringMaker();
const spaces = new Map<string, SpaceText>();

port.on('message', (message: ToLabWorker) => {
  handle(message).catch((error: unknown) => {
    // Thrown outside of the promise, so that the crew hears of it.
    setImmediate(() => {
      throw error;
    });
  });
});

async function handle(message: ToLabWorker): Promise<void> {
  if (message.kind === 'space') return send({ kind: 'space', space: await maker.space(message.place) });
  const { job, space } = message;
  const name = worldName(job.place);
  if (space !== null) spaces.set(name, space);
  for await (const event of workCell(job, (run) => maker.cell(run, job.study, job.place, spaces.get(name)!)))
    send(event);
}
