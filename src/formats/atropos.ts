import type { EpisodeDraft } from '../trajectory/compose.ts';
import { hashText, simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { chatTurns, contentText } from './chat-message.ts';
import { splitTemplate } from './chat-template.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import { parseJson } from './json-text.ts';
import type { Reader, ReadOptions, Row, Source } from './reader.ts';
import {
  EpisodeIds,
  firstName,
  jsonRows,
  mapRow,
  nameOf,
  numberOf,
  promptLabel,
  type Raw,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
  wholeOf,
} from './trainer-rows.ts';

/**
 * Atropos: scored groups (`--env.data_path_to_save_groups`: `messages` and `scores` of one prompt's rollouts a line),
 * W&B rollout tables ({columns: [text, score], data}) and per-request records (`prompt_used`,
 * `llm_completion_raw`, `score`). In all of them the user's side is the environment's.
 */
export const atropos: Reader = {
  name: 'atropos',
  title: 'Atropos groups, rollout tables and request records',
  checkedOn: 'real files',

  detect(head) {
    const first = firstObject(head);
    if (first === null) return 0;
    if ('prompt_used' in first && 'llm_completion_raw' in first) return 0.97;
    if (Array.isArray(first.scores) && (Array.isArray(first.messages) || Array.isArray(first.tokens)))
      return 0.95;
    return isTable(first) ? 0.9 : 0;
  },

  async *read(source, options) {
    const context: Context = { source, options, ids: new EpisodeIds() };
    const first = firstObject(await source.head());
    if (first !== null && isTable(first)) yield* tableRows(context);
    else
      yield* jsonRows(source, options, (raw, line) =>
        'scores' in raw ? groupDrafts(context, raw, line) : requestDraft(context, raw, line),
      );
  },
};

interface Context {
  readonly source: Source;
  readonly options: ReadOptions;
  readonly ids: EpisodeIds;
}

const isTable = (first: Raw) =>
  Array.isArray(first.columns) &&
  Array.isArray(first.data) &&
  first.columns.includes('text') &&
  (first.columns.includes('score') || first.columns.includes('scores'));

function requestDraft({ source, options }: Context, raw: Raw, line: number): EpisodeDraft {
  const prompt = contentText(raw.prompt_used);
  const reply = contentText(raw.llm_completion_raw);
  if (prompt === null) throw rowError('prompt_used: missing');
  if (reply === null) throw rowError('llm_completion_raw: missing', 'CA_ROW_EMPTY');
  const turns = chatTurns(splitTemplate(prompt, reply), options);
  return {
    id: nameOf(raw.request_id),
    turns,
    contextLabel: promptLabel(chatTurns(splitTemplate(prompt, ''), options)),
    simulator: simulatorFacts({
      id: firstName([raw, rawOf(raw.metadata)], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
    }),
    reward: numberOf(raw.score),
    source: { file: source.path, line },
  };
}

function groupDrafts({ source, options, ids }: Context, raw: Raw, line: number): EpisodeDraft[] {
  if (!Array.isArray(raw.messages))
    throw rowError('a group without messages (tokens only): save it with include_messages', 'CA_ROW_EMPTY');
  const scores = Array.isArray(raw.scores) ? raw.scores : [];
  const rollouts = raw.messages.map((messages) =>
    chatTurns(typeof messages === 'string' ? splitTemplate('', messages) : messages, options),
  );
  if (rollouts.length === 0) throw rowError('the group holds no rollout', 'CA_ROW_EMPTY');
  const shared = sharedStart(rollouts);
  const label = promptLabel(shared);
  // The file gives groups no name: what is in one names it, whatever its place and order.
  const group = hashText(
    rollouts
      .map((turns) => promptLabel(turns))
      .sort()
      .join('\n'),
  ).slice(0, 16);
  return rollouts.map((turns, i) => ({
    id: ids.of(turns, group),
    turns,
    contextLabel: label,
    group,
    epoch: wholeOf(raw.step),
    simulator: simulatorFacts({
      id: firstName([raw], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
    }),
    reward: scoreOf(scores[i]),
    source: { file: source.path, line },
  }));
}

/** The turns before the policy first speaks: what the rollouts of a group have in common. */
function sharedStart(rollouts: readonly Turn[][]): Turn[] {
  const turns = rollouts[0] ?? [];
  const first = turns.findIndex((turn) => turn.role === 'agent');
  return first === -1 ? turns : turns.slice(0, first);
}

async function* tableRows({ source, options, ids }: Context): AsyncGenerator<Row> {
  const parsed = parseJson(await source.text());
  if (!parsed.ok) {
    yield {
      kind: 'dropped',
      dropped: { file: source.path, line: null, id: null, code: 'CA_JSON_INVALID', reason: parsed.reason },
    };
    return;
  }
  const table = rawOf(parsed.value);
  const columns = (Array.isArray(table.columns) ? table.columns : []).map(String);
  const score = columns.includes('score') ? 'score' : 'scores';
  for (const row of Array.isArray(table.data) ? table.data : [])
    yield* mapRow(source, null, Array.isArray(row) ? { row } : row, ({ row: cells }) => {
      if (!Array.isArray(cells)) throw rowError('a table row is no array');
      const text = cells[columns.indexOf('text')];
      if (typeof text !== 'string') throw rowError('text: expected a string');
      const turns = chatTurns(splitTemplate(text, ''), options);
      const label = promptLabel(sharedStart([turns]));
      const step = wholeOf(cells[columns.indexOf('step')]);
      return {
        id: ids.of(turns, step),
        turns,
        contextLabel: label,
        epoch: step,
        simulator: simulatorFacts({ id: unknownSimulator(source, options) }),
        reward: scoreOf(cells[columns.indexOf(score)]),
        source: { file: source.path, line: null },
      };
    });
}

/** A number, or a list of which the mean is the rollout's score (one entry a step). */
function scoreOf(value: unknown): number | null {
  if (!Array.isArray(value)) return numberOf(value);
  const numbers = value.map(numberOf).filter((number) => number !== null);
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
