import { simulatorFacts } from '../trajectory/identity.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { parseJson } from './json-text.ts';
import type { Reader, Source } from './reader.ts';
import {
  EpisodeIds,
  firstName,
  jsonRows,
  nameOf,
  numberOf,
  type Raw,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
} from './trainer-rows.ts';
import { exchange } from './trl.ts';

/**
 * verifiers' evaluation output (`results.jsonl` with `metadata.json` beside it): `prompt`, `completion`, `reward`,
 * `example_id` (older: `id`). The simulator is the environment's user side; the metadata names
 * the environment and the model, and the user's model where it is an argument of the environment.
 */
export const verifiers: Reader = {
  name: 'verifiers',
  title: 'verifiers results (JSON lines)',
  checkedOn: 'real files',

  detect(head) {
    const first = firstObject(head);
    if (first === null || !('prompt' in first) || !('completion' in first)) return 0;
    const own = ['example_id', 'generation_ms', 'scoring_ms', 'task', 'info', 'answer'].filter(
      (name) => name in first,
    );
    if (!('reward' in first)) return own.length > 1 ? 0.6 : 0.35;
    return own.length > 0 || head.name.endsWith('results.jsonl') ? 0.95 : 0.6;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    const meta = await metadata(source);
    const environment = nameOf(meta.env_id);
    const model = nameOf(meta.model);
    const run = environment === null && model === null ? null : `${environment ?? '-'}--${model ?? '-'}`;
    const args = rawOf(meta.env_args);
    yield* jsonRows(source, options, (raw, line) => {
      const { all } = exchange(raw.prompt, raw.completion, options);
      if (isEmpty(raw.completion))
        throw rowError(`the completion holds no message${errorOf(raw.error)}`, 'CA_ROW_EMPTY');
      const example = nameOf(raw.example_id) ?? nameOf(raw.id);
      const group = example === null ? null : `${run ?? source.name}/${example}`;
      const info = rawOf(raw.info);
      const userModel = firstName([raw, info, args], SIMULATOR_FIELDS);
      const userSide = userModel ?? (environment === null ? null : `env:${environment}`);
      return {
        id: firstName([raw], ['rollout_id', 'trajectory_id']) ?? ids.of(all, group),
        turns: all,
        benchmark: environment,
        domain: firstName([raw], ['task']) === 'default' ? null : nameOf(raw.task),
        contextLabel: example === null ? null : `example:${example}`,
        group,
        run,
        simulator: simulatorFacts({ id: userSide ?? unknownSimulator(source, options), model: userModel }),
        policy: model === null ? null : { id: model, checkpoint: null },
        reward: numberOf(raw.reward),
        termination: nameOf(raw.stop_condition) ?? (raw.error ? 'error' : null),
        source: { file: source.path, line },
      };
    });
  },
};

/** `X_metadata.json` beside `X_results.jsonl`; without it the rows are read all the same. */
async function metadata(source: Source): Promise<Raw> {
  const name = source.name.replace(/results\.jsonl$/, 'metadata.json');
  if (name === source.name) return {};
  const file = await source.sibling(name);
  if (file === null) {
    source.warn(`${name} is missing: environment, model and simulator are unknown`);
    return {};
  }
  const parsed = parseJson(await file.text());
  if (!parsed.ok) source.warn(`${name} cannot be used (${parsed.reason})`);
  return parsed.ok ? rawOf(parsed.value) : {};
}

const isEmpty = (completion: unknown) =>
  Array.isArray(completion)
    ? completion.length === 0
    : typeof completion === 'string' && completion.trim() === '';

const errorOf = (error: unknown) => {
  const text = typeof error === 'string' ? error : nameOf(rawOf(error).error ?? rawOf(error).message);
  return text === null || text === '' ? '' : ` (error: ${text.slice(0, 120)})`;
};
