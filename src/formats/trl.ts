import { simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { chatTurns } from './chat-message.ts';
import { splitTemplate } from './chat-template.ts';
import { rowError } from './drop.ts';
import type { Reader, ReadOptions } from './reader.ts';
import {
  EpisodeIds,
  firstName,
  isRaw,
  nameOf,
  numberOf,
  parquetRows,
  promptLabel,
  type Raw,
  SIMULATOR_FIELDS,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * TRL's completions table (`<output_dir>/completions/completions_<step>.parquet`, `log_completions=True`): `step`,
 * `prompt`, `completion`, one column per reward function, columns of `log_extra`, `advantage`. Texts
 * are decoded without special tokens; message lists are read too.
 */
export const trl: Reader = {
  name: 'trl',
  title: 'TRL completions (Parquet)',
  checkedOn: 'real files',

  detect(head) {
    const has = (name: string) => head.columns.includes(name);
    if (head.container !== 'parquet' || !has('prompt') || !has('completion')) return 0;
    return has('advantage') && has('step') ? 0.95 : has('step') || has('advantage') ? 0.8 : 0.5;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    yield* parquetRows(source, (raw, line) => {
      const { prompt, all } = exchange(raw.prompt, raw.completion, options);
      const step = wholeOf(raw.step);
      const label = promptLabel(prompt);
      // One prompt's rollouts at one step are what GRPO compares; the table has no other key.
      const group = step === null || label === null ? null : `${step}/${label}`;
      return {
        id: ids.of(all, group, step),
        turns: all,
        contextLabel: label,
        group,
        epoch: step,
        simulator: simulatorFacts({
          id: firstName([raw], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
        }),
        policy: { id: nameOf(raw.model) ?? 'unknown', checkpoint: null },
        reward: tableReward(raw),
        source: { file: source.path, line },
      };
    });
  },
};

/** Turns of the prompt alone and of the whole exchange, from flat texts or message lists. Throws row errors. */
export function exchange(
  prompt: unknown,
  completion: unknown,
  options: ReadOptions,
): { prompt: Turn[]; all: Turn[] } {
  if (prompt === null || prompt === undefined) throw rowError('prompt: missing');
  if (completion === null || completion === undefined) throw rowError('completion: missing');
  if (typeof prompt === 'string' && typeof completion === 'string')
    return {
      prompt: chatTurns(splitTemplate(prompt, ''), options),
      all: chatTurns(splitTemplate(prompt, completion), options),
    };
  const before = typeof prompt === 'string' ? splitTemplate(prompt, '') : prompt;
  const after =
    typeof completion === 'string'
      ? splitTemplate('', completion)
      : isRaw(completion)
        ? [completion]
        : completion;
  if (!Array.isArray(before)) throw rowError('prompt: expected a text or a message list');
  if (!Array.isArray(after)) throw rowError('completion: expected a text or a message list');
  return { prompt: chatTurns(before, options), all: chatTurns([...before, ...after], options) };
}

/**
 * A `reward` column, else the sum of the numeric columns that follow `completion` up to the first of another kind:
 * TRL's own total under its default weights of 1 (`None` of a function that does not apply counts nothing).
 */
function tableReward(raw: Raw): number | null {
  if ('reward' in raw) return numberOf(raw.reward);
  let total: number | null = null;
  const names = Object.keys(raw);
  for (const name of names.slice(names.indexOf('completion') + 1)) {
    const value = raw[name];
    if (name === 'advantage') break;
    if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      continue;
    const number = numberOf(value);
    if (number === null) break;
    total = (total ?? 0) + number;
  }
  return total;
}
