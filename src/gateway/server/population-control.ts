import type { MemberView, PopulationView } from '../api/control.ts';
import { memberShares } from '../cast/index.ts';
import type { LiveMetrics } from '../live/live.ts';
import { readPopulation, writtenPopulation } from '../settings/read-population.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Control } from './control.ts';
import type { Parts } from './gateway.ts';
import { populationRecord } from './population-log.ts';
import { raisingAt } from './raising.ts';

type PopulationControl = Pick<Control, 'population' | 'replacePopulation' | 'setWeights' | 'pushCheckpoint'>;

/** Seeing and changing who serves. A change is on record before it is in force. */
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

  const replace = async (population: PopulationSettings, by: string): Promise<PopulationView> => {
    // Made before anything is on record: members that cannot answer are refused here.
    members.replace(population);
    await recorder.append(populationRecord(population, members.pools, by, clock()));
    return view();
  };

  const view = (): PopulationView => {
    const { population } = cast;
    const now = performance.now();
    const level = live.keeper.level;
    const facts = {
      ...raisingAt(members, level, now),
      resting: circuits.resting(now),
      coverage: coverage(),
    };
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
    replacePopulation: (written, by) =>
      replace(readPopulation(written, { upstreams: settings.upstreams.map(({ name }) => name) }), by),
    async setWeights(weights, by) {
      const { population } = cast;
      for (const id of Object.keys(weights))
        if (!Object.hasOwn(population.weights, id))
          throw ApiError.invalid(`'${id}' is no member of the seen panel`, `weights.${id}`);
      const changed = { ...population, weights: { ...population.weights, ...weights } };
      if (population.panels.seen.every(({ id }) => changed.weights[id] === 0))
        throw ApiError.invalid('all weights would be 0: nobody could be drawn', 'weights');
      return replace(changed, by);
    },
    async pushCheckpoint(member, checkpoint, by) {
      const checkpoints = members.push(member, checkpoint);
      await recorder.append(populationRecord(cast.population, members.pools, by, clock()));
      return checkpoints;
    },
  };
}
