import type { Figure } from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import type { LoopAnswer, LostEpisodes } from './answer.ts';
import type { LoopPopulation } from './population.ts';
import { ask, type RunEvent } from './run-event.ts';
import type { RunState } from './run-state.ts';
import { soundProbe } from './sound-rows.ts';
import { populationTurnError } from './turn-error.ts';

type Asking<T> = Generator<RunEvent, T, LoopAnswer | undefined>;

/** What is probed: fresh episodes of the policy as it is now. */
export interface Probe {
  readonly name: string;
  readonly population: LoopPopulation;
  readonly draw: 'each' | 'mixture';
  readonly contexts: number;
  readonly rollouts: number;
  /** The policy before training: whom the reference people were recorded with, or nearest to it; default the present one. */
  readonly base?: boolean;
  /** The same for what is to be compared in pairs; default the probe's own name. */
  readonly luck?: string;
  /** Of a mixture, replies drawn again at each first user turn; default none. */
  readonly replies?: number;
}

export interface Probed {
  readonly rows: readonly PlacedRow[];
  /** Per-turn error of the population, where replies were drawn again. */
  readonly epsilon: Figure;
}

/** Plays a probe, keeps its rows for the members' laws, and counts its cost. Duplicates stay: each was played. */
export function* probed(state: RunState, round: number, probe: Probe): Asking<Probed> {
  const { name, population, draw, contexts, rollouts, replies = 0 } = probe;
  const checkpoint = probe.base === true ? state.open.checkpoint : state.checkpoint;
  const id = `round-${round}/${name}`;
  const answer = yield* ask(round, {
    kind: 'probe',
    id,
    checkpoint,
    population,
    draw,
    contexts,
    rollouts,
    seed: `${state.settings.seed}/${round}/${probe.luck ?? name}`,
    ...(replies === 0 ? {} : { replies }),
  });
  const asked = new Set(population.map(({ member }) => member.id));
  const sound = soundProbe(answer, asked, state.open);
  const { rows, lost, replied = [] } = sound;
  tellTheDead(state, round, probe, rows, lost);
  // People are on record with the policy before training: members' laws are compared with theirs under that one alone.
  if (checkpoint === state.open.checkpoint) state.remember(rows);
  const episodes = rows.length + lost.reduce((sum, { count }) => sum + count, 0);
  state.spend(
    'probeEpisodes',
    episodes,
    rows.reduce((sum, { turns }) => sum + turns, 0) +
      replied.reduce((sum, turn) => sum + turn.replies.length, 0),
  );
  return { rows, epsilon: populationTurnError(sound) };
}

/** Fewer lost episodes than this may be chance. */
const LEAST_LOST = 5;

/** A member that nothing comes from any more is as one that was never met; whoever speaks again is met again. */
function tellTheDead(
  state: RunState,
  round: number,
  { population, draw, contexts, rollouts }: Probe,
  rows: readonly PlacedRow[],
  lost: readonly LostEpisodes[],
): void {
  const heard = new Set(rows.map(({ simulator }) => simulator));
  for (const { member } of population) {
    if (heard.has(member.id)) {
      state.hear(member.id);
      continue;
    }
    const own = lost.filter(({ simulator }) => simulator === member.id);
    // Of a mixture nobody can tell who was drawn, unless it is told.
    const silent = draw === 'each' ? contexts * rollouts : 0;
    const count = Math.max(
      silent,
      own.reduce((sum, one) => sum + one.count, 0),
    );
    const why = [...new Set(own.map(({ reason }) => reason))].sort().join('; ') || 'nothing came back';
    if (count >= LEAST_LOST) state.lose(member.id, round, why);
  }
}
