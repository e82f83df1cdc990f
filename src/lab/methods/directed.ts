import { MOST_OUTSIDE } from '../../audit/samples.ts';
import { DEFAULT_RECIPE, planCuration, STAGE_DEFAULTS, vRexMultipliers } from '../../curation/index.ts';
import type { DataPlan, LoopPopulation } from '../../loop/index.ts';
import type { Random } from '../../math/random.ts';
import { missing } from '../../metrics/index.ts';
import type { PlacedRow } from '../../synthesis/index.ts';
import { type MemberWorld, memberSimulator, type Simulator } from '../simulators/index.ts';
import type { Rollouts } from '../training/rollout.ts';
import type { ActModes } from './act-modes.ts';
import type { MethodRun } from './method.ts';
import { curationRows, type PlacedEpisode, placeStep, stepEpisodes } from './step-rows.ts';

/** Rows of training that are kept to look at. */
const WINDOW = 512;
/** Rewards by which a member's gain is told: its first so many, its last so many. */
const GAIN = 64;

interface Saved {
  readonly population: LoopPopulation;
  readonly data: DataPlan;
  readonly rows: readonly PlacedRow[];
  readonly first: readonly (readonly [string, readonly number[]])[];
  readonly last: readonly (readonly [string, readonly number[]])[];
}

/**
 * Training as it is told: a population, one member a GRPO group by share, and a data plan that says what becomes of the
 * episodes. Whoever tells it may do so before any step.
 */
