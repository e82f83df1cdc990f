import { ClientError } from '../client/client-error.ts';
import { readPopulation, writtenPopulation } from '../gateway/settings/read-population.ts';
import type { PopulationSettings } from '../gateway/settings/settings.ts';
import type { LoopPopulation } from '../loop/index.ts';
import { type Member, memberFingerprint, memberParts } from '../population/index.ts';
import type { PatientGateway } from './patient-gateway.ts';
import { BY } from './trainer-hold.ts';

/** Members that the loop made: they leave the gateway with the population that they were made for. */
const isMade = (id: string) => /^r\d+-/.test(id);

/**
 * The population at the gateway. Who is only heard (auditions, earlier populations) is there with a weight of 0: nobody in
 * training meets them. Changes come one after another: each is made of what the one before left.
 */
export class PublishedPopulation {
  readonly #gateway: PatientGateway;
  #last: Promise<unknown> = Promise.resolve();

  constructor(gateway: PatientGateway) {
    this.#gateway = gateway;
  }

  /** These and no others are drawn for training, by share. @throws ClientError where the gateway refuses them. */
  serve(population: LoopPopulation, signal: AbortSignal): Promise<void> {
    return this.#change((now) => servedBy(now, population), signal);
  }

  /** Makes members there to be asked for by name. Null, or why the gateway refuses them. */
  async seat(members: readonly Member[], signal: AbortSignal): Promise<string | null> {
    try {
      await this.#change((now) => seatedBeside(now, members), signal);
      return null;
    } catch (error) {
      if (error instanceof ClientError && error.status === 400) return error.message;
      throw error;
    }
  }

  #change(to: (now: PopulationSettings) => PopulationSettings | null, signal: AbortSignal): Promise<void> {
    const done = this.#last.then(async () => {
      const { population: written } = await this.#gateway.ask((client) => client.population(), signal);
      const next = to(readPopulation(written, { upstreams: upstreamsIn(written) }));
      if (next === null) return;
      await this.#gateway.ask((client) => client.setPopulation(writtenPopulation(next), BY), signal);
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Null where it is so already. */
export function servedBy(now: PopulationSettings, population: LoopPopulation): PopulationSettings | null {
  const members = population.map(({ member }) => member);
  const kept = othersThan(members, now.panels.seen).filter(({ id }) => !isMade(id));
  const shares = new Map(population.map(({ member, share }) => [member.id, share]));
  return changed(now, [...members, ...kept], (id) => shares.get(id) ?? 0);
}

/** Those who are there already, be it as another of the same id, give way: ids of a run are never used twice. */
export function seatedBeside(now: PopulationSettings, members: readonly Member[]): PopulationSettings | null {
  const there = new Map(now.panels.seen.map((member) => [member.id, memberFingerprint(member)]));
  const missing = members.filter((member) => there.get(member.id) !== memberFingerprint(member));
  if (missing.length === 0) return null;
  const heard = new Set(missing.map(({ id }) => id));
  const kept = othersThan(missing, now.panels.seen);
  return changed(now, [...kept, ...missing], (id) => (heard.has(id) ? 0 : (now.weights[id] ?? 1)));
}

/** One simulator has one seat, whatever it is called. */
function othersThan(members: readonly Member[], seen: readonly Member[]): Member[] {
  const ids = new Set(members.map(({ id }) => id));
  const prints = new Set(members.map(memberFingerprint));
  return seen.filter((member) => !ids.has(member.id) && !prints.has(memberFingerprint(member)));
}

function changed(
  now: PopulationSettings,
  seen: readonly Member[],
  weightOf: (id: string) => number,
): PopulationSettings | null {
  const { panels } = now;
  const next: PopulationSettings = {
    ...now,
    panels: { ...panels, seen },
    upstreamOf: upstreamsOf(now, [...seen, ...panels.selection, ...panels.test]),
    weights: Object.fromEntries(seen.map(({ id }) => [id, weightOf(id)])),
    antiCollapse: now.antiCollapse.filter((id) => seen.some((member) => member.id === id)),
    // Shares are weights: both other ways to draw know none.
    draw: now.draw === 'uniform' ? 'weighted' : now.draw === 'least-covered' ? 'group' : now.draw,
  };
  return sorted(next) === sorted(now) ? null : next;
}

const sorted = ({ panels: { seen }, weights, draw }: PopulationSettings): string =>
  JSON.stringify([
    seen.map((member) => [member.id, memberFingerprint(member), weights[member.id] ?? 1]).sort(),
    draw,
  ]);

/** A member is asked where others of its model are: its own family first. */
function upstreamsOf(now: PopulationSettings, members: readonly Member[]): Record<string, string> {
  const known = [...now.panels.seen, ...now.panels.selection, ...now.panels.test]
    .flatMap((member) => [member, ...memberParts(member)])
    .flatMap((member) => {
      const upstream = now.upstreamOf[member.id];
      return upstream === undefined ? [] : [{ member, upstream }];
    });
  const upstreamOf = ({ id, model, family, recipe }: Member): string | undefined => {
    if (now.upstreamOf[id] !== undefined) return now.upstreamOf[id];
    if (model === null || recipe.kind === 'scripted') return undefined;
    const alike = known.filter(({ member }) => member.model === model);
    return (alike.find(({ member }) => member.family === family) ?? alike[0])?.upstream;
  };
  const found: Record<string, string> = {};
  for (const member of members.flatMap((one) => [one, ...memberParts(one)])) {
    const upstream = memberParts(member).length > 0 ? undefined : upstreamOf(member);
    if (upstream !== undefined) found[member.id] = upstream;
  }
  return found;
}

/** Upstreams are the gateway's own: those that it names are there. */
function upstreamsIn(written: unknown): string[] {
  const { members = [] } = (written ?? {}) as { members?: readonly { upstream?: string }[] };
  return [...new Set(members.flatMap(({ upstream }) => (upstream === undefined ? [] : [upstream])))];
}
