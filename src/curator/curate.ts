import { fit } from '../audit/fit.ts';
import { embedderOf, type Records } from '../audit/index.ts';
import { type Samples, samplesOf } from '../audit/samples.ts';
import { scan } from '../audit/scan.ts';
import type { AllocationPlan } from '../curation/allocation.ts';
import { planAllocation } from '../curation/allocation-plan.ts';
import { epochCells } from '../curation/epoch-cells.ts';
import type { Check } from '../curation/gate/check.ts';
import { planGate, type QualityGate } from '../curation/gate/gate.ts';
import type { BeforeAfter, ModeAccount, SimulatorAccount } from '../curation/manifest.ts';
import { type CurationFacts, type CurationPlan, planCuration } from '../curation/plan.ts';
import type { Recipe } from '../curation/recipe.ts';
import type { Embedder } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { type BehaviourSpace, compareView, type Profile, type View } from '../space/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { modeAccounts, simulatorAccounts } from './accounts.ts';
import { chosenProfile } from './after-profile.ts';
import { changed, headlineOf, verdictOf } from './before-after.ts';
import { gatedFacts } from './gated-facts.ts';
import { type GatedRows, placeGated } from './place-gated.ts';
import type { CurateProgress } from './progress.ts';
import { searchOf } from './search.ts';
import { type Sifted, sift, type Voter } from './sift.ts';
import { judgedAgain } from './verdicts.ts';

export interface CurateInput {
  /** Episodes to curate; read several times. */
  readonly records: Records;
  /** People to curate towards. Without them, people found among the records are the reference. */
  readonly people?: Records;
  /** A saved space to place the rows in, instead of fitting one. */
  readonly space?: BehaviourSpace;
  readonly embedder?: Embedder;
}

export interface CurateOptions {
  /** Checks beside the built-in ones. */
  readonly checks?: readonly Check[];
  /** Who answers the questions of `recipe.gate.judge`; needed where the recipe has one. */
  readonly judge?: Voter;
  /** Number of modes, where a space is fitted. */
  readonly k?: number;
  /** Subsets that are looked at where curation did not improve the data (0 = none; default 4,000, fewer of more than 20,000 rows). */
  readonly searchEvaluations?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: CurateProgress;
}

/** A curation in memory: what was found, decided and measured. `writeCuration` makes files of it. */
export interface Curated {
  readonly recipe: Recipe;
  readonly space: BehaviourSpace;
  readonly view: View;
  readonly sifted: Sifted;
  readonly plan: CurationPlan;
  readonly beforeAfter: BeforeAfter;
  readonly headline: string;
  readonly simulators: readonly SimulatorAccount[];
  readonly modes: readonly ModeAccount[];
  /** Null where the recipe has none. It remembers the rows it saw: dropped rows are inspected again for their evidence. */
  readonly gate: QualityGate | null;
  /** Where the next epoch's rollouts are best spent; null where the recipe does not ask. */
  readonly allocation: AllocationPlan | null;
  /** People stand among the records and are passed over. */
  readonly withoutPeople: boolean;
  /** Contents that stand among the rows and in the reference: people given as themselves, or simulators given as people. */
  readonly sharedWithReference: number;
}

/**
 * Gate, weights, selection, batches, advantages: the whole curation of `records` by a recipe, measured before and
 * after. Memory grows by ids and columns only.
 * @throws CA_INPUT_EMPTY, CA_SPACE_TOO_SMALL, CA_SPACE_MISMATCH, CA_CONFIG_INVALID, CA_FILE_UNREADABLE (a file changed
 * while it was read), CA_USAGE.
 */
