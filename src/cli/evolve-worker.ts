// Entry of a thread that performs what a run asks for (evolve-thread.ts): one request at a time.
import { parentPort } from 'node:worker_threads';
import { errorOf, faultOf, type Performer } from '../loop/index.ts';
import { makePerformer } from './evolve-stage.ts';
import type { FromEvolveThread, ToEvolveThread } from './evolve-thread.ts';

const port = parentPort!;
const send = (message: FromEvolveThread) => port.postMessage(message);
const never = new AbortController().signal;
let performer: Promise<Performer> | null = null;
/** Who waits for the text of a checkpoint; a performer may ask for several. */
const waiting: { give(text: string): void; fail(error: unknown): void }[] = [];

const asked = (message: FromEvolveThread) =>
  new Promise<string>((give, fail) => {
    waiting.push({ give, fail });
    send(message);
  });

port.on('message', (message: ToEvolveThread) => {
  if (message.kind === 'stage') performer = new Promise((give) => give(makePerformer(message.stage)));
  else if (message.kind === 'text') waiting.shift()?.give(message.text);
  else if (message.kind === 'fault') waiting.shift()?.fail(errorOf(message.fault));
  else void perform(message);
  // Told by whoever asks next.
  performer?.catch(() => {});
});

async function perform({ request, round }: Extract<ToEvolveThread, { kind: 'perform' }>): Promise<void> {
  try {
    const answer = await (await performer!).perform(request, {
      read: (checkpoint) => asked({ kind: 'read', checkpoint }),
      keep: (text) => asked({ kind: 'keep', text }),
      signal: never,
      round,
    });
    send({ kind: 'answer', answer });
  } catch (error) {
    send({ kind: 'fault', fault: faultOf(error) });
  }
}
