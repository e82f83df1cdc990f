import type { TrainingSignals } from '../trajectory/training-signals.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { soundJson } from './json-text.ts';
import { openParquetTable, type TableLayout } from './parquet-table.ts';
import { policyMessages, promptLength } from './policy-messages.ts';
import { SIGNAL_KINDS, signalFields } from './signal-fields.ts';
import { openJsonLines } from './write-native.ts';
import type { Writer } from './writer.ts';

/**
 * TRL's conversational language-modelling data: `messages`, the whole episode as the policy had it, with calls'
 * arguments as values, which is what chat templates take. `prompt_messages` says how many of them come before the
 * policy's first answer, for trainers that want prompts. Parquet keeps the type of every column whatever the first rows
 * hold, which JSON lines cannot.
 */
export const trlWriter: Writer = {
  name: 'trl',
  title: 'TRL conversational dataset',
  extensions: ['.parquet', '.jsonl', '.jsonl.gz'],
  open: (path, options) =>
    /\.jsonl?(\.gz)?$/i.test(path)
      ? openJsonLines(path, trlRecord, options)
      : openParquetTable(path, LAYOUT, options),
};

function trlRecord(trajectory: Trajectory, signals: TrainingSignals | undefined) {
  const { id, reward, simulator, group, context, scenario } = trajectory;
  const messages = policyMessages(trajectory.turns, 'value');
  return {
    id,
    messages,
    prompt_messages: promptLength(messages),
    reward,
    simulator: simulator.id,
    group,
    context,
    scenario,
    ...signalFields(signals),
  };
}

/** A message is a JSON text of its own: the `datasets` library hands it out with the fields it was written with. */
const KINDS = {
  id: 'VARCHAR',
  messages: { list: 'JSON' },
  prompt_messages: 'INTEGER',
  reward: 'DOUBLE',
  simulator: 'VARCHAR',
  group: 'VARCHAR',
  context: 'VARCHAR',
  scenario: 'VARCHAR',
} as const;

const LAYOUT: TableLayout = {
  kinds: (signals) => (signals ? { ...KINDS, ...SIGNAL_KINDS } : KINDS),
  record(trajectory, signals) {
    const record = trlRecord(trajectory, signals);
    return { ...record, messages: record.messages.map(soundJson) };
  },
};
