import { playOverChat, type Talk } from '../../../src/lab/hearing/index.ts';
import { worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { atOnce, type Stand } from './stand.ts';

export interface Rollout {
  readonly id: string;
  /** Number of the lab's setting. */
  readonly context: number;
  readonly group?: string;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the API (default: the gateway's own). */
  readonly base?: string;
  readonly key?: string;
  /** Draws what the agent does (default: the id). */
  readonly seed?: string;
}

export const persuasion = worldOf('persuasion');

/** One dialogue of the lab's agent with a simulated user of the gateway; its reward is not told yet. */
export async function rollOut(gateway: Stand, rollout: Rollout): Promise<Talk> {
  const { id, context, group, model = 'population', headers, base, key, seed = id } = rollout;
  return playOverChat({
    world: persuasion,
    settingNumber: context,
    random: seeded(`agent/${seed}`),
    ask: async (messages) => {
      const reply = await gateway.chat(
        { model, messages },
        {
          headers: {
            ...(key === undefined ? { 'x-session-id': id } : {}),
            'x-ca-task': `task-${context}`,
            'x-ca-policy': 'demonstrator',
            ...(group === undefined ? {} : { 'x-ca-group': group }),
            ...headers,
          },
          ...(base === undefined ? {} : { base }),
          ...(key === undefined ? {} : { key }),
        },
      );
      if (reply.status !== 200) throw new Error(`${id}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body.choices[0].message.content;
    },
  });
}

/** Plays them, so many at once, and posts their rewards, in batches as a trainer does. */
export async function train(
  gateway: Stand,
  rollouts: readonly Rollout[],
  { most = 16, batch = 40 }: { readonly most?: number; readonly batch?: number } = {},
): Promise<void> {
  for (let from = 0; from < rollouts.length; from += batch) {
    const rewards: { session: string; reward: number | null }[] = [];
    await atOnce(rollouts.slice(from, from + batch), most, async (one) => {
      const { reward } = await rollOut(gateway, one);
      rewards.push({ session: one.id, reward });
    });
    const { body } = await gateway.api('POST', '/api/rewards', { rewards });
    if (body.rejected.length > 0) throw new Error(JSON.stringify(body.rejected));
  }
}

/** `groups` groups of `size` rollouts of one prompt each. */
export function batchOf(
  name: string,
  groups: number,
  size: number,
  rest: Partial<Rollout> = {},
  first = 0,
): Rollout[] {
  return Array.from({ length: groups * size }, (_, at) => {
    const context = first + Math.floor(at / size);
    return { id: `${name}-${at}`, context, group: `${name}/${context}`, ...rest };
  });
}
