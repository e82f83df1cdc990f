// Entry of a thread that runs k-means for the fit (cluster-crew.ts).
import { parentPort } from 'node:worker_threads';
import { type ClusterJob, cluster } from '../space/index.ts';

parentPort!.on('message', (jobs: readonly ClusterJob[]) => parentPort!.postMessage(jobs.map(cluster)));
