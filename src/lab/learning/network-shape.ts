import { CollapseAwareError } from '../../errors.ts';

/** Widths of a policy network: observation -> hidden layers (tanh) -> one logit an act. */
export interface NetworkShape {
  /** Width d of an observation. */
  readonly inputs: number;
  /** Widths of the hidden layers, from the input on; none = a linear policy. */
  readonly hidden: readonly number[];
  /** Number A of acts. */
  readonly acts: number;
}

/** Where one layer stands in the flat parameters: weights are row-major `outputs x inputs`, then the biases. */
export interface LayerSlice {
  readonly inputs: number;
  readonly outputs: number;
  readonly weights: number;
  readonly biases: number;
}

/** A named piece of the flat parameters, `[start, end)`. */
export interface NamedSlice {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Layers in order, and the number of parameters. Throws CA_CONFIG_INVALID where a width is no positive integer. */
export function layersOf(shape: NetworkShape): { layers: readonly LayerSlice[]; size: number } {
  const widths = [shape.inputs, ...shape.hidden, shape.acts];
  for (const width of widths) {
    if (!Number.isSafeInteger(width) || width < 1)
      throw new CollapseAwareError('CA_CONFIG_INVALID', `a policy network has a layer of width ${width}`, {
        todo: 'Give whole numbers above 0.',
      });
  }
  let size = 0;
  const layers = widths.slice(1).map((outputs, layer) => {
    const inputs = widths[layer]!;
    const weights = size;
    const biases = weights + inputs * outputs;
    size = biases + outputs;
    return { inputs, outputs, weights, biases };
  });
  return { layers, size };
}

/** Names of the pieces: `hidden1.weights`, `hidden1.biases`, ..., `logits.weights`, `logits.biases`. */
export function namedSlices(shape: NetworkShape): NamedSlice[] {
  const { layers } = layersOf(shape);
  return layers.flatMap(({ outputs, weights, biases }, layer) => {
    const name = layer === layers.length - 1 ? 'logits' : `hidden${layer + 1}`;
    return [
      { name: `${name}.weights`, start: weights, end: biases },
      { name: `${name}.biases`, start: biases, end: biases + outputs },
    ];
  });
}
