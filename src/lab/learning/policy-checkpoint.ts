import { z } from 'zod';
import { CollapseAwareError } from '../../errors.ts';
import { Adam } from './adam.ts';
import { layersOf } from './network-shape.ts';
import { PolicyNetwork } from './policy-network.ts';

const width = z.int().positive();
const CHECKPOINT = z.strictObject({
  shape: z.strictObject({ inputs: width, hidden: z.array(width), acts: width }),
  /** base64 of little-endian Float64. */
  parameters: z.base64(),
  adam: z
    .strictObject({
      settings: z.strictObject({
        learningRate: z.number(),
        beta1: z.number(),
        beta2: z.number(),
        epsilon: z.number(),
      }),
      step: z.int().nonnegative(),
      mean: z.base64(),
      square: z.base64(),
    })
    .nullable(),
});

/** A policy, and the optimiser where training is to go on from it. */
export interface PolicyCheckpoint {
  readonly policy: PolicyNetwork;
  readonly adam: Adam | null;
}

/** One line of JSON: equal states give equal bytes, on any machine, and come back bit by bit. */
export function encodeCheckpoint({ policy, adam }: PolicyCheckpoint): string {
  const { inputs, hidden, acts } = policy.shape;
  return JSON.stringify({
    shape: { inputs, hidden, acts },
    parameters: toBase64(policy.parameters),
    adam:
      adam === null
        ? null
        : {
            settings: {
              learningRate: adam.settings.learningRate,
              beta1: adam.settings.beta1,
              beta2: adam.settings.beta2,
              epsilon: adam.settings.epsilon,
            },
            step: adam.step,
            mean: toBase64(adam.mean),
            square: toBase64(adam.square),
          },
  });
}

/** Throws CA_FORMAT_INVALID where the text is no checkpoint or holds too few or too many numbers. */
export function decodeCheckpoint(text: string): PolicyCheckpoint {
  const parsed = CHECKPOINT.safeParse(json(text));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const { shape, parameters, adam } = parsed.data;
  const { size } = layersOf(shape);
  return {
    policy: new PolicyNetwork(shape, fromBase64(parameters, size)),
    adam:
      adam === null
        ? null
        : new Adam(size, adam.settings, {
            step: adam.step,
            mean: fromBase64(adam.mean, size),
            square: fromBase64(adam.square, size),
          }),
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause));
  }
}

const invalid = (found: string) =>
  new CollapseAwareError('CA_FORMAT_INVALID', `not a checkpoint of a policy: ${found}`, {
    todo: 'Train again, or give a file that encodeCheckpoint wrote.',
  });

function toBase64(values: Float64Array): string {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => {
    bytes.writeDoubleLE(value, 8 * i);
  });
  return bytes.toString('base64');
}

function fromBase64(text: string, size: number): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 8 * size) throw invalid(`${bytes.length} bytes where ${8 * size} were to stand`);
  return Float64Array.from({ length: size }, (_, i) => bytes.readDoubleLE(8 * i));
}
