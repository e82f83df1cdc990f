import { CollapseAwareError } from '../../errors.ts';

export interface GrpoSettings {
  /** The ratio to the sampling policy is held to [1 - clipLow, 1 + clipHigh]. */
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Weight of the KL penalty to the reference policy. */
  readonly kl: number;
  /** Weight of the entropy bonus. */
  readonly entropy: number;
  /**
   * `sequence`: the mean over episodes of each episode's mean over its steps (GRPO, Shao et al. 2024, eq. 3);
   * `token`: the mean over all steps, so that long episodes weigh more (DAPO, Yu et al. 2025, section 3.3).
   */
  readonly mean: 'sequence' | 'token';
  /** Passes over the batch. */
  readonly epochs: number;
  /** Parts of episodes that a pass is cut into, each with a step of its own. */
  readonly minibatches: number;
  /** A longer gradient is scaled to this Euclidean norm; null = never. */
  readonly gradientClip: number | null;
}

/** One step a batch, clip 0.2 / 0.28, KL 0.005, no entropy bonus: the settings of the study that this project answers. */
export const GRPO: GrpoSettings = {
  clipLow: 0.2,
  clipHigh: 0.28,
  kl: 0.005,
  entropy: 0,
  mean: 'sequence',
  epochs: 1,
  minibatches: 1,
  gradientClip: null,
};

/** The defaults with `given` over them. Throws CA_CONFIG_INVALID for a value out of range. */
export function grpoSettings(given: Partial<GrpoSettings> = {}): GrpoSettings {
  const settings = { ...GRPO, ...given };
  const { clipLow, clipHigh, kl, entropy, mean, epochs, minibatches, gradientClip } = settings;
  const weight = (x: number) => x >= 0 && Number.isFinite(x);
  const count = (n: number) => Number.isSafeInteger(n) && n >= 1;
  const faults = [
    !(clipLow > 0 && clipLow <= 1) && 'clipLow is in (0, 1]',
    !(clipHigh > 0) && 'clipHigh is above 0',
    !weight(kl) && 'kl is 0 or more',
    !weight(entropy) && 'entropy is 0 or more',
    mean !== 'sequence' && mean !== 'token' && 'mean is sequence or token',
    !count(epochs) && 'epochs is a whole number above 0',
    !count(minibatches) && 'minibatches is a whole number above 0',
    !(gradientClip === null || gradientClip > 0) && 'gradientClip is above 0 or null',
  ].filter((fault) => fault !== false);
  if (faults.length > 0)
    throw new CollapseAwareError('CA_CONFIG_INVALID', `GRPO cannot run with ${JSON.stringify(settings)}`, {
      todo: `${faults.join('; ')}.`,
    });
  return settings;
}
