import { CollapseAwareError } from '../../errors.ts';

export interface AdamSettings {
  readonly learningRate: number;
  /** Decay of the mean of gradients. */
  readonly beta1: number;
  /** Decay of the mean of their squares. */
  readonly beta2: number;
  /** Added to the root, outside of it. */
  readonly epsilon: number;
}

/** The paper's, section 2. */
export const ADAM: AdamSettings = { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 };

/**
 * Adam (Kingma & Ba 2015, algorithm 1), minimising: m and v are decayed means of the gradient and its square, both
 * corrected for their start at 0; parameter -= rate m / (sqrt(v) + epsilon).
 */
export class Adam {
  readonly settings: AdamSettings;
  /** Steps taken. */
  step: number;
  readonly mean: Float64Array;
  readonly square: Float64Array;
  /** beta^step, multiplied up step by step: a resumed run has the bits of an unbroken one. */
  #power1: number;
  #power2: number;

  /** Of `size` parameters; `state` resumes. Throws CA_CONFIG_INVALID for settings out of range. */
  constructor(
    size: number,
    settings: Partial<AdamSettings> = {},
    state?: { readonly step: number; readonly mean: Float64Array; readonly square: Float64Array },
  ) {
    this.settings = { ...ADAM, ...settings };
    const { learningRate, beta1, beta2, epsilon } = this.settings;
    const decay = (beta: number) => beta >= 0 && beta < 1;
    const positive = (x: number) => x > 0 && Number.isFinite(x);
    if (!positive(learningRate) || !positive(epsilon) || !decay(beta1) || !decay(beta2))
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `Adam cannot run with ${JSON.stringify(this.settings)}`,
        {
          todo: 'Rate and epsilon are above 0, both betas in [0, 1).',
        },
      );
    if (state !== undefined && (state.mean.length !== size || state.square.length !== size))
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `Adam's state is of ${state.mean.length} parameters, not ${size}`,
      );
    this.step = state?.step ?? 0;
    this.mean = state?.mean ?? new Float64Array(size);
    this.square = state?.square ?? new Float64Array(size);
    this.#power1 = 1;
    this.#power2 = 1;
    // Powers that have come to 0 stay there.
    for (let i = 0; i < this.step && this.#power1 + this.#power2 > 0; i++) {
      this.#power1 *= beta1;
      this.#power2 *= beta2;
    }
  }

  /** One step down `gradient` times `scale`, in place. */
  apply(parameters: Float64Array, gradient: Float64Array, scale = 1): void {
    const { learningRate, beta1, beta2, epsilon } = this.settings;
    const { mean, square } = this;
    this.step += 1;
    this.#power1 *= beta1;
    this.#power2 *= beta2;
    const meanScale = 1 / (1 - this.#power1);
    const squareScale = 1 / (1 - this.#power2);
    for (let i = 0; i < parameters.length; i++) {
      const g = scale * gradient[i]!;
      const m = beta1 * mean[i]! + (1 - beta1) * g;
      const v = beta2 * square[i]! + (1 - beta2) * g * g;
      mean[i] = m;
      square[i] = v;
      parameters[i]! -= (learningRate * meanScale * m) / (Math.sqrt(squareScale * v) + epsilon);
    }
  }
}
