import type { Random } from '../../math/random.ts';

/** An act drawn from probabilities that sum to 1; the last possible one where rounding leaves a rest. */
export function drawFrom(law: Float64Array, random: Random): number {
  let left = random.next();
  let last = 0;
  for (let act = 0; act < law.length; act++) {
    const p = law[act]!;
    if (p > 0) last = act;
    left -= p;
    if (left < 0) return act;
  }
  return last;
}

/** law^gamma, normalised, in place: collapse about the mode. */
export function sharpen(law: Float64Array, gamma: number): void {
  if (gamma === 1) return;
  let top = 0;
  for (const p of law) if (p > top) top = p;
  let sum = 0;
  for (let act = 0; act < law.length; act++) {
    // Relative to the mode, so that a large gamma underflows to the mode alone and not to nothing.
    const p = law[act]! > 0 ? (law[act]! / top) ** gamma : 0;
    law[act] = p;
    sum += p;
  }
  for (let act = 0; act < law.length; act++) law[act]! /= sum;
}
