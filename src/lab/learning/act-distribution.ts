import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';

/**
 * Rows of A log probabilities in a flat array, the row of interest at `at`. A masked act has -Infinity: probability
 * exactly 0, and no gradient. All logarithms are natural; entropy and divergence are in nats.
 */

/**
 * Log-softmax of `rows` rows of logits, in place. `mask` (rows x acts): 0 = the act is not allowed.
 * Throws CA_INTERNAL where a row allows no act.
 */
export function logSoftmaxRows(
  values: Float64Array,
  rows: number,
  acts: number,
  mask: Uint8Array | null,
): void {
  for (let row = 0, at = 0; row < rows; row++, at += acts) {
    if (mask !== null) {
      let allowed = 0;
      for (let a = 0; a < acts; a++) {
        if (mask[at + a] === 0) values[at + a] = Number.NEGATIVE_INFINITY;
        else allowed += 1;
      }
      if (allowed === 0) throw new CollapseAwareError('CA_INTERNAL', 'a state of a world allows no act');
    }
    let top = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < acts; a++) if (values[at + a]! > top) top = values[at + a]!;
    let sum = 0;
    for (let a = 0; a < acts; a++) sum += Math.exp(values[at + a]! - top);
    const shift = top + Math.log(sum);
    for (let a = 0; a < acts; a++) values[at + a]! -= shift;
  }
}

/** An act drawn by one uniform number; -1 where the probabilities are not numbers (the policy has diverged). */
export function drawAct(logProb: Float64Array, at: number, acts: number, random: Random): number {
  let left = random.next();
  let last = -1;
  for (let a = 0; a < acts; a++) {
    const p = Math.exp(logProb[at + a]!);
    if (p > 0) last = a;
    left -= p;
    if (left < 0) return a;
  }
  // Probabilities that sum to a little under 1 leave the rest to the last possible act.
  return Number.isNaN(left) ? -1 : last;
}

/** H = -sum p log p, in 0 .. log A. */
export function entropyOf(logProb: Float64Array, at: number, acts: number): number {
  let sum = 0;
  for (let a = 0; a < acts; a++) {
    const log = logProb[at + a]!;
    if (log !== Number.NEGATIVE_INFINITY) sum -= Math.exp(log) * log;
  }
  return sum;
}

/** KL(p || q) = sum p (log p - log q) of two rows at the same place, >= 0; Infinity where q lacks an act of p. */
export function divergenceOf(
  logProb: Float64Array,
  reference: Float64Array,
  at: number,
  acts: number,
): number {
  let sum = 0;
  for (let a = 0; a < acts; a++) {
    const log = logProb[at + a]!;
    if (log !== Number.NEGATIVE_INFINITY) sum += Math.exp(log) * (log - reference[at + a]!);
  }
  return sum;
}

/** Adds c d log p(act) / dz_j = c (1[j = act] - p_j) to the gradient by logits. */
export function addLogProbGradient(
  gradient: Float64Array,
  logProb: Float64Array,
  at: number,
  acts: number,
  act: number,
  c: number,
): void {
  for (let a = 0; a < acts; a++) gradient[at + a]! -= c * Math.exp(logProb[at + a]!);
  gradient[at + act]! += c;
}

/** Adds c dH / dz_j = -c p_j (log p_j + H). */
export function addEntropyGradient(
  gradient: Float64Array,
  logProb: Float64Array,
  at: number,
  acts: number,
  c: number,
): void {
  const entropy = entropyOf(logProb, at, acts);
  for (let a = 0; a < acts; a++) {
    const log = logProb[at + a]!;
    if (log !== Number.NEGATIVE_INFINITY) gradient[at + a]! -= c * Math.exp(log) * (log + entropy);
  }
}

/** Adds c dKL(p || q) / dz_j = c p_j (log p_j - log q_j - KL), q held fixed. */
export function addDivergenceGradient(
  gradient: Float64Array,
  logProb: Float64Array,
  reference: Float64Array,
  at: number,
  acts: number,
  c: number,
): void {
  const divergence = divergenceOf(logProb, reference, at, acts);
  for (let a = 0; a < acts; a++) {
    const log = logProb[at + a]!;
    if (log !== Number.NEGATIVE_INFINITY)
      gradient[at + a]! += c * Math.exp(log) * (log - reference[at + a]! - divergence);
  }
}
