import { afterEach, describe, expect, it } from 'vitest';
import { seeded } from '../../../src/math/random.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { type Stand, stand } from './stand.ts';

const TASKS = 50;
const TRIALS = 4;
const TURNS = 6;
const GREETING = 'Hi! How can I help you today?';

const prompt = (task: number) =>
  `# User Simulation Guidelines\nYou play a customer. Say ###STOP### when you are done.\n\n<scenario>\nDomain: airline\nTask ${task}: change the flight of booking R${task}.\n</scenario>`;

interface Message {
  readonly role: string;
  readonly content: string;
}

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.reverse()) await one.close();
  open = [];
});

/** How a client of the SDKs asks: what comes to nothing is asked again, with the number of the try. */
async function ask(
  gateway: Stand,
  messages: readonly Message[],
  givesUp: boolean,
  waits: (mark: string) => Promise<void>,
): Promise<string> {
  const body = { model: 'population', messages, seed: 7, temperature: 0 };
  let tries = 0;
  if (givesUp) {
    const mark = `${marks++}`;
    const gone = new AbortController();
    const given = gateway.chat({ ...body, mark }, { signal: gone.signal });
    given.catch(() => {});
    // A retry of an equal dialogue may have taken its place: then it is told so, and waits no more.
    await Promise.race([waits(mark), given.catch(() => {})]);
    gone.abort();
    await given.catch(() => {});
    tries = 1;
  }
  for (; tries < 20; tries++) {
    const headers: Record<string, string> = tries === 0 ? {} : { 'x-stainless-retry-count': String(tries) };
    const reply = await gateway.chat(body, { headers });
    if (reply.status === 200) return reply.body.choices[0].message.content;
    if (reply.status !== 409) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  }
  throw new Error('no reply in 20 tries');
}
let marks = 0;

/** 200 dialogues at once; the history of each as its client has it. `share`: of turns whose first try is given up. */
async function play(
  gateway: Stand,
  share: number,
  waits: (mark: string) => Promise<void> = async () => {},
): Promise<string[]> {
  const random = seeded('tau2 clients');
  return Promise.all(
    Array.from({ length: TASKS * TRIALS }, async (_, at) => {
      const own = random.fork(`${at}`);
      const messages: Message[] = [{ role: 'system', content: prompt(at % TASKS) }];
      for (let turn = 0; turn < TURNS; turn++) {
        messages.push({
          role: 'user',
          content: turn === 0 ? GREETING : `Could you tell me more? (${own.integer(2)})`,
        });
        const said = await ask(gateway, messages, own.next() < share, waits);
        messages.push({ role: 'assistant', content: said });
        if (said.includes('###STOP###')) break;
      }
      return JSON.stringify(messages);
    }),
  );
}
/** As the client would have it. */
function history(trajectory: Trajectory): string {
  const task = Number(/Task (\d+):/.exec(trajectory.scenario!)![1]);
  return JSON.stringify([
    { role: 'system', content: prompt(task) },
    ...trajectory.turns.map(({ role, text }) => ({
      role: role === 'user' ? 'assistant' : 'user',
      content: text,
    })),
  ]);
}

async function check(gateway: Stand, histories: readonly string[]): Promise<void> {
  const rows = await gateway.trajectories('?of=all');
  expect(rows).toHaveLength(TASKS * TRIALS);
  expect(rows.map(history).sort()).toEqual([...histories].sort());
  const { body: status } = await gateway.api('GET', '/api/status');
  const { open: under, closed, orphans } = status.sessions;
  expect([under + closed, orphans]).toEqual([TASKS * TRIALS, 0]);
  expect(status.recorder).toMatchObject({ unrecorded: 0, failing: null });
  expect(status.requests).toEqual({ running: 0, held: 0 });
  const { body: list } = await gateway.api('GET', '/api/sessions?limit=1000');
  expect(list.total).toBe(TASKS * TRIALS);
  expect(new Set(rows.map(({ context }) => context)).size).toBe(TASKS);
}

describe('200 dialogues of stock tau2-bench at once over HTTP, without ids', () => {
  it('are 200 sessions of scripted users', async () => {
    const gateway = await stand({ settings: { seed: 'tau2' } });
    open.push(gateway);
    await check(gateway, await play(gateway, 0));
  });

  for (const share of [0, 0.15])
    it(`are 200 sessions before an upstream that says the same to the same, with ${share} of the turns given up and asked again`, async () => {
      const hanging = new Map<string, () => void>();
      const upstream: FakeUpstream = await fakeUpstream(({ body }) => {
        const mark = body.mark as string | undefined;
        if (mark === undefined) return { text: `You asked ${JSON.stringify(body.messages).length} letters.` };
        hanging.get(mark)?.();
        return { fault: 'hang' };
      });
      open.push(upstream);
      const gateway = await stand({
        settings: {
          upstreams: { fake: { baseUrl: upstream.url, concurrency: 512, retries: 0 } },
          population: {
            members: [{ id: 'plain', family: 'alder', model: 'alder-4b', upstream: 'fake' }],
            seen: ['plain'],
          },
        },
      });
      open.push(gateway);
      const waits = (mark: string) => new Promise<void>((reached) => hanging.set(mark, reached));
      await check(gateway, await play(gateway, share, waits));
    });
});
