import { diagnose, headline } from '../diagnosis/index.ts';
import { type EqualSize, missing } from '../metrics/index.ts';
import { type BehaviourSpace, compareView, type Profile, type View } from '../space/index.ts';
import { VERSION } from '../version.ts';
import { confoundsOf } from './confounds.ts';
import { finiteFigures } from './finite-figures.ts';
import type { Evidence } from './fit.ts';
import { measureEpsilon } from './measure-epsilon.ts';
import { measureHealth } from './measure-health.ts';
import { measureCollapse, measureDiversity, measureMissing, measureReference } from './measure-population.ts';
import { measureRewards } from './measure-rewards.ts';
import { comparedSize, massBalls, measureSimulators } from './measure-simulators.ts';
import { measureDepth, measureEpochs } from './measure-time.ts';
import { measureModeInformation } from './mode-information.ts';
import type { AuditOptions } from './options.ts';
import { AUDIT_SCHEMA, type AuditReport, type SpaceSummary } from './report-data.ts';
import { type Samples, samplesOf } from './samples.ts';

const NO_SEEDS = 'needs nested re-simulation with a seed for each side, which these records do not carry';

export interface Measured {
  readonly report: AuditReport;
  readonly view: View;
}

/**
 * All figures of a profile in its space, and what follows from them. Pure: equal profiles give
 * equal reports. `evidence` (rows with vectors) is needed for the mode information alone.
 * @throws CA_SPACE_MISMATCH, CA_INPUT_EMPTY, CA_PANEL_OVERLAP, CA_USAGE (a simulator or checkpoint not there).
 */
export function measure(
  profile: Profile,
  space: BehaviourSpace,
  input: AuditReport['input'],
  options: AuditOptions = {},
  evidence: Evidence | null = null,
): Measured {
  const view = compareView(profile, space, options.classes === undefined ? {} : { classes: options.classes });
  const samples = samplesOf(view, space);
  return { report: measureSamples(samples, space, input, options, comparedSize(samples), evidence), view };
}

/** The same of rows already gathered, with coverage stated at `size`: runs that are compared have one size. */
export function measureSamples(
  samples: Samples,
  space: BehaviourSpace,
  input: AuditReport['input'],
  options: AuditOptions,
  size: EqualSize | null,
  evidence: Evidence | null,
): AuditReport {
  const { view } = samples;
  const seed = options.seed ?? space.seed;
  const balls = massBalls(samples);
  const simulators = measureSimulators(samples, space, size, balls);
  const modeInformation = measureModeInformation(view, space, evidence);
  const rewards = measureRewards(samples, options);
  const health = measureHealth(samples, space, { ...options, seed });
  const { epochs, trend, growth } = measureEpochs(samples, size, options);
  const onPolicy = measureEpsilon(samples, space);
  const figures = finiteFigures({
    schema: AUDIT_SCHEMA,
    version: VERSION,
    space: summaryOf(view, space, modeInformation),
    simulators,
    reference: measureReference(samples, size, balls),
    scd: { ...measureCollapse(samples, seed), conditional: onPolicy.conditional },
    bdi: { ...measureDiversity(samples, size, balls), relative: growth },
    psod: rewards.psod,
    matrix: rewards.matrix,
    epsilon: onPolicy.epsilon,
    varianceSplit: { simulator: missing(NO_SEEDS), agent: missing(NO_SEEDS) },
    epochs,
    trend,
    depth: measureDepth(samples, space),
    health,
    confounds: confoundsOf(samples, space, simulators, modeInformation.after),
    missing: measureMissing(samples, space),
    input,
  } as const);
  const diagnosis = diagnose(figures);
  return { ...figures, diagnosis, headline: headline({ ...figures, diagnosis }) };
}

function summaryOf(
  view: View,
  space: BehaviourSpace,
  modeInformation: SpaceSummary['modeInformation'],
): SpaceSummary {
  return {
    id: space.id,
    k: view.k,
    kRule: view.classes === null ? space.kRule : 'annotated acts',
    seed: space.seed,
    embedder: space.embedder.id,
    fittedOn: space.fittedOn,
    nFit: space.nFit,
    control: view.control,
    controlReason: view.reason,
    unit: view.unit,
    unitReason: view.unitReason,
    contexts: view.contexts.length,
    modeInformation,
    shares: { eligible: view.shares.eligible, used: view.shares.used, outside: view.shares.outside },
    stability: {
      episode: space.episode.stability,
      interaction: space.interactionEpisode.stability,
      turn: space.turn.stability,
    },
  };
}
