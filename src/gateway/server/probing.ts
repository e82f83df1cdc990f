import { openProber, type Prober, type VisitedHistory } from '../probes/index.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { GatewaySettings, PopulationSettings } from '../settings/settings.ts';
import type { Instruments } from './instruments.ts';
import type { Members } from './members.ts';

export interface ProbingParts {
  readonly settings: GatewaySettings;
  readonly members: Members;
  readonly recorder: Recorder;
  readonly instruments: Instruments;
  readonly weights: () => ReadonlyMap<string, number>;
  readonly clientsRunning: () => number;
  readonly clock: () => number;
  readonly ticks: () => number;
}

/** Probes of the histories that sessions of a running gateway visit. */
export function startProbing(parts: ProbingParts): Prober {
  const { settings, members, recorder, instruments, weights, clientsRunning, clock, ticks } = parts;
  // One that is tried again gets one request at a time: a client's.
  const isUp = (id: string) => members.circuits.state(id, ticks()) === 'up';
  return openProber({
    settings: settings.probes,
    seed: settings.seed,
    voiceOf: ({ simulator, seed }) => members.cast.voiceOf(simulator, seed),
    serves: ({ simulator }) => isUp(simulator.id),
    population: (facts) =>
      isDrawn(members.cast.population, facts)
        ? standIns(members, weights()).filter(({ id }) => isUp(id))
        : null,
    append: (record) => recorder.append(record),
    clientsRunning,
    now: clock,
    onDropped: (reason) => instruments.probes.inc({ outcome: reason }),
  });
}

/** Whether the session's member was drawn from the seen panel, so that others might have come. */
function isDrawn({ panels }: PopulationSettings, { split, pinned }: VisitedHistory['facts']): boolean {
  // A person is asked once: nobody can be probed where one might have been drawn.
  const people = panels.seen.some(({ recipe }) => recipe.kind === 'human');
  return split === 'seen' && pinned !== true && !people;
}

function standIns(members: Members, weights: ReadonlyMap<string, number>) {
  const { cast } = members;
  return cast.population.panels.seen
    .map((member) => ({ member, weight: weights.get(member.id) ?? 1 }))
    .filter(({ weight }) => weight > 0)
    .map(({ member, weight }) => ({
      id: member.id,
      weight,
      open: (seed: string) => cast.speaker(member).open(seed),
    }));
}
