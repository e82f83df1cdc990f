import {
  type CurationPlan,
  DEFAULT_RECIPE,
  planCuration,
  type Recipe,
  STAGE_DEFAULTS,
} from '../../curation/index.ts';
import { missing } from '../../metrics/index.ts';
import { familySimulator, type Simulator } from '../simulators/index.ts';
import type { Rollouts } from '../training/rollout.ts';
import { type ActModes, modesOfPeople, modesOfRows } from './act-modes.ts';
import { nextSeats, windowConcentrations } from './curation-window.ts';
import type { Method, MethodRun, MethodSetup } from './method.ts';
import { peopleOnRecord } from './people-on-record.ts';
import { loadModes, type SavedModes, saveModes } from './saved-modes.ts';
import { seatOrder } from './seat-order.ts';
import { curationRows, type PlacedEpisode, placeStep, stepEpisodes } from './step-rows.ts';

/** Families taken, as by the ensemble that this is compared with. */
const FAMILIES = 3;
/** Dialogues of reference people, as many as `human-fitted` has. */
const DIALOGUES = 300;
/** Steps that concentration and allocation are taken over. */
const WINDOW = 8;

export interface CuratedOptions {
  readonly id: string;
  readonly title: string;
  /** False: modes are those of the run's own first step. */
  readonly people: boolean;
  /** Where concentration is corrected, and how; a batch has the step's size whatever is written. Default: as the default recipe. */
  readonly recipe?: Pick<Recipe, 'weights' | 'batches' | 'gradient'>;
}

interface Saved {
  readonly window: readonly (readonly PlacedEpisode[])[];
  readonly seats: readonly number[] | null;
  readonly modes: SavedModes | null;
}

/** A step that was curated. `weight`: what each episode counts in the update, 0 where it is left out. */
export interface CuratedStep {
  readonly plan: CurationPlan;
  readonly advantage: Float64Array;
  readonly weight: Float64Array;
}

export interface CuratedRun extends MethodRun {
  readonly modes: ActModes | null;
  /** Null where no episode has a reward. */
  curate(step: number, rollouts: Rollouts): CuratedStep | null;
  advantages(step: number, rollouts: Rollouts): Float64Array;
  learn(step: number, rollouts: Rollouts): null;
}

export interface CuratedMethod extends Method {
  start(study: MethodSetup): CuratedRun;
}

/**
 * The users of `ensemble-3` as served, and of what they played each step what this project's curation makes of it, by
 * its own stages: episodes with a reward become its rows, with their mode, support and density; its plan gives weights,
 * the balanced batch and advantages; its allocation says who plays the next groups. The gate's other checks read
 * wording, of which acts have none.
 *
 * By the default recipe concentration is corrected once, by the balanced batch: the factor 1 / MCI and the coverage
 * boost are then 1, and MCI over the window tells the allocation alone how uncertain each simulator is. A recipe that
 * corrects by weights or gradient takes MCI over the window and the step.
 *
 * What an episode counts in the update is its weight over the mean weight of the batch, so that curation does not move
 * the learning rate; groups that the balanced batch leaves out have no part in it, though they were played.
 */
export function curatedMethod(options: CuratedOptions): CuratedMethod {
  const { id, title, people, recipe = DEFAULT_RECIPE } = options;
  const modes = people
    ? `a k-means codebook of ${DIALOGUES} dialogues of reference people with the demonstrator, support and shares from people held out of it`
    : 'a k-means codebook of the first step, with neither support nor shares of people';
  const done =
    recipe === DEFAULT_RECIPE
      ? "weights exp(-rank of density), rank 1 outside people's support, and an equal share a mode in whole groups, what is over left out"
      : 'weights, batch and gradient scale by a recipe of its own';
  return {
    id,
    title,
    model:
      `the users of ensemble-3; every step goes through the stages of curation: behaviour is shares of the user's acts and four numbers of its shape, modes are ${modes}, K = rows / 15; ` +
      `${done}; advantages over the weighted mean of the group, divided by its deviation; the next step's groups go to simulators by the allocation of curation ` +
      `(floor, reward variance, ${people ? 'modes of people shown too rarely, ' : ''}width of the interval of MCI) over the last ${WINDOW} steps`,
    usesPeople: people,
    trains: true,
    start: (study) =>
      new CuratedTraining(study, people, {
        ...DEFAULT_RECIPE,
        weights: recipe.weights,
        batches: recipe.batches,
        gradient: recipe.gradient,
        // A trainer needs them, so that they are on.
        advantage: STAGE_DEFAULTS.advantage,
      }),
  };
}

/** Episodes of a step with a reward, in their modes; by place in the list. */
interface FoundStep {
  readonly placed: PlacedEpisode[];
  readonly distance: Float32Array;
  /** Indexes in the rollouts. */
  readonly index: readonly number[];
  readonly k: number;
  readonly reference: Float64Array | null;
}

class CuratedTraining implements CuratedRun {
  readonly #study: MethodSetup;
  readonly #people: boolean;
  readonly #recipe: Recipe;
  readonly #simulators: readonly Simulator[];
  readonly #ids: readonly string[];
  #modes: ActModes | null;
  #window: (readonly PlacedEpisode[])[] = [];
  #seats: readonly number[] | null = null;
  #order: { readonly step: number; readonly who: readonly number[] } | null = null;
  /** Of the rollouts looked at last: advantages and upkeep of the window take the same. */
  #last: { readonly rollouts: Rollouts; readonly found: FoundStep | null } | null = null;

