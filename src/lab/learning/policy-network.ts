import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';
import { logSoftmaxRows } from './act-distribution.ts';
import { denseBackward, denseForward, denseGradient } from './dense-layer.ts';
import { type LayerSlice, layersOf, type NetworkShape, namedSlices } from './network-shape.ts';
import { noRows, readSparse, type SparseRows, sparseForward, sparseGradient } from './sparse-layer.ts';

/** The last layer starts this much smaller, so that a fresh policy is close to uniform. */
const LOGIT_SCALE = 0.01;

/** Room for one forward and backward pass over up to `rows` rows; made once, used in every pass. */
export interface PassBuffers {
  readonly rows: number;
  /** By hidden layer, rows x width: its values, and the loss's gradient by its sums. */
  readonly hidden: readonly Float64Array[];
  readonly hiddenGradient: readonly Float64Array[];
  /** The observations of the last `forward` without their zeros; null where most were none. */
  readonly sparse: SparseRows;
  isSparse: boolean;
  /** rows x acts: log probabilities, filled by `forward`. */
  readonly logProb: Float64Array;
  /** rows x acts: the loss's gradient by logits, filled by the caller before `backward`. */
  readonly logitGradient: Float64Array;
}

/**
 * A policy pi(act | observation): dense layers with tanh, then a softmax over the acts that the mask allows.
 * Parameters are one flat array (network-shape.ts says where what stands); whoever holds it may change it in place.
 */
export class PolicyNetwork {
  readonly shape: NetworkShape;
  readonly parameters: Float64Array;
  readonly #layers: readonly LayerSlice[];

  /** Throws CA_CONFIG_INVALID where the number of parameters is not the shape's. */
  constructor(shape: NetworkShape, parameters: Float64Array) {
    const { layers, size } = layersOf(shape);
    if (parameters.length !== size)
      throw new CollapseAwareError(
        'CA_CONFIG_INVALID',
        `a policy network of ${size} parameters was given ${parameters.length}`,
      );
    this.shape = { inputs: shape.inputs, hidden: [...shape.hidden], acts: shape.acts };
    this.parameters = parameters;
    this.#layers = layers;
  }

  /** A network of the same numbers that goes its own way. */
  copy(): PolicyNetwork {
    return new PolicyNetwork(this.shape, this.parameters.slice());
  }

  /** The parameters of one piece, by name, as a view: `hidden1.weights`, ..., `logits.biases`. */
  slice(name: string): Float64Array {
    const found = namedSlices(this.shape).find((slice) => slice.name === name);
    if (found === undefined)
      throw new CollapseAwareError('CA_INTERNAL', `a policy network has no parameters "${name}"`);
    return this.parameters.subarray(found.start, found.end);
  }

  buffers(rows: number): PassBuffers {
    const { hidden, acts } = this.shape;
    return {
      rows,
      sparse: noRows(),
      isSparse: false,
      hidden: hidden.map((width) => new Float64Array(rows * width)),
      hiddenGradient: hidden.map((width) => new Float64Array(rows * width)),
      logProb: new Float64Array(rows * acts),
      logitGradient: new Float64Array(rows * acts),
    };
  }

  /**
   * Fills `buffers.logProb` for `rows` rows of `observation` (rows x inputs). `mask` (rows x acts): 0 = not allowed.
   * A row's numbers are the same bits alone as in any batch.
   */
  forward(
    observation: Float64Array,
    rows: number,
    buffers: PassBuffers,
    mask: Uint8Array | null = null,
  ): void {
    let x = observation;
    const last = this.#layers.length - 1;
    const { inputs } = this.shape;
    readSparse(observation, inputs, rows, buffers.sparse);
    buffers.isSparse = 2 * buffers.sparse.start[rows]! < rows * inputs;
    for (let layer = 0; layer < last; layer++) {
      const y = buffers.hidden[layer]!;
      if (layer === 0 && buffers.isSparse)
        sparseForward(this.parameters, this.#layers[layer]!, buffers.sparse, y, rows);
      else denseForward(this.parameters, this.#layers[layer]!, x, y, rows);
      const size = rows * this.#layers[layer]!.outputs;
      // tanh, to 2e-16 of 1 and faster than Math.tanh.
      for (let i = 0; i < size; i++) y[i] = 1 - 2 / (1 + Math.exp(2 * y[i]!));
      x = y;
    }
    denseForward(this.parameters, this.#layers[last]!, x, buffers.logProb, rows);
    logSoftmaxRows(buffers.logProb, rows, this.shape.acts, mask);
  }

  /** Log probabilities of one row, newly made. For loops take `forward`. */
  logProbs(observation: Float64Array, mask: Uint8Array | null = null): Float64Array {
    const buffers = this.buffers(1);
    this.forward(observation, 1, buffers, mask);
    return buffers.logProb;
  }

  /**
   * Adds the loss's gradient by the parameters to `gradient`, from `buffers.logitGradient` (act-distribution.ts adds
   * terms to it) and what `forward` left in the buffers for the same observations. Exact (reverse mode).
   */
  backward(observation: Float64Array, rows: number, buffers: PassBuffers, gradient: Float64Array): void {
    let dy = buffers.logitGradient;
    const last = this.#layers.length - 1;
    for (let layer = last; layer >= 0; layer--) {
      const slice = this.#layers[layer]!;
      const x = layer === 0 ? observation : buffers.hidden[layer - 1]!;
      if (layer === 0 && last > 0 && buffers.isSparse)
        sparseGradient(gradient, slice, x, buffers.sparse, dy, rows);
      else denseGradient(gradient, slice, x, dy, rows);
      if (layer === 0) return;
      const dx = buffers.hiddenGradient[layer - 1]!;
      denseBackward(this.parameters, slice, x, dy, dx, rows);
      dy = dx;
    }
  }
}

/**
 * A fresh policy: weights normal with deviation 1 / sqrt(inputs of the layer) (LeCun et al. 1998, "Efficient
 * BackProp", 4.6), those of the logits 100 times smaller, biases 0.
 */
export function initialise(shape: NetworkShape, random: Random): PolicyNetwork {
  const { layers, size } = layersOf(shape);
  const parameters = new Float64Array(size);
  layers.forEach(({ inputs, weights, biases }, layer) => {
    const scale = (layer === layers.length - 1 ? LOGIT_SCALE : 1) / Math.sqrt(inputs);
    for (let i = weights; i < biases; i++) parameters[i] = scale * random.normal();
  });
  return new PolicyNetwork(shape, parameters);
}
