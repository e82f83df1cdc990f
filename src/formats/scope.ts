import { simulatorFacts } from '../trajectory/identity.ts';
import type { Candidate, Turn } from '../trajectory/trajectory.ts';
import { chatTurns, contentText, roleOf } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader } from './reader.ts';
import {
  EpisodeIds,
  firstName,
  firstNumber,
  isRaw,
  jsonRows,
  nameOf,
  numberOf,
  type Raw,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * SCOPE rollouts (`rollout_%06d.jsonl`): `messages`, `reward`, `status`, `turn_count`, `metadata`, `rollout_id`,
 * `timestamp`. What `metadata` holds is up to the run, so its facts are looked for under the usual names.
 */
export const scope: Reader = {
  name: 'scope',
  title: 'SCOPE rollouts (JSON lines)',
  checkedOn: 'schema',

  detect(head) {
    const first = firstObject(head);
    if (first === null || !Array.isArray(first.messages)) return 0;
    const own = ['rollout_id', 'turn_count', 'status', 'metadata', 'timestamp'].filter(
      (name) => name in first,
    );
    return own.length >= 4 ? 0.97 : 'rollout_id' in first && 'turn_count' in first ? 0.9 : 0;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    yield* jsonRows(source, options, (raw, line) => {
      if (Array.isArray(raw.messages) && raw.messages.length === 0)
        throw rowError('the row has no messages', 'CA_ROW_EMPTY');
      const turns = withCandidates(chatTurns(raw.messages, options), raw.messages, options.simulatorRole);
      const meta = rawOf(raw.metadata);
      const facts = episodeFacts(meta, raw);
      const model = firstName([meta, raw], SIMULATOR_FIELDS);
      // A counter names a rollout within its run only, a word by itself.
      const given = raw.rollout_id;
      const id =
        typeof given === 'string' && Number.isNaN(Number(given))
          ? given
          : ids.of(turns, nameOf(given), facts.group, facts.epoch, facts.run);
      return {
        ...facts,
        id,
        turns,
        simulator: simulatorFacts({
          id: model ?? unknownSimulator(source, options),
          person: firstName([meta], ['persona_id', 'persona', 'user_id']),
          recipe: firstName([meta], ['recipe', 'prompt_recipe', 'simulator_prompt', 'method']),
        }),
        reward: numberOf(raw.reward),
        termination: nameOf(raw.status),
        source: { file: source.path, line },
      };
    });
  },
};

/** What a free-form record of metadata may say of an episode. */
export function episodeFacts(...records: readonly Raw[]) {
  const policy = firstName(records, ['policy', 'policy_model', 'agent_model', 'agent_llm', 'model']);
  return {
    benchmark: firstName(records, ['benchmark', 'env_id', 'environment', 'env', 'dataset']),
    domain: firstName(records, ['domain']),
    scenario: firstName(records, [
      'scenario',
      'user_scenario',
      'user_instruction',
      'user_prompt',
      'instruction',
    ]),
    contextLabel: firstName(records, ['task_id', 'scenario_id', 'example_id', 'sample_id', 'context']),
    group: firstName(records, ['group', 'group_id', 'uid']),
    epoch: wholeOf(firstNumber(records, ['step', 'global_step', 'epoch', 'iteration'])),
    run: firstName(records, ['run', 'run_id', 'run_name', 'experiment']),
    policy:
      policy === null
        ? null
        : {
            id: policy,
            checkpoint: firstName(records, ['checkpoint', 'policy_checkpoint', 'policy_version']),
          },
  };
}

/** `candidates` ({text, probability}, or texts alone) of one drawn reply, `[]` where there are none. */
export function candidatesOf(value: unknown, probabilities?: unknown): Candidate[] {
  if (!Array.isArray(value)) return [];
  const beside = Array.isArray(probabilities) ? probabilities : [];
  return value.flatMap((item, i): Candidate[] => {
    if (typeof item === 'string') return [{ text: item, probability: probabilityOf(beside[i]) }];
    const raw = rawOf(item);
    const text = contentText(raw.text ?? raw.response ?? raw.content ?? raw.message);
    if (text === null) return [];
    return [{ text, probability: probabilityOf(raw.probability ?? raw.prob ?? raw.p ?? beside[i]) }];
  });
}

/** Verbalized probabilities are what a model wrote: text is read, what lies outside [0, 1] is not one. */
function probabilityOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : null;
}

/** A turn with the candidates it was drawn from; its probability is that of the candidate of the same text. */
export function drawnTurn(turn: Turn, candidates: readonly Candidate[]): Turn {
  if (candidates.length === 0) return turn;
  const text = turn.text?.trim();
  const probability = candidates.find((candidate) => candidate.text.trim() === text)?.probability ?? null;
  return { ...turn, candidates, ...(probability === null ? {} : { probability }) };
}

function withCandidates(turns: Turn[], messages: unknown, simulatorRole: string | undefined): Turn[] {
  const users = turns.flatMap((turn, i) => (turn.role === 'user' ? [i] : []));
  if (!Array.isArray(messages)) return turns;
  const drawn = messages.filter(
    (message) =>
      isRaw(message) && typeof message.role === 'string' && roleOf(message.role, simulatorRole) === 'user',
  );
  const result = [...turns];
  users.forEach((at, i) => {
    const message = rawOf(drawn[i]);
    result[at] = drawnTurn(turns[at]!, candidatesOf(message.candidates, message.probabilities));
  });
  return result;
}
