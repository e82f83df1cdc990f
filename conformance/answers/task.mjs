import * as counts from './counts.mjs';
import * as dialogues from './dialogues.mjs';
import * as identity from './identity.mjs';
import * as replies from './replies.mjs';
import * as rewards from './rewards.mjs';
import * as vectors from './vectors.mjs';

/** Task of a case -> the function that answers it. */
export const TASKS = {
  concentration: counts.concentration,
  collapse: counts.collapse,
  'named-estimators': counts.named,
  'collapse-difference': counts.collapseDifference,
  curve: counts.curve,
  joint: counts.joint,
  diversity: counts.diversity,
  growth: counts.growth,
  'policy-entropy': counts.policyEntropy,
  overfitting: rewards.overfitting,
  'checkpoint-cell': rewards.checkpointCell,
  'zero-variance': rewards.zeroVariance,
  'variance-split': rewards.varianceSplit,
  exposure: rewards.exposure,
  epsilon: replies.epsilon,
  law: replies.law,
  consistency: replies.consistency,
  dispersion: vectors.dispersion,
  vendi: vectors.vendi,
  coverage: vectors.coverage,
  kernel: vectors.kernel,
  scenario: identity.scenario,
  episode: identity.episode,
  order: identity.order,
  'reference-split': identity.referenceSplit,
  merge: identity.merge,
  features: dialogues.features,
  tokens: dialogues.tokens,
};

/**
 * What this package answers to a case: path -> number, text, null or a list of these. An error of the catalogue is
 * an answer too: its code, under `error`.
 */
export function answerOf({ task, input }, library) {
  try {
    return TASKS[task](input, library);
  } catch (error) {
    if (typeof error?.code === 'string' && error.code.startsWith('CA_')) return { error: error.code };
    throw error;
  }
}
