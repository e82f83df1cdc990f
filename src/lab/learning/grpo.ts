import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';
import { addEntropyGradient, addLogProbGradient, entropyOf } from './act-distribution.ts';
import type { Adam } from './adam.ts';
import { type GrpoSettings, grpoSettings } from './grpo-settings.ts';
import type { PassBuffers, PolicyNetwork } from './policy-network.ts';
import { checkBatch, episodeSteps, type RolloutBatch } from './rollout-batch.ts';
import { clippedSurrogate, k3, k3Slope } from './surrogate.ts';

/** Means over the minibatches of an update, each taken before its own step. */
export interface GrpoUpdate {
  readonly status: 'updated';
  /** What was minimised: -surrogate + kl weight x kl - entropy weight x entropy. */
  readonly loss: number;
  readonly surrogate: number;
  /** k3 estimate of KL(policy || reference), in nats; null without a reference. */
  readonly kl: number | null;
  /** Of the policy's acts given the observation, in nats. */
  readonly entropy: number;
  /** Share of steps that the clip holds back, in 0 .. 1, every step counting 1. */
  readonly clipShare: number;
  /** Euclidean norm, before it is cut: the largest of the minibatches. */
  readonly gradientNorm: number;
  readonly steps: number;
  readonly episodes: number;
}

/**
 * A loss, gradient or parameter that is no finite number. Unless `reason` says the parameters are not, they are as
 * before the failing step.
 */
export interface GrpoDivergence {
  readonly status: 'diverged';
  readonly reason: string;
  readonly epoch: number;
  readonly minibatch: number;
}

interface Parts {
  surrogate: number;
  kl: number;
  entropy: number;
  clipped: number;
}

/**
 * Group Relative Policy Optimisation (Shao et al. 2024, arXiv 2402.03300, eq. 3) of one network, with DAPO's two
 * clips (Yu et al. 2025, arXiv 2503.14476). Changes the network's parameters and Adam's state in place, and keeps
 * its buffers from update to update. Steps are taken by episode number, so the order in which they are stored
 * changes no bit; numbering the episodes otherwise changes no more than rounding.
 */
export class Grpo {
  readonly policy: PolicyNetwork;
  readonly reference: PolicyNetwork | null;
  readonly adam: Adam;
  readonly settings: GrpoSettings;
  readonly gradient: Float64Array;
  #room: { observation: Float64Array; mask: Uint8Array; step: Int32Array; weight: Float64Array } | null =
    null;
  #buffers: PassBuffers | null = null;
  #referenceBuffers: PassBuffers | null = null;

  /** `reference` null = no KL penalty, whatever its weight. Throws CA_CONFIG_INVALID for settings out of range. */
  constructor(
    policy: PolicyNetwork,
    reference: PolicyNetwork | null,
    adam: Adam,
    settings: Partial<GrpoSettings> = {},
  ) {
    if (
      reference !== null &&
      (reference.shape.inputs !== policy.shape.inputs || reference.shape.acts !== policy.shape.acts)
    )
      throw new CollapseAwareError('CA_CONFIG_INVALID', 'policy and reference see or do different things');
    this.policy = policy;
    this.reference = reference;
    this.adam = adam;
    this.settings = grpoSettings(settings);
    this.gradient = new Float64Array(policy.parameters.length);
  }

  /**
   * One update. `random` deals episodes into minibatches and is drawn from only where there are several.
   * Never throws for numbers that are not finite, whether they come from the network or from the batch: the result
   * says `diverged`. Throws CA_INPUT_EMPTY without a step, CA_INTERNAL where columns do not fit.
   */
  update(batch: RolloutBatch, random: Random): GrpoUpdate | GrpoDivergence {
    checkBatch(batch, this.policy.shape);
    const { epochs, minibatches, gradientClip } = this.settings;
    const { start, step } = episodeSteps(batch);
    const present = Int32Array.from(batch.advantage.keys()).filter((e) => start[e + 1]! > start[e]!);
    if (present.length === 0)
      throw new CollapseAwareError('CA_INPUT_EMPTY', 'a batch of rollouts has no step');
    const parts = Math.min(minibatches, present.length);
    const total = { surrogate: 0, kl: 0, entropy: 0, clipShare: 0, loss: 0, norm: 0 };
    for (let epoch = 0; epoch < epochs; epoch++) {
      if (parts > 1) random.shufflePart(present);
      for (let part = 0; part < parts; part++) {
        const from = Math.floor((part * present.length) / parts);
        const to = Math.floor(((part + 1) * present.length) / parts);
        const rows = this.#gather(batch, present.subarray(from, to), start, step);
        const sums = this.#pass(batch, rows);
        const diverged = (reason: string): GrpoDivergence => ({
          status: 'diverged',
          reason,
          epoch,
          minibatch: part,
        });
        if (typeof sums === 'string') return diverged(sums);
        const loss = -sums.surrogate + this.settings.kl * sums.kl - this.settings.entropy * sums.entropy;
        if (!Number.isFinite(loss)) return diverged(`the loss is ${loss}`);
        const norm = euclidean(this.gradient);
        if (!Number.isFinite(norm)) return diverged(`the gradient's norm is ${norm}`);
        const scale = gradientClip !== null && norm > gradientClip ? gradientClip / norm : 1;
        this.adam.apply(this.policy.parameters, this.gradient, scale);
        if (!Number.isFinite(euclidean(this.policy.parameters)))
          return diverged('the parameters are not finite after the step');
        const share = 1 / (parts * epochs);
        total.loss += share * loss;
        total.surrogate += share * sums.surrogate;
        total.kl += share * sums.kl;
        total.entropy += share * sums.entropy;
        total.clipShare += share * (sums.clipped / rows);
        total.norm = Math.max(total.norm, norm);
      }
    }
    return {
      status: 'updated',
      loss: total.loss,
      surrogate: total.surrogate,
      kl: this.reference === null ? null : total.kl,
      entropy: total.entropy,
      clipShare: total.clipShare,
      gradientNorm: total.norm,
      steps: step.length,
      episodes: present.length,
    };
  }

