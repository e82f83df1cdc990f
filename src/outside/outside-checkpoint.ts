import { CollapseAwareError } from '../errors.ts';

export const CHECKPOINT_SCHEMA = 'collapse-aware/outside-checkpoint@1';

/** Where the trainer stood: its weights are its own, this is what the loop calls them by. Plain data. */
export interface OutsideCheckpoint {
  readonly schema: typeof CHECKPOINT_SCHEMA;
  /** The epoch under way at the gateway: everything before it was trained on. */
  readonly epoch: number;
  /** As the trainer calls the policy; `checkpoint` null = it does not say. */
  readonly policy: { readonly id: string; readonly checkpoint: string | null };
  /** Of the behaviour space that all rows are placed in. */
  readonly space: string;
}

export function checkpointText(checkpoint: Omit<OutsideCheckpoint, 'schema'>): string {
  const { epoch, policy, space } = checkpoint;
  return `${JSON.stringify({ schema: CHECKPOINT_SCHEMA, epoch, policy, space })}\n`;
}

/** @throws CA_FORMAT_INVALID */
export function readCheckpoint(text: string): OutsideCheckpoint {
  let value: Partial<OutsideCheckpoint> | null = null;
  try {
    value = JSON.parse(text) as Partial<OutsideCheckpoint> | null;
  } catch {
    // Told below.
  }
  if (value?.schema !== CHECKPOINT_SCHEMA || typeof value.epoch !== 'number')
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'not a checkpoint of a trainer behind a gateway', {
      todo: 'Resume the run with the program that began it.',
    });
  return value as OutsideCheckpoint;
}
