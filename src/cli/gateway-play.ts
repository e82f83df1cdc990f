import { setTimeout as sleep } from 'node:timers/promises';
import { CollapseAwareError } from '../errors.ts';
import { playOverChat, type TalkMessage } from '../lab/hearing/talk.ts';
import type { WorldId } from '../lab/world/world.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { seeded } from '../math/random.ts';

export interface PlayOptions {
  /** Of the gateway, without a path. */
  readonly url: string;
  /** Null = none is asked. */
  readonly clientKey: string | null;
  readonly adminKey: string;
  readonly world: WorldId;
  readonly count: number;
  readonly say: (text: string) => void;
  /** Aborted: no further dialogue begins. */
  readonly signal: AbortSignal;
}

/** Dialogues at once, and the number of settings they begin from. */
const LANES = 4;
const SETTINGS = 40;
const SAY_EVERY = 100;

/**
 * Plays dialogues of the lab's demonstrator with whoever the gateway serves, over HTTP as any client would, and reports
 * their rewards: something to look at before a trainer is there. What the gateway refuses for now is asked again.
 * @throws CA_ENDPOINT_REPLY where it refuses for good.
 */
export async function playDialogues(options: PlayOptions): Promise<{ readonly played: number }> {
  const { count, say, signal } = options;
  const run = `play-${Date.now().toString(36)}`;
  let next = 0;
  let played = 0;
  const lane = async () => {
    while (next < count && !signal.aborted) {
      await playOne(options, `${run}-${String(next).padStart(5, '0')}`, next++);
      played += 1;
      if (played % SAY_EVERY === 0 || played === count) say(`played ${played} of ${count} dialogues`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, count) }, lane));
  return { played };
}

async function playOne(options: PlayOptions, session: string, number: number): Promise<void> {
  const { url, clientKey, adminKey, world, signal } = options;
  const ask = async (messages: readonly TalkMessage[]): Promise<string> => {
    const headers = {
      'x-session-id': session,
      ...(clientKey === null ? {} : { authorization: `Bearer ${clientKey}` }),
    };
    const body = { model: 'population', messages };
    const reply = (await post(`${url}/v1/chat/completions`, body, headers, signal)) as Completion;
    return reply.choices[0]?.message.content ?? '';
  };
  const talk = await playOverChat({
    ask,
    world: worldOf(world),
    settingNumber: number % SETTINGS,
    random: seeded(`gateway/play/${number}`),
  });
  const rewards = [{ session, reward: talk.reward, outcome: talk.outcome }];
  await post(`${url}/api/rewards`, { rewards }, { authorization: `Bearer ${adminKey}` }, signal);
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string | null } }[];
}

/** Longest wait that is waited, in seconds. */
const PATIENCE = 120;

async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  for (;;) {
    signal.throwIfAborted();
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (reply.ok) return reply.json();
    const text = await reply.text();
    const wait = Number(reply.headers.get('retry-after') ?? Number.NaN);
    if (!(wait <= PATIENCE))
      throw new CollapseAwareError(
        'CA_ENDPOINT_REPLY',
        `the gateway answered ${reply.status}: ${text.slice(0, 300)}`,
        {
          todo: 'look at the dashboard, or start without --play',
        },
      );
    await sleep(1000 * Math.max(1, wait), undefined, { signal });
  }
}
