import { afterAll, describe, expect, it } from 'vitest';
import { ids, openAt, place, tidy, write } from './recording.ts';
import { dialogue } from './records.ts';

afterAll(tidy);

describe('rewards', () => {
  it('are joined by id or by a name of the trainer, end the session, and the last one counts', async () => {
    const recorder = await openAt(place());
    await write(recorder, dialogue('a', 1, { names: ['trace-1'] }).slice(0, -1));
    expect(await recorder.addRewards([{ session: 'trace-1', reward: 1, outcome: 'won' }])).toEqual({
      accepted: 1,
      rejected: [],
    });
    expect(recorder.session('a')).toMatchObject({ state: 'closed', reward: 1, termination: 'rewarded' });
    await recorder.addRewards([{ session: 'a', reward: 0, termination: 'user_stop' }]);
    expect((await recorder.composed('a'))!.trajectory).toMatchObject({
      reward: 0,
      outcome: null,
      termination: 'user_stop',
    });
    await recorder.addRewards([{ session: 'a', reward: 0.25 }]);
    expect(recorder.session('a')).toMatchObject({ reward: 0.25, termination: 'user_stop' });
    expect(recorder.find('trace-1')).toBe('a');
  });

  it('that come before their session wait for it, by its id and by its name, over a restart', async () => {
    const path = place();
    const first = await openAt(path);
    const early = await first.addRewards([
      { session: 'by-id', reward: 1 },
      { session: 'by-name', reward: 2 },
      { session: 'never', reward: 3 },
    ]);
    expect(early.accepted).toBe(0);
    expect(early.rejected.map(({ id, code }) => [id, code])).toEqual([
      ['by-id', 'session_unknown'],
      ['by-name', 'session_unknown'],
      ['never', 'session_unknown'],
    ]);
    await first.close();
    const second = await openAt(path);
    await write(second, [...dialogue('by-id', 1), ...dialogue('x', 1, { names: ['by-name'] })]);
    for (const recorder of [second, null]) {
      if (recorder === null) await second.close();
      const now = recorder ?? (await openAt(path));
      expect(now.session('by-id')!.reward).toBe(1);
      expect(now.session('x')!.reward).toBe(2);
      expect((await now.composed('by-id'))!.trajectory.reward).toBe(1);
      expect((await now.composed('x'))!.trajectory.reward).toBe(2);
      expect(now.status().pendingRewards).toBe(1);
    }
  });

  it('are refused where a name stands for several sessions, or the reward is no number', async () => {
    const recorder = await openAt(place());
    await write(recorder, [...dialogue('a', 1, { names: ['n'] }), ...dialogue('b', 1, { names: ['n'] })]);
    const { accepted, rejected } = await recorder.addRewards([
      { session: 'n', reward: 1 },
      { session: 'a', reward: Number.NaN },
      { session: 'b', reward: null },
    ]);
    expect(accepted).toBe(1);
    expect(rejected.map(({ code }) => code)).toEqual(['name_ambiguous', 'reward_invalid']);
    expect(recorder.session('b')).toMatchObject({ reward: null, rewarded: true });
    expect(recorder.find('n')).toBeNull();
  });
});

describe('foreign episodes', () => {
  it('are kept beside sessions, replace themselves, and never a session', async () => {
    const recorder = await openAt(place());
    await write(recorder, dialogue('own', 1));
    const own = (await recorder.composed('own'))!.trajectory;
    const foreign = { ...own, id: 'foreign', source: { file: 'trainer', line: 3 } };
    expect(await recorder.importEpisodes([foreign, own])).toMatchObject({
      accepted: 1,
      rejected: [{ id: 'own', code: 'session_served' }],
    });
    await recorder.addRewards([{ session: 'foreign', reward: 1 }]);
    await recorder.importEpisodes([{ ...foreign, epoch: 8 }]);
    expect(recorder.session('foreign')).toMatchObject({
      bound: 'record',
      epoch: 8,
      reward: 1,
      turns: 1,
      state: 'closed',
    });
    expect((await recorder.composed('foreign'))!.trajectory).toEqual({ ...foreign, epoch: 8, reward: 1 });
    expect(await ids(recorder)).toEqual(['own', 'foreign']);
    expect(recorder.countsOf('m1').sessions).toBe(1);
  });
});
