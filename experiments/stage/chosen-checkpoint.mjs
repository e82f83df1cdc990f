import { CollapseAwareError } from '../../dist/errors.js';

/**
 * The checkpoint with the highest mean reward with the selection panel: the mean within a context first, then over
 * contexts; the earlier one where two are equal. Sessions without a reward are no zeros.
 * @param sessions native records; those of other splits are passed over
 * @throws CA_INPUT_EMPTY where no selection session has a reward and a checkpoint
 */
export function chosenCheckpoint(sessions) {
  const checkpoints = new Map();
  for (const { split, reward, context, policy } of sessions) {
    if (split !== 'selection' || reward === null || policy.checkpoint === null) continue;
    if (!checkpoints.has(policy.checkpoint)) checkpoints.set(policy.checkpoint, new Map());
    const contexts = checkpoints.get(policy.checkpoint);
    contexts.set(context, [...(contexts.get(context) ?? []), reward]);
  }
  if (checkpoints.size === 0)
    throw new CollapseAwareError(
      'CA_INPUT_EMPTY',
      'no session with the selection panel has a reward and a checkpoint',
      {
        todo: 'let the trainer play the selection panel, and name its checkpoint (x-ca-checkpoint)',
      },
    );
  const scores = [...checkpoints]
    .map(([name, contexts]) => ({
      name,
      mean: average([...contexts.values()].map(average)),
      contexts: contexts.size,
    }))
    .sort((a, b) => stepOf(a.name) - stepOf(b.name) || (a.name < b.name ? -1 : 1));
  const best = scores.reduce((one, other) => (other.mean > one.mean ? other : one));
  return { checkpoint: best.name, scores };
}

/** `step-48` -> 48; names without a number come first. */
const stepOf = (name) => Number(/(\d+)$/.exec(name)?.[1] ?? -1);

const average = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
