import { CollapseAwareError } from '../../../errors.ts';
import type { Random } from '../../../math/random.ts';
import type { Encounter } from '../../world/encounter.ts';
import type { World } from '../../world/world.ts';
import { AMOUNTS, LEAVE } from './acts.ts';
import { PersuasionEncounter } from './encounter.ts';

/** Of the committed calibration. */
export const SEED = 'cuts of persuasion';
/** Dialogues of each kind of people. */
export const EACH = 4000;
/** Horizons with cut points of their own; the first is the one that is compared with P4G. */
export const HORIZONS = [10, 30, 50];

/** A dialogue of people with persuaders that nobody walked out of. */
export interface Met {
  /** Share of people that it stands for: that of its kind, spread over the kind's dialogues, times P(nobody walked out). */
  readonly weight: number;
  /** Log odds of giving at the end, before the cut points. */
  readonly resolve: number;
  /** Acts of the user before the decision. */
  readonly replies: readonly number[];
  /** Turns of the persuader. */
  readonly turns: number;
}

/**
 * `each` dialogues of every kind of people under `world.demonstrate`. Walking out is not drawn but weighed, so that
 * fewer are needed; its share is one minus the sum of the weights.
 */
export function meet(world: World, each: number, random: Random): Met[] {
  const met: Met[] = [];
  const law = new Float64Array(world.userActs.length);
  const policy = new Float64Array(world.agentActs.length);
  world.types.forEach(({ traits, share, id }) => {
    const users = [traits];
    const stream = random.fork(id);
    for (let i = 0; i < each; i++) {
      const encounter = world.begin(world.setting(i, 0), users);
      if (!(encounter instanceof PersuasionEncounter))
        throw new CollapseAwareError('CA_INTERNAL', 'an encounter of another world');
      const replies: number[] = [];
      let weight = share / each;
      for (;;) {
        world.demonstrate(encounter, policy);
        encounter.actAgent(draw(policy, policy.length, 1, stream));
        if (encounter.deciding) break;
        encounter.law(0, law);
        const staying = 1 - law[LEAVE]!;
        weight *= staying;
        const reply = draw(law, LEAVE, staying, stream);
        replies.push(reply);
        encounter.actUser(reply);
      }
      met.push({ weight, resolve: encounter.resolve(0), replies, turns: (encounter as Encounter).turn });
    }
  });
  return met;
}

function draw(law: Float64Array, length: number, total: number, random: Random): number {
  let rest = random.next() * total;
  for (let act = 0; act < length - 1; act++) {
    rest -= law[act]!;
    if (rest < 0) return act;
  }
  return length - 1;
}

/** Shares of the six amounts among people of P4G: those above the last amount count as the last. */
export function amountShares(counts: readonly number[]): number[] {
  const n = counts.reduce((a, b) => a + b, 0);
  const last = AMOUNTS.length - 1;
  return AMOUNTS.map((_, k) => (counts[k]! + (k === last ? counts[last + 1]! : 0)) / n);
}

/**
 * Cut points at which these people give each amount as often as `shares` says, those who walk out being among those
 * who give nothing. P(at least amount k) falls in cut k and depends on no other: bisection, one cut at a time.
 */
export function calibratedCuts(met: readonly Met[], shares: readonly number[]): number[] {
  const cuts: number[] = [];
  let above = 1;
  for (let k = 0; k + 1 < shares.length; k++) {
    above -= shares[k]!;
    let low = -20;
    let high = 20;
    for (let round = 0; round < 60; round++) {
      const middle = (low + high) / 2;
      if (atLeast(met, middle) > above) low = middle;
      else high = middle;
    }
    cuts.push((low + high) / 2);
  }
  return cuts;
}

function atLeast(met: readonly Met[], cut: number): number {
  let sum = 0;
  for (const { weight, resolve } of met) sum += weight / (1 + Math.exp(cut - resolve));
  return sum;
}
