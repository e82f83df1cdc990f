import { CollapseAwareError } from '../../errors.ts';
import { METHODS, methodOf } from '../methods/index.ts';
import { TRAINING, type TrainingSettings } from '../trainer/index.ts';
import { WORLD_IDS } from '../worlds/index.ts';
import { type CellPlace, readWorldName, worldName } from './cell-place.ts';

/** Part `index` (from 1) of `of` parts of a table. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface TablePlan {
  readonly worlds: readonly Pick<CellPlace, 'world' | 'horizon'>[];
  readonly methods: readonly string[];
  readonly seeds: readonly number[];
}

/** The horizons that the persuasion world has beside its usual one, so that length is not mistaken for world. */
const LONGER = ['persuasion-30', 'persuasion-50'];
const SEEDS = 20;

export interface PlanNames {
  readonly worlds?: readonly string[];
  readonly methods?: readonly string[];
  readonly seeds?: readonly number[];
}

/** @throws CA_USAGE for names of no world or method, and where one of the lists is empty. */
export function tablePlan({
  worlds = [...WORLD_IDS, ...LONGER],
  methods = METHODS.map(({ id }) => id),
  seeds = seedsTo(SEEDS),
}: PlanNames = {}): TablePlan {
  const named = new Map(
    worlds.map((name) => {
      const place = readWorldName(name);
      return [worldName(place), place] as const;
    }),
  );
  const plan = {
    worlds: [...named.values()],
    methods: METHODS.map(({ id }) => id).filter((id) => new Set(methods.map((m) => methodOf(m).id)).has(id)),
    seeds: [...new Set(seeds)].sort((a, b) => a - b),
  };
  for (const [what, list] of Object.entries(plan))
    if (list.length === 0) throw new CollapseAwareError('CA_USAGE', `a table without ${what}`);
  return plan;
}

export const seedsTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** A small table that shows whether everything still works: one world, four methods, two seeds, shorter training. */
export const CI_PLAN: PlanNames = {
  worlds: ['persuasion'],
  methods: ['single', 'ensemble-3', 'vs-prob', 'population-co-training-5'],
  seeds: [1, 2],
};
export const CI_SETTINGS: TrainingSettings = { ...TRAINING, steps: 100 };

/** All cells of a plan, seeds outermost: a table that is not done yet has as many seeds of every method. */
export function cellsOf({ worlds, methods, seeds }: TablePlan): CellPlace[] {
  return seeds.flatMap((seed) =>
    worlds.flatMap((place) => methods.map((method) => ({ ...place, method, seed }))),
  );
}

/**
 * Part of the cells: every `of`-th, moved on by one at every seed, so that no shard is left with the slow methods of
 * all seeds. Each cell is in one shard of the same plan.
 */
export function shardOf<Place extends CellPlace>(cells: readonly Place[], { index, of }: Shard): Place[] {
  const rounds = new Map<number, number>();
  const counts = new Map<number, number>();
  return cells.filter(({ seed }) => {
    if (!rounds.has(seed)) rounds.set(seed, rounds.size);
    const at = counts.get(seed) ?? 0;
    counts.set(seed, at + 1);
    return (at + rounds.get(seed)!) % of === index - 1;
  });
}
