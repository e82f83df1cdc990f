// Entry of the thread that measures (live-port.ts): requests in, figures out.
import { parentPort } from 'node:worker_threads';
import { serveLive } from './live-host.ts';
import type { ToLive } from './live-messages.ts';

const port = parentPort!;
const receive = serveLive((message) => port.postMessage(message));
port.on('message', (message: ToLive) => receive(message));
