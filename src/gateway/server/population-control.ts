import type { MemberView, PopulationView } from '../api/control.ts';
import { memberShares } from '../cast/index.ts';
import type { LiveMetrics } from '../live/live.ts';
import { readPopulation, writtenPopulation } from '../settings/read-population.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Control } from './control.ts';
import type { Parts } from './gateway.ts';
import type { PopulationChange } from './members.ts';
import { populationRecord } from './population-log.ts';
import { raisingAt } from './raising.ts';

type PopulationControl = Pick<Control, 'population' | 'replacePopulation' | 'setWeights' | 'pushCheckpoint'>;

/** Seeing and changing who serves. A change is on record before it is in force; one that cannot be recorded never is. */
export function populationControl({
  settings,
  members,
  recorder,
  live,
  coverage,
  clock,
}: Parts): PopulationControl {
  const { cast, circuits } = members;
  let metrics: LiveMetrics | null = null;

  // One after another: a change is made of what the one before it left.
  let last: Promise<unknown> = Promise.resolve();
  const change = (prepare: () => PopulationChange, by: string): Promise<PopulationChange> => {
    const done = last.then(async () => {
      // Whoever cannot answer is refused here, before anything is on record.
      const made = prepare();
      await recorder.append(populationRecord(made, by, clock()));
      made.commit();
      live.keeper.populationChanged();
      return made;
    });
    last = done.catch(() => {});
    return done;
  };

  const view = (): PopulationView => {
    const { population } = cast;
    const now = performance.now();
    const level = live.keeper.level;
    const facts = { ...raisingAt(members, level, now), coverage: coverage() };
    const shares = {
      seen: memberShares(population, 'seen', facts),
      selection: memberShares(population, 'selection', facts),
      test: memberShares(population, 'test', facts),
    };
    const mci = new Map(metrics?.report?.simulators.map((one) => [one.id, one.mci]));
    // Read in the background: the next view has them.
    void live.metrics().then(
      (found) => {
        metrics = found;
      },
      () => {},
    );
    return {
      draw: population.draw,
      level,
      members: cast.members.map(({ member, panel }): MemberView => {
        const speaker = cast.speaker(member);
        return {
          id: member.id,
          family: member.family,
          fingerprint: speaker.fingerprint,
          recipe: speaker.recipe,
          model: member.model,
          upstream: members.upstreamNameOf(member.id),
          panel,
          weight: panel === 'seen' ? (population.weights[member.id] ?? 1) : 1,
          share: shares[panel].get(member.id) ?? 0,
          antiCollapse: population.antiCollapse.includes(member.id),
          state: circuits.state(member.id, now),
          ...recorder.countsOf(member.id),
          mci: mci.get(member.id) ?? null,
        };
      }),
      population: writtenPopulation(population),
    };
  };

  return {
    population: view,
    async replacePopulation(written, by) {
      const upstreams = settings.upstreams.map(({ name }) => name);
      await change(() => members.prepare(readPopulation(written, { upstreams })), by);
      return view();
    },
    async setWeights(weights, by) {
      await change(() => members.prepare(reweighted(cast.population, weights)), by);
      return view();
    },
    async pushCheckpoint(member, checkpoint, by) {
      const { pools } = await change(() => members.preparePush(member, checkpoint), by);
      return pools.get(member)!.checkpoints;
    },
  };
}

function reweighted(
  population: PopulationSettings,
  weights: Readonly<Record<string, number>>,
): PopulationSettings {
  for (const id of Object.keys(weights))
    if (!Object.hasOwn(population.weights, id))
      throw ApiError.invalid(`'${id}' is no member of the seen panel`, `weights.${id}`);
  const changed = { ...population, weights: { ...population.weights, ...weights } };
  if (population.panels.seen.every(({ id }) => changed.weights[id] === 0))
    throw ApiError.invalid('all weights would be 0: nobody could be drawn', 'weights');
  return changed;
}
