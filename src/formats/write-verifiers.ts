import { hashText } from '../trajectory/identity.ts';
import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { policyMessages, promptLength } from './policy-messages.ts';
import { signalFields } from './signal-fields.ts';
import { openJsonLines } from './write-native.ts';
import type { Writer } from './writer.ts';

/**
 * verifiers' rows (`results.jsonl`): `prompt` up to the policy's first answer, `completion` from it on, `reward`, and in
 * `info`, which rollouts and rubrics get, the training signals and whatever names the episode. `answer` is left
 * out, as verifiers does where there is none.
 */
export const verifiersWriter: Writer = {
  name: 'verifiers',
  title: 'verifiers results (JSONL)',
  extensions: ['.jsonl', '.jsonl.gz'],
  open: (path, options) => openJsonLines(path, verifiersRecord, options),
};

function verifiersRecord(trajectory: Trajectory, signals: TrainingSignals | undefined) {
  const { simulator, policy, contextLabel, ...facts } = trajectory;
  const messages = policyMessages(trajectory.turns, 'text');
  const start = promptLength(messages);
  return {
    example_id: exampleOf(facts.context),
    rollout_id: facts.id,
    task: facts.domain ?? 'default',
    prompt: messages.slice(0, start),
    completion: messages.slice(start),
    reward: facts.reward,
    is_completed: true,
    stop_condition: facts.termination,
    info: {
      id: facts.id,
      simulator: simulator.id,
      simulator_model: simulator.model,
      scenario: facts.scenario,
      context: facts.context,
      context_label: contextLabel,
      benchmark: facts.benchmark,
      group: facts.group,
      epoch: facts.epoch,
      run: facts.run,
      policy: policy.id,
      checkpoint: policy.checkpoint,
      outcome: facts.outcome,
      split: facts.split,
      ...signalFields(signals),
    },
  };
}

/** verifiers takes whole numbers: 52 bits of the context's hash, so that no order of rows decides them. */
const exampleOf = (context: string) => Number.parseInt(hashText(context).slice(0, 13), 16);