  /** Copies the steps of `episodes` one after the other, with each step's weight in the mean; returns their number. */
  #gather(batch: RolloutBatch, episodes: Int32Array, start: Int32Array, step: Int32Array): number {
    const { inputs, acts } = this.policy.shape;
    if (this.#room === null || this.#room.step.length < batch.episode.length) {
      const size = batch.episode.length;
      this.#room = {
        observation: new Float64Array(size * inputs),
        mask: new Uint8Array(size * acts),
        step: new Int32Array(size),
        weight: new Float64Array(size),
      };
      this.#buffers = this.policy.buffers(size);
      this.#referenceBuffers = this.reference?.buffers(size) ?? null;
    }
    const room = this.#room;
    let rows = 0;
    for (const e of episodes) rows += start[e + 1]! - start[e]!;
    let row = 0;
    for (const e of episodes) {
      const length = start[e + 1]! - start[e]!;
      const weight = this.settings.mean === 'token' ? 1 / rows : 1 / (episodes.length * length);
      for (let k = start[e]!; k < start[e + 1]!; k++, row++) {
        const at = step[k]!;
        room.step[row] = at;
        room.weight[row] = weight;
        for (let i = 0; i < inputs; i++)
          room.observation[row * inputs + i] = batch.observation[at * inputs + i]!;
        if (batch.mask !== null)
          for (let a = 0; a < acts; a++) room.mask[row * acts + a] = batch.mask[at * acts + a]!;
      }
    }
    return rows;
  }

  /** Fills `gradient` with that of the loss over the gathered rows; weighted sums of its parts, or why there are none. */
  #pass(batch: RolloutBatch, rows: number): Parts | string {
    const { policy, reference, gradient } = this;
    const { clipLow, clipHigh, kl: klWeight, entropy: entropyWeight } = this.settings;
    const acts = policy.shape.acts;
    const room = this.#room!;
    const buffers = this.#buffers!;
    const mask = batch.mask === null ? null : room.mask;
    policy.forward(room.observation, rows, buffers, mask);
    if (reference !== null) reference.forward(room.observation, rows, this.#referenceBuffers!, mask);
    const parts: Parts = { surrogate: 0, kl: 0, entropy: 0, clipped: 0 };
    const term = { value: 0, slope: 0, clipped: false };
    const { logProb, logitGradient } = buffers;
    logitGradient.fill(0, 0, rows * acts);
    for (let row = 0, at = 0; row < rows; row++, at += acts) {
      const step = room.step[row]!;
      const act = batch.act[step]!;
      const own = logProb[at + act]!;
      const advantage = batch.advantage[batch.episode[step]!]!;
      // A clipped term is finite even where its ratio is not: look at what it is made of.
      const ratio = Math.exp(own - batch.logProb[step]!);
      if (!Number.isFinite(ratio) || !Number.isFinite(own))
        return `the policy's log probability of a drawn act is ${own}, it was ${batch.logProb[step]} when drawn`;
      if (!Number.isFinite(advantage)) return `an episode's advantage is ${advantage}`;
      const weight = room.weight[row]!;
      clippedSurrogate(own, batch.logProb[step]!, advantage, clipLow, clipHigh, term);
      parts.surrogate += weight * term.value;
      if (term.clipped) parts.clipped += 1;
      let slope = -term.slope;
      if (reference !== null) {
        const other = this.#referenceBuffers!.logProb[at + act]!;
        parts.kl += weight * k3(own, other);
        slope += klWeight * k3Slope(own, other);
      }
      addLogProbGradient(logitGradient, logProb, at, acts, act, weight * slope);
      parts.entropy += weight * entropyOf(logProb, at, acts);
      if (entropyWeight > 0) addEntropyGradient(logitGradient, logProb, at, acts, -weight * entropyWeight);
    }
    gradient.fill(0);
    policy.backward(room.observation, rows, buffers, gradient);
    return parts;
  }
}

/** NaN or Infinity where an entry is, or where the squares are too large for a number. */
function euclidean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  return Math.sqrt(sum);
}
