import { describe, expect, it } from 'vitest';
import type { Trajectory } from '../../../src/trajectory/index.ts';
import { labRollouts } from '../../curator/curated-columns.ts';
import { shelf, steering } from './sessions.ts';

const ROWS = labRollouts(2, 1).slice(0, 6);
const [A, B] = ROWS as [Trajectory, Trajectory];

function recording(served: readonly string[] = [], begun: readonly string[] = []) {
  const episodes: Trajectory[] = [];
  const own = steering(shelf([]).source, null, {
    isServed: (id) => served.includes(id),
    append: async (episode) => {
      const { id } = episode;
      if (begun.includes(id))
        return { accepted: 0, rejected: [{ id, code: 'session_served', reason: 'it began' }] };
      episodes.push(episode);
      return { accepted: 1, rejected: [] };
    },
  });
  return { episodes, record: own.record };
}

describe('foreign episodes', () => {
  it('go on record as they are', async () => {
    const { episodes, record } = recording();
    expect(await record(JSON.parse(JSON.stringify(ROWS)))).toEqual({ accepted: 6, rejected: [] });
    expect(episodes).toEqual(ROWS);
  });

  it('are refused one by one, with what is wrong', async () => {
    const { episodes, record } = recording([B.id]);
    const receipt = await record([
      A,
      B,
      null,
      'text',
      { ...A, schema: 'other' },
      { ...A, id: 'empty', turns: [] },
      { ...A, id: 'mute', turns: A.turns.filter(({ role }) => role !== 'user') },
      { ...A, id: 'odd', turns: [{ role: 'robot', text: 'x' }] },
      { ...A, reward: 0.123 },
    ]);
    expect(receipt.accepted).toBe(1);
    expect(episodes).toEqual([A]);
    expect(receipt.rejected.map(({ id, code }) => [id, code])).toEqual([
      [B.id, 'session_served'],
      ['#2', 'CA_ROW_INVALID'],
      ['#3', 'CA_ROW_INVALID'],
      [A.id, 'CA_ROW_INVALID'],
      ['empty', 'CA_ROW_EMPTY'],
      ['mute', 'CA_ROW_NO_SIMULATOR_TURN'],
      ['odd', 'CA_ROW_INVALID'],
      [A.id, 'CA_ROW_INVALID'],
    ]);
    for (const { reason } of receipt.rejected) expect(reason).not.toBe('');
  });

  it('of a session that begins meanwhile are rejected by themselves, and the others are on record', async () => {
    const { episodes, record } = recording([], [A.id]);
    const receipt = await record([A, B, null]);
    expect(receipt.accepted).toBe(1);
    expect(episodes).toEqual([B]);
    expect(receipt.rejected.map(({ id, code }) => [id, code])).toEqual([
      ['#2', 'CA_ROW_INVALID'],
      [A.id, 'session_served'],
    ]);
  });

  it('may be sent again, and get an id and a context where they have none', async () => {
    const { episodes, record } = recording();
    const { id: _, context: __, source: ___, ...bare } = A;
    expect(await record([A, A, bare])).toEqual({ accepted: 2, rejected: [] });
    expect(episodes[1]).toMatchObject({
      context: A.context,
      source: { file: 'POST /api/record', line: null },
    });
    expect(episodes[1]!.id).toMatch(/^[0-9a-f]{32}$/);
  });
});
