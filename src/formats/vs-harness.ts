import { contentHash, simulatorFacts } from '../trajectory/identity.ts';
import type { Turn } from '../trajectory/trajectory.ts';
import { chatTurns, contentText, kindOf } from './chat-message.ts';
import { rowError } from './drop.ts';
import { firstObject } from './head.ts';
import type { Reader, ReadOptions, Row, Source } from './reader.ts';
import { candidatesOf, drawnTurn, episodeFacts } from './scope.ts';
import {
  EpisodeIds,
  firstName,
  jsonRows,
  mapRow,
  numberOf,
  type Raw,
  rawOf,
  SIMULATOR_FIELDS,
  unknownSimulator,
} from './trainer-rows.ts';

const EPISODE = ['rollout_id', 'conversation_id', 'session_id', 'dialogue_id', 'episode_id'];
const TURN = ['turn', 'turn_index', 'turn_id', 'turn_number', 'step'];
const HISTORY = ['messages', 'history', 'conversation', 'context_messages', 'prompt'];

interface Drawn {
  readonly raw: Raw;
  readonly line: number;
  readonly turn: number;
}

/**
 * Verbalized-Sampling harness rows: one drawn reply of the simulator each, with `candidates` (text, probability)
 * and `chosen_text`, after a history where it is given. Rows of one conversation (id and turn number)
 * become one episode; a row without them is an episode of its own.
 */
export const vsHarness: Reader = {
  name: 'vs-harness',
  title: 'Verbalized-Sampling harness rows (JSON lines)',
  checkedOn: 'schema',

  detect(head) {
    const first = firstObject(head);
    return first !== null && Array.isArray(first.candidates) && 'chosen_text' in first ? 0.97 : 0;
  },

  async *read(source, options) {
    const ids = new EpisodeIds();
    const conversations = new Map<string, Drawn[]>();
    yield* jsonRows(source, options, (raw, line) => {
      const id = firstName([raw, rawOf(raw.metadata)], EPISODE);
      const turn = TURN.map((name) => numberOf(raw[name])).find((number) => number !== null);
      if (id === null || turn === undefined)
        return draft([{ raw, line, turn: 0 }], null, ids, source, options);
      // A fault must cost its own row: check now what can be checked alone.
      chosenTurn(raw);
      const rows = conversations.get(id);
      if (rows === undefined) conversations.set(id, [{ raw, line, turn }]);
      else rows.push({ raw, line, turn });
      return null;
    });
    for (const [id, rows] of conversations) yield* episode(id, rows, ids, source, options);
  },
};

function episode(id: string, rows: Drawn[], ids: EpisodeIds, source: Source, options: ReadOptions): Row[] {
  rows.sort((a, b) => a.turn - b.turn || a.line - b.line);
  return mapRow(source, rows[0]!.line, {}, () => draft(rows, id, ids, source, options));
}

function draft(
  rows: readonly Drawn[],
  id: string | null,
  ids: EpisodeIds,
  source: Source,
  options: ReadOptions,
) {
  const last = rows.at(-1)!;
  const meta = rawOf(last.raw.metadata);
  const facts = episodeFacts(last.raw, meta);
  const turns = assemble(rows, options);
  return {
    ...facts,
    id:
      id === null
        ? ids.of(turns, facts.group, facts.epoch)
        : `${id}/${contentHash(turns, null).slice(0, 16)}`,
    turns,
    simulator: simulatorFacts({
      id: firstName([last.raw, meta], SIMULATOR_FIELDS) ?? unknownSimulator(source, options),
      recipe: 'verbalized sampling',
    }),
    reward: numberOf(last.raw.reward),
    source: { file: source.path, line: rows[0]!.line },
  };
}

/** The longest history with each drawn reply put where its text stands, and the last reply at the end. */
function assemble(rows: readonly Drawn[], options: ReadOptions): Turn[] {
  const histories = rows.map(({ raw }) => history(raw, options));
  const longest = histories.at(-1)!;
  if (longest.length === 0) return rows.map(({ raw }) => chosenTurn(raw));
  const turns = [...longest];
  let from = 0;
  for (const { raw } of rows.slice(0, -1)) {
    const drawn = chosenTurn(raw);
    const at = turns.findIndex(
      (turn, i) => i >= from && turn.role === 'user' && turn.text?.trim() === drawn.text?.trim(),
    );
    if (at === -1) continue;
    turns[at] = drawn;
    from = at + 1;
  }
  const end = chosenTurn(rows.at(-1)!.raw);
  const closing = turns.at(-1);
  // Some histories already end with the reply that was drawn.
  if (closing?.role === 'user' && closing.text?.trim() === end.text?.trim()) turns[turns.length - 1] = end;
  else turns.push(end);
  return turns;
}

function history(raw: Raw, options: ReadOptions): Turn[] {
  for (const name of HISTORY) {
    const value = raw[name];
    if (Array.isArray(value)) return chatTurns(value, options);
  }
  return [];
}

function chosenTurn(raw: Raw): Turn {
  const text = contentText(raw.chosen_text);
  if (typeof raw.chosen_text !== 'string' || text === null)
    throw rowError(`chosen_text: expected a string, found ${kindOf(raw.chosen_text)}`);
  if (!Array.isArray(raw.candidates)) throw rowError('candidates: expected an array');
  const turn = drawnTurn({ role: 'user', text }, candidatesOf(raw.candidates, raw.probabilities));
  const given = numberOf(raw.chosen_probability) ?? numberOf(rawOf(raw.chosen).probability);
  return turn.probability === undefined && given !== null && given >= 0 && given <= 1
    ? { ...turn, probability: given }
    : turn;
}
