import { CollapseAwareError } from '../../errors.ts';
import { type TrainingSettings, trainingSettings } from '../trainer/index.ts';
import { mapFamilies, type Panels } from './panels.ts';
import { type Study, studyOf } from './study.ts';
import { type PlanNames, seedsTo } from './table-plan.ts';

/** What the model of users assumes and nobody has measured: error of lists, exponent of collapse, distance to people. */
export type GridFactor = 'eta' | 'gamma' | 'kindGamma' | 'kappa';

export const GRID: readonly { readonly factor: GridFactor; readonly values: readonly number[] }[] = [
  { factor: 'eta', values: [0, 0.1, 0.3] },
  { factor: 'gamma', values: [2, 4, 8] },
  { factor: 'kindGamma', values: [1, 2] },
  { factor: 'kappa', values: [0.3, 0.5, 0.7] },
];

export const GRID_PLAN = {
  worlds: ['persuasion'],
  methods: ['single', 'ensemble-3', 'vs-prob', 'co-training', 'population-co-training-5'],
  seeds: seedsTo(5),
} as const satisfies PlanNames;
/** Methods that a change of eta reaches. */
const OF_ETA = ['vs-prob'];
/** As in a file of panels: an exponent below 1 would spread a law out instead of collapsing it. */
const RANGE = { kappa: [0, 0.9], gamma: [1, 64] } as const;

/** One place of the grid: the default, or one factor moved from it. */
export interface GridPoint {
  /** `default`, `gamma-2`. */
  readonly id: string;
  readonly factor: GridFactor | null;
  readonly value: number | null;
  readonly study: Study;
  /** Methods to be run here; the others are as at the default. */
  readonly methods: readonly string[];
}

/**
 * The default and its neighbours, one factor at a time. gamma and kappa are those of the first seen family; all others
 * move in proportion, within what a file of panels may say, so that families stay as different as they were. Values
 * that are the default's are left out.
 * @throws CA_CONFIG_INVALID where the first seen family has kappa 0, which has no proportion to others.
 */
export function gridPoints(
  settings: TrainingSettings,
  panels: Panels,
  methods: readonly string[] = GRID_PLAN.methods,
): GridPoint[] {
  const base = studyOf(settings, panels);
  const points: GridPoint[] = [{ id: 'default', factor: null, value: null, study: base, methods }];
  for (const { factor, values } of GRID)
    for (const value of values) {
      const study = movedStudy(settings, panels, factor, value);
      if (study.hash === base.hash) continue;
      points.push({
        id: `${factor}-${value}`,
        factor,
        value,
        study,
        methods: factor === 'eta' ? methods.filter((method) => OF_ETA.includes(method)) : methods,
      });
    }
  return points;
}

function movedStudy(settings: TrainingSettings, panels: Panels, factor: GridFactor, value: number): Study {
  if (factor === 'eta')
    return studyOf(
      trainingSettings({ ...settings, verbalized: { ...settings.verbalized, error: value } }),
      panels,
    );
  const first = panels.seen[0]!;
  // Of all families alike: 1 is the model in which acts alone are collapsed.
  if (factor === 'kindGamma')
    return studyOf(
      settings,
      mapFamilies(panels, (family) => ({ ...family, kindGamma: value })),
    );
  if (first[factor] === value) return studyOf(settings, panels);
  if (first[factor] === 0)
    throw new CollapseAwareError(
      'CA_CONFIG_INVALID',
      `the grid moves ${factor} in proportion to that of family "${first.id}", which is 0`,
      { todo: 'Put a family with a kappa above 0 first in "seen".' },
    );
  const scale = value / first[factor];
  const [least, most] = RANGE[factor];
  // Rounded: a number of a study file should read as it was meant.
  const moved = (x: number) => Math.min(most, Math.max(least, Number((x * scale).toPrecision(6))));
  return studyOf(
    settings,
    mapFamilies(panels, (family) => ({
      ...family,
      [factor]: moved(family[factor]),
      // Collapse over kinds and over acts move together.
      ...(factor === 'gamma' && family.kindGamma !== undefined ? { kindGamma: moved(family.kindGamma) } : {}),
    })),
  );
}