export class DirectedRun implements MethodRun {
  readonly #setup: MemberWorld;
  readonly #random: Random;
  #population: LoopPopulation = [];
  #simulators: readonly Simulator[] = [];
  #data: DataPlan = { gate: false, weights: null, consistency: null };
  #modes: ActModes | null = null;
  #rows: PlacedRow[] = [];
  readonly #first = new Map<string, number[]>();
  readonly #last = new Map<string, number[]>();
  #placed: {
    readonly of: Rollouts;
    readonly placed: readonly PlacedEpisode[];
    readonly distance: Float32Array;
    readonly index: readonly number[];
  } | null = null;

  constructor(setup: MemberWorld, random: Random) {
    this.#setup = setup;
    this.#random = random;
  }

  setModes(modes: ActModes): void {
    this.#modes = modes;
  }

  direct(population: LoopPopulation, data: DataPlan): void {
    this.#population = population;
    this.#data = data;
    this.#simulators = population.map(({ member }) => memberSimulator(this.#setup, member));
  }

  /** The rows of the last steps. */
  get rows(): readonly PlacedRow[] {
    return this.#rows;
  }

  forgetRows(): void {
    this.#rows = [];
  }

  /** Systematic over a step: every member has its share of groups, up to one. */
  cast(step: number, group: number): Simulator {
    const start = this.#random.fork(`seats/${step}`).next();
    const at = (group * GOLDEN + start) % 1;
    let sum = 0;
    for (let i = 0; i < this.#population.length; i++) {
      sum += this.#population[i]!.share;
      if (at < sum) return this.#simulators[i]!;
    }
    return this.#simulators.at(-1)!;
  }

  population(): readonly Simulator[] {
    return this.#simulators;
  }

  advantages(step: number, rollouts: Rollouts): Float64Array {
    const advantage = new Float64Array(rollouts.episodes.length).fill(Number.NaN);
    const { placed, distance, index } = this.#place(step, rollouts);
    const broken = this.#data.gate ? offSupport(placed) : new Set<string>();
    const kept = placed.flatMap((row, at) => (broken.has(row.simulator) ? [] : [at]));
    if (kept.length === 0) return advantage;
    const rows = curationRows(
      kept.map((at) => placed[at]!),
      Float32Array.from(kept, (at) => distance[at]!),
      this.#modes!.k,
    );
    const { weights, consistency } = this.#data;
    const plan = planCuration(
      rows,
      { mci: rows.simulators.map(() => missing('not asked for')), reference: null },
      {
        ...DEFAULT_RECIPE,
        weights: weights === null || weights.alpha === 0 ? null : { ...STAGE_DEFAULTS.weights, ...weights },
        batches: null,
        gradient: null,
        advantage: STAGE_DEFAULTS.advantage,
      },
    );
    const factor =
      consistency === null || consistency.lambda === 0
        ? null
        : this.#factors(rows.simulators, rows.simulator, consistency.lambda);
    const episodeOf = new Map(kept.map((at) => [placed[at]!.id, index[at]!]));
    // The weights have mean 1 over the rows, so that the learning rate stays where it is.
    rows.ids.forEach((id, row) => {
      const own = plan.advantages!.advantage[row]!;
      if (Number.isNaN(own)) return;
      advantage[episodeOf.get(id)!] = own * plan.weight[row]! * (factor?.[rows.simulator[row]!] ?? 1);
    });
    return advantage;
  }

  learn(step: number, rollouts: Rollouts): null {
    const { placed, index } = this.#place(step, rollouts);
    placed.forEach((row, at) => {
      const { id, hash, simulator, context, mode, outside, reward } = row;
      const { turns } = rollouts.episodes[index[at]!]!;
      this.#rows.push({ id, hash, context, simulator, cell: mode, outside, reward, turns });
      const first = this.#first.get(simulator) ?? [];
      if (first.length < GAIN) this.#first.set(simulator, [...first, reward]);
      this.#last.set(simulator, [...(this.#last.get(simulator) ?? []), reward].slice(-GAIN));
    });
    if (this.#rows.length > WINDOW) this.#rows = this.#rows.slice(-WINDOW);
    this.#placed = null;
    return null;
  }

  save(): Saved {
    return {
      population: this.#population,
      data: this.#data,
      rows: this.#rows,
      first: [...this.#first],
      last: [...this.#last],
    };
  }

  load(state: unknown): void {
    const { population, data, rows, first, last } = state as Saved;
    this.direct(population, data);
    this.#rows = [...rows];
    this.#first.clear();
    this.#last.clear();
    for (const [id, list] of first) this.#first.set(id, [...list]);
    for (const [id, list] of last) this.#last.set(id, [...list]);
    this.#placed = null;
  }

  /** V-REx over members: gain is the mean of a member's last rewards less that of its first. */
  #factors(simulators: readonly string[], simulator: ArrayLike<number>, lambda: number): Float64Array {
    const counts = new Float64Array(simulators.length);
    for (let row = 0; row < simulator.length; row++) counts[simulator[row]!]! += 1;
    const gains = simulators.map((id) => {
      const first = this.#first.get(id) ?? [];
      const last = this.#last.get(id) ?? [];
      return first.length < GAIN ? Number.NaN : meanOf(last) - meanOf(first);
    });
    return vRexMultipliers(gains, counts, lambda);
  }

  #place(step: number, rollouts: Rollouts) {
    if (this.#placed?.of === rollouts) return this.#placed;
    const episodes = stepEpisodes(this.#setup.world, rollouts);
    const { placed, distance } = placeStep(
      step,
      rollouts,
      episodes,
      this.#modes!,
      STAGE_DEFAULTS.weights.neighbours,
    );
    this.#placed = { of: rollouts, placed, distance, index: episodes.index };
    return this.#placed;
  }
}

/**
 * Members of a step most of whose episodes are off support, and more than twice as many as is usual among the members: a
 * single episode there proves nothing, and where all members are there it is the policy's doing, which treats people
 * otherwise than the one they were recorded with.
 */
function offSupport(placed: readonly PlacedEpisode[]): Set<string> {
  const counts = new Map<string, { n: number; outside: number }>();
  for (const { simulator, outside } of placed) {
    const own = counts.get(simulator) ?? { n: 0, outside: 0 };
    own.n += 1;
    own.outside += outside ? 1 : 0;
    counts.set(simulator, own);
  }
  const shares = [...counts].map(([simulator, { n, outside }]) => ({ simulator, share: outside / n }));
  const sorted = shares.map(({ share }) => share).sort((a, b) => a - b);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)]!;
  return new Set(
    shares.filter(({ share }) => share > MOST_OUTSIDE && share > 2 * usual).map(({ simulator }) => simulator),
  );
}

/** Multiples of it, taken modulo 1, are spread evenly however many are taken. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const meanOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b).reduce((sum, value) => sum + value, 0) / values.length;
