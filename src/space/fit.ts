import type { Behaviour } from '../embedding/behaviour.ts';
import { CollapseAwareError } from '../errors.ts';
import type { Clustering } from '../math/index.ts';
import { minusEffects, pick, stackedTurns, styleVectors, whitenedBlocks } from './blocks.ts';
import {
  type ClusterJob,
  type CodebookPlan,
  centroidsOf,
  cluster,
  clusterJobs,
  codebookOf,
  type Vectors,
} from './codebook.ts';

import { fitContextEffects } from './context-effects.ts';
import { spaceId } from './encode.ts';
import { splitReference } from './reference-split.ts';
import { balancedSample, inHashOrder } from './sample.ts';
import { type BehaviourSpace, type ReferencePart, SPACE_SCHEMA, type Whitening } from './space.ts';
import { fitWhitening } from './whitening.ts';

export interface FitInput {
  /** Rows under audit, or a sample of them, in any order. */
  readonly behaviours: readonly Behaviour[];
  /** People, the space's reference; may be empty. */
  readonly reference: readonly Behaviour[];
  readonly embedder: { readonly id: string; readonly dimension: number; readonly model: unknown };
  readonly features: readonly string[];
}

export interface FitOptions {
  readonly seed: number;
  /** Number of modes (2 .. 256): overrides the rule and its cap. */
  readonly k?: number;
  readonly semanticWeight?: number;
  readonly interactionWeight?: number;
  /** Share of the sample kept out of the fit for the radius, where there are no people (default 1/3). */
  readonly holdOut?: number;
  /** With fewer than 4 rows to fit on: a space of one mode, in which concentration is null, instead of an error. */
  readonly evenIfTooSmall?: boolean;
  /** Cap of the rule K = n_fit / 15 (default 64). */
  readonly maximumK?: number;
}

/** The people of a two-way fit are one simulator, whatever their sources are called. */
const PEOPLE = '\u0000people';
const HOLD_OUT = 1 / 3;
const ROWS_PER_MODE = 15;
const TURNS_PER_CELL = 50;
const MAXIMUM_TURN_CELLS = 32;
/** Single turns a codebook is fitted on: 125 a cell, and flat in time whatever the sample. */
const MAXIMUM_TURNS = 4000;
const LEAST_FIT = 4;
/** Cells are kept as bytes. */
const MAXIMUM_K = 256;

/**
 * Fits a behaviour space: on people where there are any (their *fit* part), else on a sample balanced by
 * simulator. Equal input in any order, with any rows repeated and any simulators, policies or ids renamed,
 * gives an equal space.
 * @throws CA_SPACE_TOO_SMALL (fewer than 4 rows to fit on), CA_USAGE (k out of range).
 */
export function fitSpace(input: FitInput, options: FitOptions): BehaviourSpace {
  const fitting = fittingSpace(input, options);
  const asked = fitting.next();
  return fitting.next((asked.value as readonly ClusterJob[]).map(cluster)).value as BehaviourSpace;
}

