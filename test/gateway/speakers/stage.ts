import { afterEach } from 'vitest';
import { Upstream, type UpstreamOptions } from '../../../src/endpoint/index.ts';
import { speakerOf } from '../../../src/gateway/speakers/index.ts';
import { PeopleDesk } from '../../../src/gateway/speakers/people-desk.ts';
import type { SpeakerServices } from '../../../src/gateway/speakers/services.ts';
import type { Reply, Said, Speaker, Turn } from '../../../src/gateway/speakers/speaker.ts';
import { readChatRequest } from '../../../src/gateway/wire/chat-request.ts';
import { seeded } from '../../../src/math/random.ts';
import { type Member, readMember } from '../../../src/population/index.ts';
import { type FakeOptions, type FakeScript, type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';

/** A fake upstream, and members that are asked through it. */
export interface Stage {
  readonly fake: FakeUpstream;
  readonly upstream: Upstream;
  readonly services: SpeakerServices;
  readonly checkpoints: string[];
  /** A member with this recipe, model `m`. */
  speaker(recipe: object, more?: object, members?: readonly object[]): Speaker;
}

export const KEY = 'sk-never-to-be-seen-0123456789';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

export async function stage(
  script: FakeScript = {},
  options: Partial<UpstreamOptions> = {},
  fakeOptions: FakeOptions = {},
): Promise<Stage> {
  const fake = await fakeUpstream(script, fakeOptions);
  const upstream = new Upstream(
    {
      name: 'main',
      baseUrl: fake.url,
      apiKeyEnv: 'KEY',
      concurrency: 50,
      queue: 50,
      retries: 0,
      connectMs: 2000,
      firstByteMs: 5000,
      idleMs: 5000,
      totalMs: 8000,
      ...options,
    },
    { environment: { KEY }, backoff: { first: 1, most: 2, patience: 50 } },
  );
  let ids = 0;
  const people = new PeopleDesk({ timeoutMs: 1000, most: 3, now: () => 7, newId: () => `q${ids++}` });
  const checkpoints: string[] = [];
  const services: SpeakerServices = {
    upstreamOf: () => upstream,
    checkpointsOf: () => checkpoints,
    people,
    scripted: () => {
      throw new Error('nobody is scripted here');
    },
  };
  open.push(async () => {
    people.close();
    await fake.close();
    await upstream.close();
  });
  const speaker = (recipe: object, more: object = {}, members: readonly object[] = []) =>
    speakerOf(member(recipe, more, members), services);
  return { fake, upstream, services, checkpoints, speaker };
}

export function member(recipe: object, more: object = {}, members: readonly object[] = []): Member {
  const { kind } = recipe as { kind: string };
  const own = ['human', 'ensemble', 'interpolate'].includes(kind) ? {} : { model: 'm' };
  return readMember({ id: 'one', family: 'f', ...own, recipe, ...more }, { members });
}

export const MESSAGES = [
  { role: 'system', content: 'You want a refund.' },
  { role: 'user', content: 'Hello, how can I help?' },
];

/** A turn asked for by a client's body. */
export function turn(body: object = {}, more: Partial<Turn> & { seed?: string } = {}): Turn {
  const { seed = 'turn', ...rest } = more;
  return {
    request: readChatRequest(
      { model: 'population', messages: MESSAGES, ...body },
      { messages: 100, depth: 32 },
    ),
    past: [],
    random: seeded(seed),
    signal: new AbortController().signal,
    probe: false,
    ...rest,
  };
}

/** All of a reply, as a client reads it. */
export async function heard(reply: Reply): Promise<{ said: Said; chunks: string[] | null }> {
  if (reply.kind === 'whole') return { said: reply.said, chunks: null };
  const chunks: string[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  return { said: reply.said(), chunks };
}

export const says = async (speaker: Speaker, asked: Turn, seed = 's'): Promise<Said> =>
  (await heard(await speaker.open(seed).reply(asked))).said;