  constructor(study: MethodSetup, people: boolean, recipe: Recipe) {
    const { world, seen, reference, random } = study;
    this.#study = study;
    this.#people = people;
    this.#recipe = recipe;
    this.#simulators = seen.slice(0, FAMILIES).map((family) => familySimulator(world, family));
    this.#ids = this.#simulators.map(({ id }) => id);
    this.#modes = people
      ? modesOfPeople(peopleOnRecord(world, reference, DIALOGUES, random.fork('curation/people')), study.seed)
      : null;
  }

  get modes(): ActModes | null {
    return this.#modes;
  }

  cast(step: number, group: number) {
    const simulators = this.#simulators;
    if (this.#order?.step !== step)
      this.#order = { step, who: this.#seats === null ? [] : seatOrder(this.#seats, step) };
    return simulators[this.#order.who[group] ?? (step + group) % simulators.length]!;
  }

  population() {
    return this.#simulators;
  }

  curate(step: number, rollouts: Rollouts): CuratedStep | null {
    const found = this.#placed(step, rollouts);
    if (found === null) return null;
    const { placed, distance, index, k, reference } = found;
    const rows = curationRows(placed, distance, k);
    const batches = this.#recipe.batches === null ? null : { ...this.#recipe.batches, size: rows.size };
    const asked = this.#recipe.weights?.concentration === true || this.#recipe.gradient !== null;
    const mci = asked
      ? windowConcentrations([...this.#window.flat(), ...placed], rows.simulators, k)
      : rows.simulators.map(() => missing('not asked for'));
    const plan = planCuration(rows, { mci, reference }, { ...this.#recipe, batches });
    const advantage = new Float64Array(rollouts.episodes.length).fill(Number.NaN);
    const weight = new Float64Array(advantage.length);
    const episodeOf = new Map(placed.map((row, at) => [row.id, index[at]!]));
    const mean = meanOf(plan);
    rows.ids.forEach((name, row) => {
      const own = plan.advantages!.advantage[row]!;
      if (plan.trained[row] === 0 || Number.isNaN(own)) return;
      const episode = episodeOf.get(name)!;
      weight[episode] = (plan.weight[row]! / mean) * plan.scale[rows.simulator[row]!]!;
      advantage[episode] = own * weight[episode]!;
    });
    return { plan, advantage, weight };
  }

  advantages(step: number, rollouts: Rollouts): Float64Array {
    return (
      this.curate(step, rollouts)?.advantage ?? new Float64Array(rollouts.episodes.length).fill(Number.NaN)
    );
  }

  learn(step: number, rollouts: Rollouts): null {
    const found = this.#placed(step, rollouts);
    if (found === null) return null;
    this.#window = [...this.#window, found.placed].slice(-WINDOW);
    this.#order = null;
    const episodes = rollouts.episodes.length;
    const group = Math.max(1, Math.round(episodes / new Set(rollouts.group).size));
    this.#seats = nextSeats(this.#window.flat(), this.#ids, found.k, found.reference, {
      ...STAGE_DEFAULTS.allocation,
      budget: episodes,
      group,
    });
    return null;
  }

  save(): Saved {
    return {
      window: this.#window,
      seats: this.#seats,
      modes: this.#people || this.#modes === null ? null : saveModes(this.#modes),
    };
  }

  load(state: unknown): void {
    const { window, seats, modes } = state as Saved;
    this.#window = [...window];
    this.#seats = seats;
    this.#order = null;
    this.#last = null;
    // Modes of people follow from the study; those of the run's own rows do not.
    if (!this.#people) this.#modes = modes === null ? null : loadModes(modes);
  }

  #placed(step: number, rollouts: Rollouts): FoundStep | null {
    if (this.#last?.rollouts !== rollouts) this.#last = { rollouts, found: this.#find(step, rollouts) };
    return this.#last.found;
  }

  #find(step: number, rollouts: Rollouts): FoundStep | null {
    const episodes = stepEpisodes(this.#study.world, rollouts);
    if (episodes.index.length === 0) return null;
    this.#modes ??= modesOfRows(episodes.behaviours, this.#study.seed);
    const { k, reference } = this.#modes;
    const neighbours = this.#recipe.weights?.neighbours ?? STAGE_DEFAULTS.weights.neighbours;
    const { placed, distance } = placeStep(step, rollouts, episodes, this.#modes, neighbours);
    return { placed, distance, index: episodes.index, k, reference };
  }
}

/** Mean weight of what is trained on. */
function meanOf({ weight, trained }: CurationPlan): number {
  let sum = 0;
  let count = 0;
  // By size: the order of rows must not reach the last digit.
  const own = weight.filter((_, row) => trained[row] === 1).sort();
  for (const value of own) {
    sum += value;
    count += 1;
  }
  return count === 0 ? 1 : sum / count;
}

export const curation = curatedMethod({ id: 'curation', title: 'Curation', people: true });
export const curationNoPeople = curatedMethod({
  id: 'curation-no-people',
  title: 'Curation without people',
  people: false,
});