/** The same for a caller who runs its k-means elsewhere: asks for all of them at once, then gives the space. */
export function* fittingSpace(
  input: FitInput,
  options: FitOptions,
): Generator<readonly ClusterJob[], BehaviourSpace, readonly Clustering[]> {
  const { seed } = options;
  const sample = inHashOrder(input.behaviours);
  const people = inHashOrder(input.reference);
  const rows = chooseRows(sample, people, options);
  const { semantic, interaction, style } = fitBlocks(rows.fit, input, options);
  const singleContext = new Set([...sample, ...people].map((row) => row.facts.context)).size === 1;
  const effects = singleContext
    ? new Map<string, Float32Array>()
    : contextEffects(sample, rows.fittedOn === 'people' ? rows.fit : [], semantic, interaction);
  const fit = blocksOf(rows.fit, semantic, interaction, effects, singleContext);
  // Too few of the fit rows' contexts are shared: a codebook of the rest would not be theirs.
  const controlled = !singleContext && fit.eligible.length >= Math.max(LEAST_FIT, rows.fit.length / 2);
  if (!controlled && !singleContext) effects.clear();
  const usable = controlled ? fit.eligible.length : rows.fit.length;
  const { k, kRule } = chooseK(usable, rows.fit.length, options, rows.described);
  const held = blocksOf(rows.held, semantic, interaction, effects, singleContext);
  const excerpts = rows.fit.map((row) => row.facts.excerpt);
  const useRows = controlled || singleContext ? fit.eligible : rows.fit.map((_, row) => row);
  const d = input.embedder.dimension;
  const plans = {
    episode: {
      fit: pick(fit.controlled, useRows),
      k,
      seed,
      label: 'episode',
      ...(k < 2 ? {} : { heldOut: pick(held.controlled, held.eligible) }),
      excerpts: useRows.map((row) => excerpts[row]!),
    },
    interactionEpisode: {
      fit: fit.blocks.interaction,
      k,
      seed,
      label: 'interaction',
      ...(k < 2 ? {} : { heldOut: held.blocks.interaction }),
      excerpts,
    },
    semanticEpisode: {
      fit: styleVectors(rows.fit, style),
      k,
      seed,
      label: 'style',
      ...(k < 2 ? {} : { heldOut: styleVectors(rows.held, style) }),
    },
    turn: turnPlan(
      stackedTurns(rows.fit, (row) => row.turns, d, MAXIMUM_TURNS),
      seed,
      'turn',
    ),
    policyTurn: turnPlan(
      stackedTurns(rows.fit, (row) => row.policyTurns, d, MAXIMUM_TURNS),
      seed,
      'policy-turn',
    ),
  } as const satisfies Record<string, CodebookPlan>;
  const jobs = {
    uncontrolled: controlled
      ? clusterJobs({ fit: pick(fit.blocks.joint, useRows), k, seed, label: 'episode' }, 1)
      : [],
    episode: clusterJobs(plans.episode),
    interactionEpisode: clusterJobs(plans.interactionEpisode),
    semanticEpisode: clusterJobs(plans.semanticEpisode),
    turn: clusterJobs(plans.turn),
    policyTurn: clusterJobs(plans.policyTurn),
  };
  const runs = handedOut(jobs, yield Object.values(jobs).flat());
  const space: Omit<BehaviourSpace, 'id'> = {
    schema: SPACE_SCHEMA,
    seed,
    embedder: input.embedder,
    features: [...input.features],
    k,
    kRule,
    fittedOn: rows.fittedOn,
    nFit: rows.fit.length,
    semantic,
    interaction,
    style,
    contextEffects: effects,
    singleContext,
    uncontrolled: controlled ? centroidsOf(plans.episode.fit, k, runs.uncontrolled) : null,
    episode: codebookOf(plans.episode, runs.episode),
    interactionEpisode: codebookOf(plans.interactionEpisode, runs.interactionEpisode),
    semanticEpisode: codebookOf(plans.semanticEpisode, runs.semanticEpisode),
    turn: codebookOf(plans.turn, runs.turn),
    policyTurn: codebookOf(plans.policyTurn, runs.policyTurn),
    reference: rows.parts,
  };
  return { ...space, id: spaceId(space) };
}

/** Of a sample without people: the rows that fitSpace fits the codebooks on (the others are held out). */
export function fitRows(behaviours: readonly Behaviour[], seed: number): Behaviour[] {
  return balancedSample(inHashOrder(behaviours), seed, HOLD_OUT).fit;
}

interface Chosen {
  readonly fit: Behaviour[];
  readonly held: Behaviour[];
  readonly fittedOn: 'people' | 'sample';
  readonly parts: ReadonlyMap<string, ReferencePart>;
  readonly described: string;
}

function chooseRows(sample: Behaviour[], people: Behaviour[], options: FitOptions): Chosen {
  let chosen: Chosen;
  if (people.length > 0) {
    const parts = splitReference(
      people.map((row) => row.facts),
      options.seed,
    );
    const of = (part: ReferencePart) => people.filter((row) => parts.get(row.facts.hash) === part);
    chosen = { fit: of('fit'), held: of('mass'), fittedOn: 'people', parts, described: 'episodes of people' };
  } else {
    const { fit, held, each } = balancedSample(sample, options.seed, options.holdOut ?? HOLD_OUT);
    const described = `episodes, at most ${each} a simulator before the hold-out`;
    chosen = { fit, held, fittedOn: 'sample', parts: new Map(), described };
  }
  const { length } = chosen.fit;
  if (length === 0 || (length < LEAST_FIT && options.evenIfTooSmall !== true))
    throw new CollapseAwareError(
      'CA_SPACE_TOO_SMALL',
      people.length > 0
        ? `${people.length} episodes of people leave ${chosen.fit.length} to fit a behaviour space on`
        : `${sample.length} different episodes leave ${chosen.fit.length} to fit a behaviour space on`,
      {
        todo: `give at least ${LEAST_FIT} to fit on (60 for more than a few modes), or a saved space (--space)`,
      },
    );
  return chosen;
}

/**
 * Shares and shrinkages by experiment on tau, persuasiontrace and P4G (docs/behaviour-space.md): plain whitening
 * gives noise as much say as behaviour, and codebooks of two halves of the rows then hardly agree.
 */
