import { randomUUID } from 'node:crypto';
import { Upstream } from '../../endpoint/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { worldOf } from '../../lab/worlds/index.ts';
import { type Member, memberParts, Pool, type PoolRecipe } from '../../population/index.ts';
import { answerersOf, Cast, Circuits } from '../cast/index.ts';
import type { Environment } from '../settings/environment.ts';
import type { GatewaySettings, PopulationSettings, UpstreamSettings } from '../settings/settings.ts';
import { PeopleDesk, speakerOf } from '../speakers/index.ts';
import { scriptedSpeaker } from '../speakers/scripted.ts';

/** A change of who serves that could be made, and is not in force. */
export interface PopulationChange {
  readonly population: PopulationSettings;
  /** All pools as they will be. */
  readonly pools: ReadonlyMap<string, Pool>;
  /** Puts it in force, for sessions that begin from then on. Of two changes the second is prepared after this. */
  commit(): void;
}

/** Everybody who may answer, and what stands behind them. */
export interface Members {
  readonly cast: Cast;
  readonly circuits: Circuits;
  readonly people: PeopleDesk;
  upstreamNameOf(member: string): string | null;
  /** Requests under way and waiting, by the upstream's name. */
  loads(): ReadonlyMap<string, Upstream['load']>;
  pricesOf(member: string): UpstreamSettings['prices'];
  /** Of members in service and of their parts, by id. */
  pools(): ReadonlyMap<string, Pool>;
  /** Changes nothing yet. @throws what a member without its upstream throws. */
  prepare(
    population: PopulationSettings,
    pools?: Readonly<Record<string, readonly string[]>>,
  ): PopulationChange;
  /** Former members, so that their sessions can go on. Those that can no longer answer are passed over. */
  recall(population: PopulationSettings): void;
  /** Changes nothing yet. @throws CA_USAGE where the member is no pool, or has the checkpoint. */
  preparePush(member: string, checkpoint: string): PopulationChange;
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
  const people = new PeopleDesk({ ...PATIENCE, now: clock, newId: randomUUID });
  let ground = groundWith(NOBODY, settings.population);

  const behind = (member: string, { upstreamOf }: Ground = ground) =>
    upstreams.get(upstreamOf.get(member) ?? '') ?? null;
  const behindAny = (member: string) => {
    const one = cast.member(member);
    return (
      behind(member) ??
      (one === null
        ? null
        : (answerersOf(one)
            .map((id) => behind(id))
            .find((found) => found !== null) ?? null))
    );
  };
  const speaker = (member: Member, on: Ground = ground) =>
    speakerOf(member, {
      upstreamOf: (id) => {
        const found = behind(id, on);
        if (found === null)
          throw new CollapseAwareError('CA_CONFIG_INVALID', `member '${id}' has no upstream`, {
            todo: 'name one of the upstreams in its settings',
          });
        return found.upstream;
      },
      // Those of when a session begins, whatever has been pushed since the member was made.
      checkpointsOf: (id) => ground.pools.get(id)?.checkpoints ?? [],
      people,
      scripted: (one) => scriptedSpeaker(one, on.world, { stop: stopToken(settings) }),
    });
  const cast = new Cast(settings.population, (member) => speaker(member));
  const circuits = new Circuits((id) => behindAny(id)?.settings ?? null);

  return {
    cast,
    circuits,
    people,
    upstreamNameOf: (id) => behindAny(id)?.settings.name ?? null,
    loads: () => new Map([...upstreams].map(([name, { upstream }]) => [name, upstream.load])),
    pricesOf: (id) => behind(id)?.settings.prices ?? (behindAny(id) === null ? FREE : null),
    pools: () =>
      new Map(
        poolsIn(cast.population).flatMap(({ id }) => {
          const pool = ground.pools.get(id);
          return pool === undefined ? [] : [[id, pool] as const];
        }),
      ),
    prepare(population, given = {}) {
      const next = groundWith(ground, population, given);
      const serve = cast.prepare(population, (member) => speaker(member, next));
      return {
        population,
        pools: next.pools,
        commit: () => {
          ground = next;
          serve();
        },
      };
    },
    recall(population) {
      ground = groundWith(ground, population);
      for (const member of Object.values(population.panels).flat())
        try {
          cast.recall(member);
        } catch (error) {
          if (!(error instanceof CollapseAwareError)) throw error;
        }
    },
    preparePush(id, checkpoint) {
      const pool = ground.pools.get(id);
      if (pool === undefined)
        throw new CollapseAwareError('CA_USAGE', `member '${id}' is no pool`, {
          todo: 'GET /api/population lists the members',
        });
      const pools = new Map(ground.pools).set(id, pool.push(checkpoint));
      return {
        population: cast.population,
        pools,
        commit: () => {
          ground = { ...ground, pools };
        },
      };
    },
    async close() {
      people.close();
      await Promise.all([...upstreams.values()].map(({ upstream }) => upstream.close()));
    },
  };
}

/** What members stand on. Of those who have left too: their sessions go on. */
interface Ground {
  readonly world: ReturnType<typeof worldOf>;
  readonly upstreamOf: ReadonlyMap<string, string>;
  readonly pools: ReadonlyMap<string, Pool>;
}

const NOBODY: Pick<Ground, 'upstreamOf' | 'pools'> = { upstreamOf: new Map(), pools: new Map() };

/** `given`: checkpoints by pool, oldest first; others keep theirs. The newest stay where there are too many. */
function groundWith(
  before: Pick<Ground, 'upstreamOf' | 'pools'>,
  population: PopulationSettings,
  given: Readonly<Record<string, readonly string[]>> = {},
): Ground {
  const pools = new Map(before.pools);
  for (const one of poolsIn(population)) {
    // An own field only: a member may be called `constructor`.
    const own = Object.hasOwn(given, one.id) ? given[one.id] : undefined;
    const checkpoints = own ?? pools.get(one.id)?.checkpoints ?? firstOf(one);
    pools.set(one.id, new Pool(one.recipe, checkpoints.slice(-one.recipe.size)));
  }
  return {
    world: worldOf(population.world),
    upstreamOf: new Map([...before.upstreamOf, ...Object.entries(population.upstreamOf)]),
    pools,
  };
}

/** Members that are pools, and parts of members. */
function poolsIn({ panels }: PopulationSettings): (Member & { readonly recipe: PoolRecipe })[] {
  return Object.values(panels)
    .flat()
    .flatMap((member) => [member, ...memberParts(member)])
    .flatMap((one) => (one.recipe.kind === 'pool' ? [{ ...one, recipe: one.recipe }] : []));
}

/** Rules answer for nothing. */
const FREE = { prompt: 0, completion: 0 } as const;

const firstOf = ({ model, checkpoint }: Member): readonly string[] => {
  const first = checkpoint ?? model;
  return first === null ? [] : [first];
};

const stopToken = ({ sessions }: GatewaySettings): string => sessions.stopTokens[0] ?? '';
