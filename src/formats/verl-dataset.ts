import { simulatorFacts } from '../trajectory/identity.ts';
import { chatTurns } from './chat-message.ts';
import { splitTemplate } from './chat-template.ts';
import { rowError } from './drop.ts';
import type { Reader } from './reader.ts';
import { EpisodeIds, firstName, nameOf, parquetRows, promptLabel, rawOf } from './trainer-rows.ts';

/**
 * verl's dataset Parquet: `prompt` (message list), `data_source`, `reward_model`, `extra_info`. Its rows are where
 * rollouts start, not rollouts: a row with an opening of the user is kept as an episode of that
 * opening (scripted by the dataset, no reward), any other is dropped.
 */
export const verlDataset: Reader = {
  name: 'verl-dataset',
  title: 'verl dataset (Parquet)',
  checkedOn: 'real files',

  detect(head) {
    if (
      head.container !== 'parquet' ||
      !head.columns.includes('prompt') ||
      head.columns.includes('completion')
    )
      return 0;
    return head.columns.includes('reward_model') ? 0.95 : head.columns.includes('data_source') ? 0.8 : 0;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    yield* parquetRows(source, (raw, line) => {
      const { prompt } = raw;
      if (prompt === null || prompt === undefined) throw rowError('prompt: missing');
      const turns = chatTurns(typeof prompt === 'string' ? splitTemplate(prompt, '') : prompt, options);
      if (turns.length === 0) throw rowError('the prompt holds no message', 'CA_ROW_EMPTY');
      if (!turns.some((turn) => turn.role === 'user'))
        throw rowError('a dataset row without a turn of the user', 'CA_ROW_NO_SIMULATOR_TURN');
      const extra = rawOf(raw.extra_info);
      const task = firstName([rawOf(raw.reward_model), extra, raw], ['id', 'task_id']);
      return {
        id: ids.of(turns, task),
        turns,
        contextLabel: promptLabel(turns),
        benchmark: nameOf(raw.data_source),
        domain: firstName([rawOf(raw.reward_model)], ['env_name']),
        simulator: simulatorFacts({
          id: `dataset:${nameOf(raw.data_source) ?? 'unknown'}`,
          kind: 'scripted',
        }),
        termination: 'not started',
        source: { file: source.path, line },
      };
    });
  },
};