function fitBlocks(
  rows: Behaviour[],
  input: FitInput,
  options: FitOptions,
): { semantic: Whitening; interaction: Whitening; style: Whitening } {
  const d = input.embedder.dimension;
  const f = input.features.length;
  const semantic = new Float32Array(rows.length * d);
  const interaction = new Float64Array(rows.length * f);
  rows.forEach((row, i) => {
    semantic.set(row.semantic, i * d);
    interaction.set(row.interaction, i * f);
  });
  // Directions past a third of the rows are fitted to noise.
  const limit = Math.max(2, Math.floor(rows.length / 3));
  const weight = options.semanticWeight ?? 1;
  return {
    semantic: fitWhitening(semantic, rows.length, d, {
      weight,
      robust: false,
      share: 0.8,
      limit: Math.min(64, limit),
      shrinkage: 0.9,
    }),
    interaction: fitWhitening(interaction, rows.length, f, {
      weight: options.interactionWeight ?? 1,
      robust: true,
      share: 0.95,
      limit,
      shrinkage: 0.9,
    }),
    style: fitWhitening(semantic, rows.length, d, {
      weight: 1,
      robust: false,
      share: 1,
      limit: 512,
      shrinkage: 0.1,
    }),
  };
}

function contextEffects(
  sample: Behaviour[],
  people: Behaviour[],
  semantic: Whitening,
  interaction: Whitening,
): Map<string, Float32Array> {
  const rows = [
    ...sample.map((row) => ({ row, simulator: row.facts.simulator })),
    ...people.map((row) => ({ row, simulator: PEOPLE })),
  ].sort((a, b) => (a.row.facts.hash < b.row.facts.hash ? -1 : a.row.facts.hash > b.row.facts.hash ? 1 : 0));
  const { joint } = whitenedBlocks(
    rows.map(({ row }) => row),
    semantic,
    interaction,
  );
  return fitContextEffects({
    vectors: joint.data,
    columns: joint.columns,
    hashes: rows.map(({ row }) => row.facts.hash),
    contexts: rows.map(({ row }) => row.facts.context),
    simulators: rows.map(({ simulator }) => simulator),
  }).effects;
}

function blocksOf(
  rows: Behaviour[],
  semantic: Whitening,
  interaction: Whitening,
  effects: ReadonlyMap<string, Float32Array>,
  singleContext: boolean,
) {
  const blocks = whitenedBlocks(rows, semantic, interaction);
  const contexts = rows.map((row) => row.facts.context);
  const eligible = contexts.flatMap((context, row) => (singleContext || effects.has(context) ? [row] : []));
  return { blocks, eligible, controlled: minusEffects(blocks.joint, contexts, effects) };
}

function chooseK(
  usable: number,
  all: number,
  options: FitOptions,
  described: string,
): { k: number; kRule: string } {
  const from =
    usable === all ? `${all} ${described}` : `${usable} of ${all} ${described}, in shared contexts`;
  if (all < LEAST_FIT) return { k: 1, kRule: `K = 1: ${from} are too few to tell modes apart` };
  if (options.k !== undefined) {
    if (!Number.isInteger(options.k) || options.k < 2 || options.k > MAXIMUM_K)
      throw new CollapseAwareError('CA_USAGE', `k is ${options.k}`, {
        todo: `give a whole number from 2 to ${MAXIMUM_K}`,
      });
    const k = Math.min(options.k, usable);
    return { k, kRule: `K = ${k} as given, the rule n_fit / ${ROWS_PER_MODE} waived (n_fit = ${from})` };
  }
  const cap = Math.min(options.maximumK ?? 64, MAXIMUM_K);
  const k = Math.max(2, Math.min(cap, Math.floor(usable / ROWS_PER_MODE)));
  return { k, kRule: `K = min(${cap}, n_fit / ${ROWS_PER_MODE}), at least 2: ${k} (n_fit = ${from})` };
}

function turnPlan(turns: Vectors, seed: number, label: string): CodebookPlan {
  const k = Math.min(MAXIMUM_TURN_CELLS, Math.max(2, Math.floor(turns.rows / TURNS_PER_CELL)));
  return { fit: turns, k, seed, label };
}

/** Results by the name their jobs were listed under. */
function handedOut<Name extends string>(
  jobs: Readonly<Record<Name, readonly ClusterJob[]>>,
  results: readonly Clustering[],
): Record<Name, Clustering[]> {
  const runs = {} as Record<Name, Clustering[]>;
  let at = 0;
  for (const name of Object.keys(jobs) as Name[]) {
    runs[name] = results.slice(at, at + jobs[name].length);
    at += jobs[name].length;
  }
  return runs;
}
