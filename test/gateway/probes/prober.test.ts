import { describe, expect, it } from 'vitest';
import { openProber } from '../../../src/gateway/probes/index.ts';
import { breath, heldVoice, SETTINGS, saidOf, services, texts, visited, voiceThat } from './histories.ts';

describe('a prober', () => {
  it('asks the own member m times at a visited history and records the replies with their probability', async () => {
    const own = services(texts(), { settings: { ...SETTINGS, share: 1, laws: ['member'] } });
    const prober = openProber(own);
    prober.offer(visited('a', 2));
    await prober.idle();
    expect(own.records).toHaveLength(1);
    const [record] = own.records;
    expect(record).toMatchObject({ kind: 'probe', at: 7, session: 'a', turn: 2, probability: 1 });
    expect(record!.resamples.map(({ law, member }) => `${law} ${member}`)).toEqual(
      Array(4).fill('member own'),
    );
    expect(new Set(record!.resamples.map(({ text }) => text)).size).toBe(4);
    expect([record!.promptTokens, record!.completionTokens]).toEqual([40, 20]);
    expect(prober.view()).toEqual({
      asked: 1,
      done: 1,
      failedReplies: 0,
      dropped: {},
      promptTokens: 40,
      completionTokens: 20,
    });
  });

  it('records the same replies whatever the concurrency and the order of answers', async () => {
    const run = async (concurrency: number) => {
      const own = services(texts(), { settings: { ...SETTINGS, concurrency } });
      const prober = openProber(own);
      for (const id of ['a', 'b', 'c']) prober.offer(visited(id));
      await prober.idle();
      return own.records.map(({ session, resamples }) => [session, resamples]).sort();
    };
    expect(await run(7)).toEqual(await run(1));
  });

  it('draws a member anew for each reply of the population law, at the first user turn alone', async () => {
    const opened: string[] = [];
    const standIn = (id: string, weight: number) => ({
      id,
      weight,
      open: (seed: string) => {
        opened.push(seed);
        return texts(id);
      },
    });
    const own = services(texts(), {
      settings: { ...SETTINGS, resamples: 60, laws: ['population'] },
      population: () => [standIn('rare', 1), standIn('often', 3), standIn('never', 0)],
    });
    const prober = openProber(own);
    prober.offer(visited('a', 0));
    prober.offer(visited('a', 1));
    await prober.idle();
    expect(own.records).toHaveLength(1);
    expect(prober.view().asked).toBe(1);
    const members = own.records[0]!.resamples.map(({ member }) => member);
    expect(new Set(members)).toEqual(new Set(['rare', 'often']));
    expect(members.filter((id) => id === 'often').length).toBeGreaterThan(30);
    // A user each: personas are drawn with the member.
    expect(new Set(opened).size).toBe(60);
  });

  it('asks no population where a session was taken up in the middle, or its member was named', async () => {
    const own = services(texts(), { settings: { ...SETTINGS, laws: ['population'] } });
    const other = services(texts(), {
      settings: { ...SETTINGS, laws: ['population'] },
      population: () => [{ id: 'x', weight: 1, open: () => texts() }],
    });
    const [pinned, adopted] = [openProber(own), openProber(other)];
    pinned.offer(visited('a'));
    adopted.offer(
      visited('a', 0, {
        messages: [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'I said this elsewhere' },
          { role: 'user', content: 'And?' },
        ],
      }),
    );
    expect([pinned.view().asked, adopted.view().asked]).toEqual([0, 0]);
  });

  it('keeps what came of a law from two replies on, and drops the rest', async () => {
    const failing = (good: number) => {
      let asked = 0;
      return voiceThat(() => {
        asked += 1;
        if (asked > good) throw new Error('upstream down');
        return saidOf(`reply ${asked}`);
      });
    };
    const two = services(failing(2), { settings: { ...SETTINGS, laws: ['member'] } });
    const one = services(failing(1), { settings: { ...SETTINGS, laws: ['member'] } });
    const [left, right] = [openProber(two), openProber(one)];
    left.offer(visited('a'));
    right.offer(visited('a'));
    await Promise.all([left.idle(), right.idle()]);
    expect(two.records[0]!.resamples).toHaveLength(2);
    expect(left.view()).toMatchObject({ done: 1, failedReplies: 2, dropped: {} });
    expect(one.records).toEqual([]);
    expect(right.view()).toMatchObject({ done: 0, failedReplies: 3, dropped: { failed: 1 } });
  });

  it('starts nothing while clients are many, and goes on when they are fewer', async () => {
    let clients = 4;
    const { open, voice } = heldVoice();
    const own = services(voice, {
      settings: { ...SETTINGS, queue: 2, laws: ['member'] },
      clientsRunning: () => clients,
      later: () => () => {},
    });
    const prober = openProber(own);
    for (const id of ['a', 'b', 'c', 'd']) prober.offer(visited(id));
    expect(open).toHaveLength(0);
    expect(prober.view().dropped).toEqual({ 'clients first': 2 });
    clients = 3;
    prober.wake();
    expect(open).toHaveLength(2);
    clients = 4;
    open[0]!.answer();
    await breath();
    // Replies under way are left to end; the next waits.
    expect(open).toHaveLength(2);
    await prober.close();
  });

  it('looks again by itself', () => {
    let clients = 9;
    let again = () => {};
    const { open, voice } = heldVoice();
    const prober = openProber(
      services(voice, {
        clientsRunning: () => clients,
        later: (run) => {
          again = run;
          return () => {};
        },
      }),
    );
    prober.offer(visited('a'));
    clients = 0;
    again();
    expect(open).toHaveLength(2);
  });

  it('keeps a full queue by lot, not by arrival', async () => {
    const keptOf = async (order: readonly string[]) => {
      const own = services(texts(), {
        settings: { ...SETTINGS, queue: 5, laws: ['member'] },
        clientsRunning: () => (own.drops.length < order.length - 5 ? 9 : 0),
        later: () => () => {},
      });
      const prober = openProber(own);
      for (const id of order) prober.offer(visited(id));
      prober.wake();
      await prober.idle();
      return own.records.map(({ session }) => session).sort();
    };
    const ids = Array.from({ length: 40 }, (_, at) => `session ${at}`);
    const kept = await keptOf(ids);
    expect(kept).toHaveLength(5);
    expect(await keptOf([...ids].reverse())).toEqual(kept);
  });

  it('ends with the budget of the epoch, finishing the history that spends the last of it', async () => {
    const own = services(texts(), {
      settings: { ...SETTINGS, laws: ['member'], budgetTokens: 30, concurrency: 1 },
    });
    const prober = openProber(own);
    for (const id of ['a', 'b', 'c', 'd']) prober.offer(visited(id));
    await prober.idle();
    expect(own.records.map(({ session }) => session)).toEqual(['a', 'b']);
    expect(prober.view().dropped).toEqual({ budget: 2 });
    prober.beginEpoch();
    prober.offer(visited('e'));
    await prober.idle();
    expect(own.records).toHaveLength(3);
  });

  it('spends by the length of the text where the upstream counts no tokens', async () => {
    const silent = voiceThat(() =>
      saidOf('x'.repeat(400), { usage: { promptTokens: null, completionTokens: null } }),
    );
    const own = services(silent, { settings: { ...SETTINGS, laws: ['member'] } });
    const prober = openProber(own);
    prober.offer(visited('a'));
    await prober.idle();
    expect(prober.view()).toMatchObject({ promptTokens: 0, completionTokens: 400 });
  });

  it('ends with the gateway: cancels, records what came, leaves nothing open', async () => {
    const { open, voice } = heldVoice();
    const own = services(voice, { settings: { ...SETTINGS, laws: ['member'], concurrency: 3 } });
    const prober = openProber(own);
    for (const id of ['a', 'b']) prober.offer(visited(id));
    open[0]!.answer();
    open[1]!.answer();
    await breath();
    await prober.close();
    expect(own.records.map(({ session, resamples }) => [session, resamples.length])).toEqual([['a', 2]]);
    expect(own.drops).toEqual([{ reason: 'draining', session: 'b', turn: 0 }]);
    prober.offer(visited('c'));
    expect(prober.view().asked).toBe(2);
  });

  it('asks nobody who rests, and counts the histories of which a law is missing for it', async () => {
    let asked = 0;
    const voice = voiceThat(() => {
      asked += 1;
      return saidOf(`reply ${asked}`);
    });
    const standIn = { id: 'up', weight: 1, open: () => voice };
    const half = services(voice, { serves: () => false, population: () => [standIn] });
    const prober = openProber(half);
    prober.offer(visited('a'));
    prober.offer(visited('a', 1));
    await prober.idle();
    expect(asked).toBe(4);
    expect(
      half.records.map((record) => record.kind === 'probe' && record.resamples.map(({ law }) => law)),
    ).toEqual([Array(4).fill('population')]);
    expect(prober.view()).toMatchObject({ asked: 2, done: 1, failedReplies: 0, dropped: { resting: 2 } });
    expect(half.drops.map(({ reason, turn }) => [reason, turn])).toEqual([
      ['resting', 1],
      ['resting', 0],
    ]);

    const none = services(voice, { population: () => [] });
    const other = openProber(none);
    other.offer(visited('a'));
    await other.idle();
    expect(none.records).toHaveLength(1);
    expect(other.view()).toMatchObject({ done: 1, failedReplies: 0, dropped: { resting: 1 } });
  });

  it('stops asking one that goes to rest in the middle, and keeps what came', async () => {
    let up = true;
    const { open, voice } = heldVoice();
    const own = services(voice, {
      settings: { ...SETTINGS, laws: ['member'], resamples: 6 },
      serves: () => up,
    });
    const prober = openProber(own);
    prober.offer(visited('a'));
    prober.offer(visited('b'));
    up = false;
    for (const one of open) one.answer();
    await prober.idle();
    expect(open).toHaveLength(2);
    expect(own.records).toMatchObject([{ session: 'a', resamples: [{ text: 'said' }, { text: 'said' }] }]);
    expect(prober.view()).toMatchObject({ done: 1, failedReplies: 0, dropped: { resting: 1 } });
  });

  it('survives a journal that refuses, a listener that throws and a member that is gone', async () => {
    const own = services(texts(), {
      settings: { ...SETTINGS, laws: ['member'] },
      append: () => Promise.reject(new Error('disk full')),
      onDropped: () => {
        throw new Error('listener');
      },
    });
    const gone = services(texts(), { voiceOf: () => null });
    const [a, b] = [openProber(own), openProber(gone)];
    a.offer(visited('a'));
    b.offer(visited('a'));
    await Promise.all([a.idle(), b.idle()]);
    expect(a.view().dropped).toEqual({ failed: 1 });
    expect(b.view().dropped).toEqual({ failed: 1 });
  });

  it('probes a turn that is asked for again once, while it is under way', async () => {
    const own = services(texts());
    const prober = openProber(own);
    prober.offer(visited('a'));
    prober.offer(visited('a'));
    await prober.idle();
    expect(own.records).toHaveLength(1);
  });

  it('gives up a history that the session went back behind', async () => {
    const { open, voice } = heldVoice();
    const own = services(voice, { settings: { ...SETTINGS, laws: ['member'] } });
    const prober = openProber(own);
    const other = { messages: [{ role: 'user', content: 'Another way' }] };
    prober.offer(visited('a', 1));
    prober.offer(visited('a', 2));
    prober.offer(visited('b', 2));
    // Turn 1 is said anew: what was asked of it, and of the turn behind it, is another history's.
    prober.offer(visited('a', 1, other));
    expect(own.drops).toEqual([{ reason: 'superseded', session: 'a', turn: 2 }]);
    for (let at = 0; at < 10; at++) {
      for (const one of open) one.answer();
      await breath();
    }
    await prober.idle();
    expect(own.drops[1]).toEqual({ reason: 'superseded', session: 'a', turn: 1 });
    expect(own.records.map(({ session, turn }) => [session, turn])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
    expect(open.at(-1)!.turn.request.messages).toEqual(other.messages);
  });

  it('asks no person again', () => {
    const prober = openProber(services(texts()));
    const { facts, ...rest } = visited('a');
    prober.offer({ ...rest, facts: { ...facts, simulator: { ...facts.simulator, kind: 'human' } } });
    expect(prober.view().asked).toBe(0);
  });

  it('reads a reply that comes as a stream to its end', async () => {
    let ended = 0;
    const own = services({
      person: null,
      reply: async () => ({
        kind: 'stream',
        chunks: (async function* () {
          yield '{}';
          ended += 1;
        })(),
        said: () =>
          saidOf('', {
            text: null,
            toolCalls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
          }),
      }),
    });
    const prober = openProber(own);
    prober.offer(visited('a'));
    await prober.idle();
    expect(ended).toBe(4);
    expect(own.records[0]!.resamples[0]).toEqual({
      law: 'member',
      member: 'own',
      text: '',
      toolCalls: [{ id: 'c', name: 'look', arguments: { at: 1 } }],
    });
  });
});