export async function curate(
  input: CurateInput,
  recipe: Recipe,
  options: CurateOptions = {},
): Promise<Curated> {
  const { signal, onProgress } = options;
  if (recipe.gate?.judge != null && options.judge === undefined)
    throw new CollapseAwareError('CA_USAGE', 'the recipe asks a judge, and none was given', {
      todo: 'give options.judge, or leave gate.judge out',
    });
  const gate = recipe.gate === null ? null : planGate(recipe.gate, options.checks ?? []);
  const sifted = await sift(input.records, gate, {
    seed: recipe.seed,
    recipe: recipe.gate,
    hasReference: input.people !== undefined,
    judge: recipe.gate?.judge == null ? null : options.judge!,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const people = await peopleOf(input, sifted, recipe.seed);
  onProgress?.('fit', 0, null);
  const { space, embedder } = await spaceOf(input, sifted, people, recipe, options);
  const withoutPeople = sifted.people.length > 0;
  const placed = await placeGated(
    judgedAgain(input.records, sifted.verdicts, withoutPeople),
    people,
    sifted.neighbourhood,
    space,
    embedder,
    {
      neighbours: recipe.weights?.neighbours ?? 5,
      signal,
      onProgress: (done) => onProgress?.('place', done, sifted.rows),
    },
  );
  signal?.throwIfAborted();
  onProgress?.('plan', 0, null);
  const view = compareView(placed.gated, space);
  const rows = placed.rows.build(view.control === 'interaction' ? 'interaction' : 'full', view.k);
  const gated = samplesOf(view, space);
  const facts = gatedFacts(rows, gated);
  const plan = decided(rows, facts, recipe);
  onProgress?.('measure', 0, null);
  return {
    recipe,
    space,
    view,
    sifted,
    plan,
    ...measured(placed, plan, space, gated, sifted, recipe, options),
    gate,
    allocation: allocated(plan, facts, recipe),
    withoutPeople,
    sharedWithReference: sharedContents(placed.before),
  };
}

async function peopleOf(input: CurateInput, sifted: Sifted, seed: number): Promise<readonly Trajectory[]> {
  if (input.people === undefined) return sifted.people;
  const { sample } = await scan(input.people, { seed, sampleLimit: Number.MAX_SAFE_INTEGER });
  if (sample.length === 0)
    throw new CollapseAwareError('CA_INPUT_EMPTY', 'the reference holds no episode of people');
  return sample;
}

async function spaceOf(
  input: CurateInput,
  sifted: Sifted,
  people: readonly Trajectory[],
  recipe: Recipe,
  { k, signal }: CurateOptions,
): Promise<{ space: BehaviourSpace; embedder: Embedder }> {
  if (input.space !== undefined)
    return { space: input.space, embedder: embedderOf(input.space, input.embedder) };
  return fit(sifted.sample, people, {
    seed: recipe.seed,
    evenIfTooSmall: true,
    ...(k === undefined ? {} : { k }),
    ...(signal === undefined ? {} : { signal }),
    ...(input.embedder === undefined ? {} : { embedder: input.embedder }),
  });
}

function sharedContents(profile: Profile): number {
  const people = new Set<string>();
  const shared = new Set<string>();
  for (let at = 0; at < profile.size; at++) {
    const { hash, part } = profile.peek(at);
    if (part !== null) people.add(hash);
  }
  for (let at = 0; at < profile.size; at++) {
    const { hash, part } = profile.peek(at);
    if (part === null && people.has(hash)) shared.add(hash);
  }
  return shared.size;
}

/** Groups too large for an exact selection are a fault of the recipe: a RangeError of the pure stages. */
function decided(rows: CurationPlan['rows'], facts: CurationFacts, recipe: Recipe): CurationPlan {
  try {
    return planCuration(rows, facts, recipe);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CollapseAwareError('CA_CONFIG_INVALID', `the recipe does not fit the data: ${error.message}`, {
      todo: 'select with design: poisson, which takes groups of any size, or leave selection out',
      cause: error,
    });
  }
}

/** Where the next rollouts go, by what the gated rows show. */
function allocated(
  { rows }: CurationPlan,
  { mci, reference }: CurationFacts,
  { allocation, gate }: Recipe,
): AllocationPlan | null {
  if (allocation === null) return null;
  const widths = mci.map(({ low, high }, at) => ({
    simulator: rows.simulators[at]!,
    width: low === null || high === null ? null : high - low,
  }));
  return planAllocation(
    epochCells(rows, { rewardRange: gate?.rewardRange ?? null, people: reference, widths }),
    allocation,
  );
}

/** One look costs about as much as there are rows: half a minute in all, not hours. */
function subsetsToSearch(rows: number): number {
  return Math.min(4000, Math.max(200, Math.round(8e7 / Math.max(1, rows))));
}

function measured(
  placed: GatedRows,
  plan: CurationPlan,
  space: BehaviourSpace,
  gated: Samples,
  sifted: Sifted,
  recipe: Recipe,
  options: CurateOptions,
) {
  const { view } = gated;
  const after = chosenProfile(placed.gated, plan.rows, plan.after);
  const { figures, samples } = changed(placed.before, after, space, view.control);
  const verdict = verdictOf(figures);
  const evaluations = options.searchEvaluations ?? subsetsToSearch(view.rows.size);
  const search =
    verdict === 'limited-by-data' && evaluations > 0
      ? searchOf(gated, plan, figures, evaluations, recipe.seed)
      : null;
  const count = plan.after.reduce((sum, is) => sum + is, 0);
  const headline = headlineOf(
    figures,
    verdict,
    { read: sifted.rows, kept: sifted.kept, after: count },
    search,
  );
  const beforeAfter: BeforeAfter = {
    after: plan.afterWords,
    rows: { before: sifted.rows, after: count },
    g0: figures.g0?.contexts ?? null,
    scd2: figures.scd2,
    bdi: figures.bdi,
    mass: figures.mass,
    realism: figures.realism,
    search,
    verdict,
  };
  return {
    beforeAfter,
    headline,
    simulators: simulatorAccounts(plan, gated, sifted),
    modes: modeAccounts(plan, gated, space, samples),
  };
}
