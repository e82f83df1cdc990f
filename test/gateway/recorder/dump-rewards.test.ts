import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writerNamed } from '../../../src/formats/index.ts';
import { rewardsFromDump, rewardsFromRows } from '../../../src/gateway/recorder/dump-rewards.ts';
import type { Recorder } from '../../../src/gateway/recorder/recorder.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { openAt, place, tidy } from './recording.ts';
import { agent, dialogue, exchange, open, said } from './records.ts';

afterAll(tidy);

async function recorded(...sessions: JournalRecord[][]): Promise<Recorder> {
  const recorder = await openAt(place());
  for (const record of sessions.flat()) await recorder.append(record);
  return recorder;
}
/** A session in which the user says these lines. */
const speaking = (session: string, ...lines: string[]): JournalRecord[] => [
  open(session),
  ...lines.map((line, turn) => exchange(session, turn, [agent('go on')], said(line))),
];
function dump(name: string, rows: readonly unknown[]): string {
  const path = join(place(), '..', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}
/** As verl writes a rollout: flat text, ids beside it. */
const verl = (score: number, lines: readonly string[], more: object = {}) => ({
  input: 'system\nYou are an agent.\nuser\n',
  output: lines.map((line) => `assistant\ngo on\nuser\n${line}`).join('\n'),
  score,
  step: 3,
  ...more,
});
const chat = (reward: number | null, lines: readonly string[], more: object = {}) => ({
  messages: lines.flatMap((content) => [
    { role: 'assistant', content: 'go on' },
    { role: 'user', content },
  ]),
  reward,
  ...more,
});
const codes = (receipt: { rejected: readonly { code: string }[] }) =>
  receipt.rejected.map(({ code }) => code);

describe("rewards of a trainer's dump", () => {
  it('are joined by ids that readers leave aside, wherever the row holds them and however rows are ordered', async () => {
    const recorder = await recorded(
      dialogue('a', 1),
      dialogue('b', 1),
      dialogue('c', 1, { names: ['trace-c'] }),
      dialogue('u1/7', 1),
    );
    const rows = [
      verl(0.1, ['x'], { session_id: 'a' }),
      verl(0.2, ['x'], { extra_fields: { session_id: 'b' } }),
      verl(0.3, ['x'], { metadata: { trace_id: 'trace-c' } }),
      verl(0.4, ['x'], { uid: 'u1', session_id: 7 }),
    ];
    const receipt = await rewardsFromDump([dump('3.jsonl', rows.reverse())], null, recorder);
    expect(receipt).toEqual({ accepted: 4, rejected: [] });
    expect(['a', 'b', 'c', 'u1/7'].map((id) => recorder.session(id)!.reward)).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  it('are joined by what the user said where no id is known, if that leaves no doubt', async () => {
    const recorder = await recorded(
      speaking('one', 'first', 'second'),
      speaking('twin-1', 'same'),
      speaking('twin-2', 'same'),
      speaking('odd-1', 'alike'),
      speaking('odd-2', 'alike'),
      speaking('few-1', 'few'),
      speaking('few-2', 'few'),
    );
    const receipt = await rewardsFromRows(
      [
        chat(1, ['first', ' second ']),
        chat(2, ['same']),
        chat(2, ['same']),
        chat(3, ['alike']),
        chat(4, ['alike']),
        chat(5, ['few']),
        chat(6, ['nobody said this']),
        chat(null, ['first', 'second']),
      ],
      null,
      recorder,
    );
    expect(receipt.accepted).toBe(3);
    expect(codes(receipt).sort()).toEqual([
      'reward_ambiguous',
      'reward_ambiguous',
      'reward_ambiguous',
      'reward_missing',
      'session_unknown',
    ]);
    expect(['one', 'twin-1', 'twin-2', 'odd-1', 'few-1'].map((id) => recorder.session(id)!.reward)).toEqual([
      1,
      2,
      2,
      null,
      null,
    ]);
  });

  it('leave a reward that came by id in place where only the content agrees', async () => {
    const recorder = await recorded(speaking('a', 'hi'));
    await recorder.addRewards([{ session: 'a', reward: 9 }]);
    expect(codes(await rewardsFromRows([chat(1, ['hi'])], null, recorder))).toEqual(['session_unknown']);
    expect(recorder.session('a')!.reward).toBe(9);
  });

  it('are refused where rows name one session and differ', async () => {
    const recorder = await recorded(dialogue('u', 1));
    const receipt = await rewardsFromRows(
      [verl(0, ['x'], { uid: 'u' }), verl(1, ['y'], { uid: 'u' })],
      'verl',
      recorder,
    );
    expect(codes(receipt)).toEqual(['reward_ambiguous', 'reward_ambiguous']);
    expect(recorder.session('u')!.reward).toBeNull();
  });

  it('keep rows of one line apart', async () => {
    const recorder = await recorded(dialogue('a', 1), dialogue('b', 1));
    const path = dump('rows.json', [[chat(1, ['x'], { id: 'a' }), chat(2, ['y'], { id: 'b' })]]);
    expect(await rewardsFromDump([path], null, recorder)).toEqual({ accepted: 2, rejected: [] });
    expect(recorder.session('b')!.reward).toBe(2);
  });

  it("come back from the recorder's own export, and from tables", async () => {
    const recorder = await recorded(dialogue('a', 2), dialogue('b', 2));
    for (const format of ['native', 'parquet']) {
      const path = join(place(), '..', format === 'native' ? 'x.jsonl' : 'x.parquet');
      const file = await writerNamed(format).open(path);
      for await (const trajectory of recorder.exportTrajectories())
        await file.write({ ...trajectory, reward: format.length });
      await file.close();
      expect(await rewardsFromDump([path], null, recorder)).toEqual({ accepted: 2, rejected: [] });
      expect(recorder.session('b')!.reward).toBe(format.length);
    }
  });

  it('say what is wrong with files and rows, and go on', async () => {
    const recorder = await recorded(dialogue('a', 1));
    const path = dump('broken.jsonl', [chat(1, ['x'], { id: 'a' }), { messages: [] }]);
    const receipt = await rewardsFromDump([path, join(path, '..', 'missing.jsonl')], null, recorder);
    expect(receipt.accepted).toBe(1);
    expect(codes(receipt).sort()).toEqual(['CA_FILE_NOT_FOUND', 'CA_ROW_EMPTY']);
    expect(codes(await rewardsFromRows(['text', 5], null, recorder))).toEqual(['CA_FORMAT_UNKNOWN']);
  });
});
