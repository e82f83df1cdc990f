import { soundJson } from './json-text.ts';
import { openParquetTable, type TableLayout } from './parquet-table.ts';
import { policyMessages, promptLength } from './policy-messages.ts';
import { SIGNAL_KINDS, signalFields } from './signal-fields.ts';
import type { Writer } from './writer.ts';

const EXTRA = {
  index: 'VARCHAR',
  id: 'VARCHAR',
  split: 'VARCHAR',
  simulator: 'VARCHAR',
  scenario: 'VARCHAR',
  context: 'VARCHAR',
  context_label: 'VARCHAR',
  group: 'VARCHAR',
  epoch: 'DOUBLE',
  run: 'VARCHAR',
  policy: 'VARCHAR',
  checkpoint: 'VARCHAR',
  reward: 'DOUBLE',
  outcome: 'VARCHAR',
  completion: 'VARCHAR',
} as const;

/**
 * verl's data set (what `RLHFDataset` reads): rows are where rollouts start. `prompt` is what came before the policy's
 * first answer; all else is in `extra_info`, which agent loops and reward functions get: the training signals, and the
 * rest of the recorded episode as JSON (`completion`). No ground truth is known, so `reward_model` holds none.
 */
export const verlWriter: Writer = {
  name: 'verl',
  title: 'verl dataset (Parquet)',
  extensions: ['.parquet'],
  open: (path, options) => openParquetTable(path, LAYOUT, options),
};

const LAYOUT: TableLayout = {
  kinds: (signals) => ({
    data_source: 'VARCHAR',
    prompt: { list: { struct: { role: 'VARCHAR', content: 'VARCHAR' } } },
    ability: 'VARCHAR',
    reward_model: { struct: { style: 'VARCHAR', ground_truth: 'VARCHAR' } },
    extra_info: { struct: signals ? { ...EXTRA, ...SIGNAL_KINDS } : EXTRA },
  }),
  record(trajectory, signals) {
    const { id, split, simulator, scenario, context, contextLabel, group, epoch, run, policy } = trajectory;
    const messages = policyMessages(trajectory.turns, 'text');
    const start = promptLength(messages);
    return {
      data_source: trajectory.benchmark ?? 'unknown',
      prompt: messages.slice(0, start).map(({ role, content }) => ({ role, content: content ?? '' })),
      ability: trajectory.domain,
      reward_model: { style: 'rule', ground_truth: null },
      extra_info: {
        // verl only compares it; its rows are not numbered here, since their order means nothing.
        index: id,
        id,
        split,
        simulator: simulator.id,
        scenario,
        context,
        context_label: contextLabel,
        group,
        epoch,
        run,
        policy: policy.id,
        checkpoint: policy.checkpoint,
        reward: trajectory.reward,
        outcome: trajectory.outcome,
        completion: soundJson(messages.slice(start)),
        ...signalFields(signals),
      },
    };
  },
};
