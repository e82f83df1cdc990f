// Entry of a thread that trains and measures cells of the lab (lab-crew.ts).
import { parentPort } from 'node:worker_threads';
import type { CellEvent, CellJob } from '../lab/stage-zero/cell-work.ts';
import { workCell } from '../lab/stage-zero/cell-work.ts';
import { CELL_MAKER } from '../lab/stage-zero/index.ts';

parentPort!.on('message', (job: CellJob) => {
  for (const event of workCell(job, CELL_MAKER)) parentPort!.postMessage(event satisfies CellEvent);
});
