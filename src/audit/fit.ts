import {
  type Behaviour,
  describe,
  type Embedder,
  FEATURES,
  fitLsa,
  LsaEmbedder,
  spokenTexts,
} from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import {
  type BehaviourSpace,
  type ClusterJob,
  fitRows,
  fittingSpace,
  splitReference,
} from '../space/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { clusterAll } from './cluster-crew.ts';
import type { AuditOptions } from './options.ts';

/** Rows that show how far modes tell the context apart, with the content hashes the codebook was fitted on. */
export interface Evidence {
  readonly behaviours: readonly Behaviour[];
  readonly fitted: ReadonlySet<string>;
}

export interface Fitted {
  readonly space: BehaviourSpace;
  readonly embedder: Embedder;
  readonly evidence: Evidence;
}

/** Texts the built-in embedder is fitted on; more change little and cost time. */
const MAXIMUM_TEXTS = 12_000;

/**
 * Fits the behaviour space on people where there are any, else on the sample. The built-in embedder is fitted
 * with it, on what users said in the sample and in the people's *fit* part alone: fresh people stay fresh.
 * @throws CA_SPACE_TOO_SMALL, CA_USAGE, and what a remote embedder throws.
 */
export async function fit(
  sample: readonly Trajectory[],
  people: readonly Trajectory[],
  options: AuditOptions & { readonly embedder?: Embedder } = {},
): Promise<Fitted> {
  const seed = options.seed ?? 0;
  const embedder =
    options.embedder ?? fittedLsa(textsToFit(sample, people, seed), seed, options.evenIfTooSmall);
  options.onProgress?.('fit', 0, sample.length + people.length);
  const describing = options.signal === undefined ? {} : { signal: options.signal };
  const [behaviours, reference] = [
    await describe(sample, embedder, describing),
    await describe(people, embedder, describing),
  ];
  options.onProgress?.('fit', sample.length + people.length, sample.length + people.length);
  const [semanticWeight, interactionWeight] = options.blockWeights ?? [1, 1];
  const fitting = fittingSpace(
    {
      behaviours,
      reference,
      embedder: {
        id: embedder.id,
        dimension: embedder.dimension,
        model: embedder instanceof LsaEmbedder ? embedder.toJSON() : null,
      },
      features: FEATURES.map((feature) => feature.name),
    },
    {
      seed,
      semanticWeight,
      interactionWeight,
      ...(options.k === undefined ? {} : { k: options.k }),
      ...(options.evenIfTooSmall === undefined ? {} : { evenIfTooSmall: options.evenIfTooSmall }),
    },
  );
  const jobs = fitting.next().value as readonly ClusterJob[];
  const space = fitting.next(await clusterAll(jobs, options)).value as BehaviourSpace;
  const fitted =
    space.fittedOn === 'people'
      ? new Set<string>()
      : new Set(fitRows(behaviours, seed).map((row) => row.facts.hash));
  return { space, embedder, evidence: { behaviours, fitted } };
}

/**
 * The embedder of a saved space: restored where the space holds it, else the one given, which must be the same.
 * @throws CA_SPACE_MISMATCH
 */
export function embedderOf(space: BehaviourSpace, given?: Embedder): Embedder {
  if (space.features.join() !== FEATURES.map(({ name }) => name).join())
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      'the space was fitted with other behaviour features than this version measures',
      { todo: 'fit the space again with this version, or use the version that fitted it' },
    );
  if (space.embedder.model !== null) return LsaEmbedder.fromJSON(space.embedder.model);
  if (given?.id === space.embedder.id) return given;
  throw new CollapseAwareError(
    'CA_SPACE_MISMATCH',
    `the space was fitted with the embedder ${space.embedder.id}${given === undefined ? '' : `, not ${given.id}`}`,
    { todo: 'give the same embedder with --embedder' },
  );
}

/** Texts without a word in common (a handful of episodes, or users who only call tools) still have an embedder. */
function fittedLsa(texts: readonly string[], seed: number, evenIfTooSmall = false): LsaEmbedder {
  try {
    return fitLsa(texts, { seed });
  } catch (error) {
    if (!evenIfTooSmall || !(error instanceof CollapseAwareError)) throw error;
    const words = texts.filter((text) => /\p{L}/u.test(text));
    return fitLsa(words.length > 0 ? words : ['a'], { seed, minDocuments: 1 });
  }
}

function textsToFit(sample: readonly Trajectory[], people: readonly Trajectory[], seed: number): string[] {
  const facts = people.map(({ turns, scenario, simulator }) => ({
    hash: contentHash(turns, scenario),
    person: simulator.person,
    simulator: simulator.id,
  }));
  const parts = splitReference(facts, seed);
  const rows = [
    ...sample.map((trajectory) => ({ trajectory, hash: contentHash(trajectory.turns, trajectory.scenario) })),
    ...people.flatMap((trajectory, at) =>
      parts.get(facts[at]!.hash) === 'fit' ? [{ trajectory, hash: facts[at]!.hash }] : [],
    ),
  ].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  const texts: string[] = [];
  for (const [at, { trajectory, hash }] of rows.entries()) {
    if (at > 0 && rows[at - 1]!.hash === hash) continue;
    if (texts.length >= MAXIMUM_TEXTS) break;
    for (const text of spokenTexts(trajectory, 'user')) texts.push(text);
  }
  return texts;
}
