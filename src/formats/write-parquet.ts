import type { Trajectory } from '../trajectory/trajectory.ts';
import { openParquetTable, type TableLayout } from './parquet-table.ts';
import { SIGNAL_KINDS, signalFields } from './signal-fields.ts';
import type { Writer } from './writer.ts';

interface Column {
  readonly name: string;
  readonly kind: 'VARCHAR' | 'DOUBLE' | 'INTEGER';
  of(trajectory: Trajectory): string | number | null;
}

const column = (name: string, kind: Column['kind'], of: Column['of']): Column => ({ name, kind, of });
const count = (trajectory: Trajectory, role: string) =>
  trajectory.turns.filter((turn) => turn.role === role).length;
const userTexts = (trajectory: Trajectory) =>
  trajectory.turns.flatMap((turn) => (turn.role === 'user' && turn.text !== null ? [turn.text] : []));

/** One row an episode. `turns` holds the turns as JSON; the last five columns repeat what queries ask for most. */
export const PARQUET_COLUMNS: readonly Column[] = [
  column('schema', 'VARCHAR', (t) => t.schema),
  column('id', 'VARCHAR', (t) => t.id),
  column('context', 'VARCHAR', (t) => t.context),
  column('context_from', 'VARCHAR', (t) => t.contextFrom),
  column('context_label', 'VARCHAR', (t) => t.contextLabel),
  column('benchmark', 'VARCHAR', (t) => t.benchmark),
  column('domain', 'VARCHAR', (t) => t.domain),
  column('scenario', 'VARCHAR', (t) => t.scenario),
  column('group', 'VARCHAR', (t) => t.group),
  column('epoch', 'DOUBLE', (t) => t.epoch),
  column('run', 'VARCHAR', (t) => t.run),
  column('simulator_id', 'VARCHAR', (t) => t.simulator.id),
  column('simulator_kind', 'VARCHAR', (t) => t.simulator.kind),
  column('simulator_person', 'VARCHAR', (t) => t.simulator.person),
  column('simulator_model', 'VARCHAR', (t) => t.simulator.model),
  column('simulator_recipe', 'VARCHAR', (t) => t.simulator.recipe),
  column('simulator_fingerprint', 'VARCHAR', (t) => t.simulator.fingerprint),
  column('policy_id', 'VARCHAR', (t) => t.policy.id),
  column('policy_checkpoint', 'VARCHAR', (t) => t.policy.checkpoint),
  column('reward', 'DOUBLE', (t) => t.reward),
  column('outcome', 'VARCHAR', (t) => t.outcome),
  column('split', 'VARCHAR', (t) => t.split),
  column('termination', 'VARCHAR', (t) => t.termination),
  column('source_file', 'VARCHAR', (t) => t.source.file),
  column('source_line', 'INTEGER', (t) => t.source.line),
  column('turns', 'VARCHAR', (t) => JSON.stringify(t.turns)),
  column('turn_count', 'INTEGER', (t) => t.turns.length),
  column('user_turn_count', 'INTEGER', (t) => count(t, 'user')),
  column('agent_turn_count', 'INTEGER', (t) => count(t, 'agent')),
  column('first_user_text', 'VARCHAR', (t) => userTexts(t)[0] ?? null),
  column('user_text', 'VARCHAR', (t) => userTexts(t).join('\n') || null),
];

const KINDS = Object.fromEntries(PARQUET_COLUMNS.map(({ name, kind }) => [name, kind]));

/** Beside the signals, `simulator` repeats `simulator_id` under the name that trainers' tables give it. */
const LAYOUT: TableLayout = {
  kinds: (signals) => (signals ? { ...KINDS, ...SIGNAL_KINDS, simulator: 'VARCHAR' } : KINDS),
  record: (trajectory, signals) => ({
    ...Object.fromEntries(PARQUET_COLUMNS.map(({ name, of }) => [name, of(trajectory)])),
    ...signalFields(signals),
    simulator: trajectory.simulator.id,
  }),
};

/** Parquet, a row an episode. Errors: CA_DEPENDENCY_MISSING, CA_FILE_UNWRITABLE. */
export const parquetWriter: Writer = {
  name: 'parquet',
  title: 'Parquet (one row an episode)',
  extensions: ['.parquet'],
  open: (path, options) => openParquetTable(path, LAYOUT, options),
};
