import { randomUUID } from 'node:crypto';
import { Upstream } from '../../endpoint/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { worldOf } from '../../lab/worlds/index.ts';
import { type Member, memberParts, Pool } from '../../population/index.ts';
import { answerersOf, Cast, Circuits } from '../cast/index.ts';
import type { Environment } from '../settings/environment.ts';
import type { GatewaySettings, PopulationSettings, UpstreamSettings } from '../settings/settings.ts';
import { PeopleDesk, speakerOf } from '../speakers/index.ts';
import { scriptedSpeaker } from '../speakers/scripted.ts';

/** Everybody who may answer, and what stands behind them. */
export interface Members {
  readonly cast: Cast;
  readonly circuits: Circuits;
  readonly people: PeopleDesk;
  readonly pools: ReadonlyMap<string, Pool>;
  upstreamNameOf(member: string): string | null;
  pricesOf(member: string): UpstreamSettings['prices'];
  /** For sessions that begin from now on. @throws what a member without its upstream throws. */
  replace(population: PopulationSettings, pools?: Readonly<Record<string, readonly string[]>>): void;
  /** Former members, so that their sessions can go on. Those that can no longer answer are passed over. */
  recall(population: PopulationSettings): void;
  /** @throws CA_USAGE where the member is no pool, or has the checkpoint. */
  push(member: string, checkpoint: string): readonly string[];
  close(): Promise<void>;
}

/** A person has so long for an answer, in ms, and so many may be waited for. */
const PATIENCE = { timeoutMs: 300_000, most: 1000 };

/** @throws CA_USAGE for upstreams whose key is not in the environment; CA_CONFIG_INVALID for members that cannot answer. */
export function openMembers(
  settings: GatewaySettings,
  environment: Environment,
  clock: () => number,
): Members {
  const upstreams = new Map(
    settings.upstreams.map((one) => [
      one.name,
      { settings: one, upstream: new Upstream(one, { environment }) },
    ]),
  );
  const upstreamOf = new Map<string, string>();
  const pools = new Map<string, Pool>();
  const people = new PeopleDesk({ ...PATIENCE, now: clock, newId: randomUUID });
  let world = worldOf(settings.population.world);

  const behind = (member: string) => upstreams.get(upstreamOf.get(member) ?? '') ?? null;
  const behindAny = (member: string) => {
    const one = cast.member(member);
    return (
      behind(member) ??
      (one === null
        ? null
        : (answerersOf(one)
            .map(behind)
            .find((found) => found !== null) ?? null))
    );
  };
  const speaker = (member: Member) =>
    speakerOf(member, {
      upstreamOf: (id) => {
        const found = behind(id);
        if (found === null)
          throw new CollapseAwareError('CA_CONFIG_INVALID', `member '${id}' has no upstream`, {
            todo: 'name one of the upstreams in its settings',
          });
        return found.upstream;
      },
      checkpointsOf: (id) => pools.get(id)?.checkpoints ?? [],
      people,
      scripted: (one) => scriptedSpeaker(one, world, { stop: stopToken(settings) }),
    });
  const prepare = (population: PopulationSettings, given: Readonly<Record<string, readonly string[]>>) => {
    world = worldOf(population.world);
    // An own field only: a member may be called `constructor`.
    const givenTo = (id: string) => (Object.hasOwn(given, id) ? given[id] : undefined);
    for (const [id, name] of Object.entries(population.upstreamOf)) upstreamOf.set(id, name);
    for (const member of Object.values(population.panels).flat())
      for (const one of [member, ...memberParts(member)])
        if (one.recipe.kind === 'pool')
          pools.set(
            one.id,
            new Pool(one.recipe, givenTo(one.id) ?? pools.get(one.id)?.checkpoints ?? firstOf(one)),
          );
  };
  prepare(settings.population, {});
  const cast = new Cast(settings.population, speaker);
  const circuits = new Circuits((id) => behindAny(id)?.settings ?? null);

  return {
    cast,
    circuits,
    people,
    pools,
    upstreamNameOf: (id) => behindAny(id)?.settings.name ?? null,
    pricesOf: (id) => behind(id)?.settings.prices ?? (behindAny(id) === null ? FREE : null),
    replace(population, given = {}) {
      prepare(population, given);
      cast.replace(population);
    },
    recall(population) {
      prepare(population, {});
      for (const member of Object.values(population.panels).flat())
        try {
          cast.recall(member);
        } catch (error) {
          if (!(error instanceof CollapseAwareError)) throw error;
        }
    },
    push(id, checkpoint) {
      const pool = pools.get(id);
      if (pool === undefined)
        throw new CollapseAwareError('CA_USAGE', `member '${id}' is no pool`, {
          todo: 'GET /api/population lists the members',
        });
      pools.set(id, pool.push(checkpoint));
      return pools.get(id)!.checkpoints;
    },
    async close() {
      people.close();
      await Promise.all([...upstreams.values()].map(({ upstream }) => upstream.close()));
    },
  };
}

/** Rules answer for nothing. */
const FREE = { prompt: 0, completion: 0 } as const;

const firstOf = ({ model, checkpoint }: Member): readonly string[] => {
  const first = checkpoint ?? model;
  return first === null ? [] : [first];
};

const stopToken = ({ sessions }: GatewaySettings): string => sessions.stopTokens[0] ?? '';
