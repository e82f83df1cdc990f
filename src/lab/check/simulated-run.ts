import { type BreakerSettings, newBreaker, stepBreaker } from '../../diagnosis/index.ts';
import type { Random } from '../../math/random.ts';
import {
  type Figure,
  missing,
  overfittingRise,
  type PanelRewards,
  pairCollapse,
} from '../../metrics/index.ts';
import { drawTallies, type EpisodePlan, gammaAt, geometricLaws, type ModeLaws } from './mode-laws.ts';

/** An epoch as a training run has it: 16 contexts, groups of 8, the member of each rollout drawn from four. */
export const EPOCHS = 40;
export const BASELINE = 20;
export const MODES = 16;
export const MEMBERS = 4;
const EPISODES: EpisodePlan = { contexts: 16, perContext: 8, members: 'drawn', habit: 0.2 };

/** Populations are met in many runs: by their SCD2. */
const LAWS = new Map<number, ModeLaws>();

/** Simulators whose population has this SCD2, exactly. */
export function lawsAt(collapse: number): ModeLaws {
  const known = LAWS.get(collapse);
  if (known !== undefined) return known;
  const laws = geometricLaws(MEMBERS, MODES, gammaAt(collapse, MEMBERS, MODES));
  LAWS.set(collapse, laws);
  return laws;
}

/** SCD2 of every epoch, by the project's estimator, of populations with the given true values. */
export function collapseFigures(truth: readonly number[], random: Random): Figure[] {
  return truth.map((collapse) => pairCollapse(drawTallies(lawsAt(collapse), EPISODES, random)).pooled2);
}

/** Contexts, training and held-out simulators and dialogues of each in a look at the panels. */
const PANEL = { contexts: 16, training: 4, heldOut: 4, trials: 2 } as const;
const HELD_OUT_GAP = 0.1;

/** The rise of PSOD at every epoch over the first, by the project's estimator; contexts are the same throughout. */
export function overfittingFigures(rises: readonly number[], random: Random): Figure[] {
  const difficulty = Array.from({ length: PANEL.contexts }, () => 0.45 + 0.1 * random.next());
  const rowsOf = (id: string, change: number) => {
    const unit: number[] = [];
    const reward: number[] = [];
    difficulty.forEach((chance, context) => {
      for (let trial = 0; trial < PANEL.trials; trial++) {
        unit.push(context);
        reward.push(random.next() < chance + change ? 1 : 0);
      }
    });
    return { simulator: id, unit, reward };
  };
  const look = (rise: number): PanelRewards => ({
    training: Array.from({ length: PANEL.training }, (_, i) => rowsOf(`training-${i}`, rise / 2)),
    heldOut: Array.from({ length: PANEL.heldOut }, (_, i) =>
      rowsOf(`held-out-${i}`, -HELD_OUT_GAP - rise / 2),
    ),
  });
  const base = look(0);
  return rises.map((rise, epoch) =>
    epoch === 0
      ? missing('this is the step that the rise is measured from')
      : overfittingRise(look(rise), base, [0, 1], { unitNoun: 'context' }),
  );
}

export interface RunFigures {
  readonly scd: readonly Figure[];
  readonly psod?: readonly Figure[];
}

/** Epoch (from 1) at which the breaker first left green, and first was red; null: never. */
export interface Alarm {
  readonly any: number | null;
  readonly red: number | null;
}

/** One look an epoch, as `watch` takes them. */
export function alarmOf(settings: BreakerSettings, { scd, psod }: RunFigures): Alarm {
  let state = newBreaker(0);
  let any: number | null = null;
  for (let epoch = 1; epoch <= scd.length; epoch++) {
    const moved = stepBreaker(settings, state, {
      kind: 'look',
      at: epoch,
      figures: {
        scd: scd[epoch - 1]!,
        ...(psod === undefined ? {} : { psod: psod[epoch - 1]! }),
      },
      data: [`step ${epoch}`],
    });
    state = moved.state;
    if (any === null && moved.shown !== 'green') any = epoch;
    if (moved.shown === 'red') return { any, red: epoch };
  }
  return { any, red: null };
}
