import { explainTrajectory } from '../trajectory/schema.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { rowError } from './drop.ts';
import { parseJson } from './json-text.ts';
import type { Reader } from './reader.ts';
import { nameOf, numberOf, parquetRows, type Raw } from './trainer-rows.ts';
import { PARQUET_COLUMNS } from './write-parquet.ts';

/** The columns that make the record; those after `turns` are for queries. */
const FIELDS: ReadonlySet<string> = new Set(
  PARQUET_COLUMNS.slice(0, PARQUET_COLUMNS.findIndex((field) => field.name === 'turns') + 1).map(
    (field) => field.name,
  ),
);

/** What the Parquet writer wrote, as trajectories again. */
export const parquetNative: Reader = {
  name: 'native-parquet',
  title: 'collapse-aware trajectories (Parquet)',
  checkedOn: 'real files',

  detect(head) {
    const needed = ['schema', 'id', 'context', 'simulator_id', 'turns'];
    return head.container === 'parquet' && needed.every((name) => head.columns.includes(name)) ? 1 : 0;
  },

  async *read(source) {
    // The columns for queries repeat what the turns hold; a table that was edited may lack others.
    const columns = (await source.head()).columns.filter((name) => FIELDS.has(name));
    yield* parquetRows(
      source,
      (raw, line) => {
        const trajectory = trajectoryOf(raw, source.path, line);
        const fault = explainTrajectory(trajectory);
        if (fault !== null) throw rowError(fault);
        return { kind: 'trajectory', trajectory: trajectory as Trajectory };
      },
      columns,
    );
  },
};

function trajectoryOf(raw: Raw, file: string, line: number): unknown {
  const turns = typeof raw.turns === 'string' ? parseJson(raw.turns) : null;
  if (turns === null || !turns.ok) throw rowError('turns: expected JSON');
  // An empty text is a value here, unlike in other tables: it was written as one.
  const text = (name: string) => (typeof raw[name] === 'string' ? raw[name] : nameOf(raw[name]));
  return {
    schema: raw.schema,
    id: text('id'),
    context: text('context'),
    contextFrom: raw.context_from,
    contextLabel: text('context_label'),
    benchmark: text('benchmark'),
    domain: text('domain'),
    scenario: text('scenario'),
    group: text('group'),
    epoch: numberOf(raw.epoch),
    run: text('run'),
    simulator: {
      id: text('simulator_id'),
      kind: raw.simulator_kind,
      person: text('simulator_person'),
      model: text('simulator_model'),
      recipe: text('simulator_recipe'),
      fingerprint: text('simulator_fingerprint'),
    },
    policy: { id: text('policy_id'), checkpoint: text('policy_checkpoint') },
    turns: turns.value,
    reward: numberOf(raw.reward),
    outcome: text('outcome'),
    split: raw.split ?? null,
    termination: text('termination'),
    source: { file, line },
  };
}
