import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DriveEvent,
  drive,
  type Performer,
  type RunStore,
  runDirectory,
  runStudy,
} from '../../src/loop/index.ts';
import { performsRuns } from './performing-conformance.ts';
import { ASKS, EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

const base = mkdtempSync(join(tmpdir(), 'ca-drive-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const study = runStudy(exampleSettings(), EXAMPLE_STAGE);
const asks = 1 + 3 * ASKS;
let whole = '';
beforeAll(async () => {
  whole = await driven('whole', examplePerformer());
});

async function driven(
  name: string,
  performer: Performer,
  around: (store: RunStore) => RunStore = (store) => store,
  onEvent?: (event: DriveEvent) => void,
): Promise<string> {
  const store = await runDirectory(join(base, name)).open(study);
  try {
    const end = await drive(
      exampleProgram,
      around(store),
      performer,
      onEvent === undefined ? {} : { onEvent },
    );
    if (end.kind !== 'done') throw new Error('paused');
    return end.summary;
  } finally {
    await store.close();
  }
}

performsRuns(
  'in this process',
  () => mkdtempSync(join(base, 'folder-')),
  (run) => runDirectory(join(base, 'performed', run)),
  async (performer) => ({
    lead: async (run) => {
      const store = await runDirectory(join(base, 'performed', run)).open(null);
      try {
        return await drive(exampleProgram, store, performer);
      } finally {
        await store.close();
      }
    },
    leave: async () => {},
  }),
);

describe('a run that is stopped', () => {
  it('ends as the whole run, wherever it was stopped: before or after an answer was kept', async () => {
    for (let at = 0; at < asks; at++)
      for (const when of ['before', 'after'] as const) {
        const name = `stopped-${at}-${when}`;
        let count = 0;
        const stopping = (store: RunStore): RunStore => ({
          ...store,
          append: async (entry) => {
            const stop = count++ === at;
            if (stop && when === 'before') throw new Error('stopped');
            await store.append(entry);
            if (stop) throw new Error('stopped');
          },
        });
        await expect(driven(name, examplePerformer(), stopping)).rejects.toThrow('stopped');
        const performer = examplePerformer();
        expect(await driven(name, performer)).toBe(whole);
        expect(readFileSync(join(base, name, 'summary.json'), 'utf8')).toBe(whole);
        expect(readFileSync(join(base, name, 'rounds.jsonl'), 'utf8')).toBe(
          readFileSync(join(base, 'whole/rounds.jsonl'), 'utf8'),
        );
        // What was kept is not asked for again; a probe of three members is asked for one by one.
        const kept = when === 'before' ? at : at + 1;
        expect(new Set(performer.asked.map(requestOf)).size).toBe(asks - kept);
      }
  });

  it('ends as the whole run where it was stopped while it performed, kept a checkpoint, a round or the summary', async () => {
    const stops: [string, (store: RunStore) => RunStore, Performer][] = [
      [
        'perform',
        (store) => store,
        examplePerformer({ asked: ({ id }) => id === '2/each/b' && Promise.reject(new Error('stopped')) }),
      ],
      ['keep', (store) => ({ ...store, keep: once('stopped', 2, store.keep) }), examplePerformer()],
      [
        'round',
        (store) => ({ ...store, keepRound: once('stopped', 1, store.keepRound) }),
        examplePerformer(),
      ],
      [
        'summary',
        (store) => ({ ...store, keepSummary: once('stopped', 0, store.keepSummary) }),
        examplePerformer(),
      ],
    ];
    for (const [name, around, performer] of stops) {
      await expect(driven(name, performer, around)).rejects.toThrow('stopped');
      expect(await driven(name, examplePerformer())).toBe(whole);
    }
  });

  it('stops at an aborted signal with what was answered kept', async () => {
    const stop = new AbortController();
    const performer = examplePerformer({ asked: ({ id }) => id === '2/mixture' && stop.abort() });
    const store = await runDirectory(join(base, 'aborted')).open(study);
    await expect(drive(exampleProgram, store, performer, { signal: stop.signal })).rejects.toThrow('abort');
    let entries = 0;
    for await (const _ of store.entries()) entries += 1;
    expect(entries).toBe(1 + ASKS + 1);
    await store.close();
    expect(await driven('aborted', examplePerformer())).toBe(whole);
  });
});

/** Rejects at its call number `at`, and only then. */
function once<A extends unknown[], R>(message: string, at: number, call: (...args: A) => Promise<R>) {
  let count = 0;
  return (...args: A): Promise<R> => (count++ === at ? Promise.reject(new Error(message)) : call(...args));
}

const requestOf = (id: string) => id.split('/').slice(0, 2).join('/');

describe('drive', () => {
  it('keeps an answer before the run sees it', async () => {
    const order: string[] = [];
    const program: typeof exampleProgram = function* (settings) {
      const inner = exampleProgram(settings);
      for (let next = inner.next(); ; ) {
        if (next.done === true) return next.value;
        const answer = yield next.value;
        if (next.value.kind === 'ask') order.push(`sees ${next.value.request.id}`);
        next = inner.next(answer);
      }
    };
    const store = await runDirectory(join(base, 'order')).open(study);
    const append: RunStore['append'] = async (entry) => {
      await store.append(entry);
      order.push(`keeps ${entry.id}`);
    };
    await drive(program, { ...store, append }, examplePerformer());
    await store.close();
    expect(order).toHaveLength(2 * asks);
    for (let at = 0; at < order.length; at += 2)
      expect(order[at + 1]).toBe(order[at]!.replace('keeps', 'sees'));
  });

  it('gives the run what a replay will give it: what JSON holds', async () => {
    const seen: unknown[] = [];
    const program: typeof exampleProgram = function* (settings) {
      const inner = exampleProgram(settings);
      for (let next = inner.next(); ; ) {
        if (next.done === true) return next.value;
        const answer = yield next.value;
        if (answer?.kind === 'train') seen.push(...answer.curve);
        next = inner.next(answer);
      }
    };
    const store = await runDirectory(join(base, 'json')).open(study);
    await drive(program, store, examplePerformer());
    await store.close();
    expect(seen[0]).toEqual({ step: 1, reward: null, zeroVariance: 0, entropy: null });
  });

  it('says what it does: how many answers were there, what is asked and answered, which rounds are over', async () => {
    const first: DriveEvent[] = [];
    await expect(
      driven(
        'told',
        examplePerformer({ asked: ({ id }) => id === '2/train' && Promise.reject(new Error('x')) }),
        undefined,
        (event) => first.push(event),
      ),
    ).rejects.toThrow('x');
    expect(first.map(({ kind }) => kind).slice(0, 4)).toEqual(['ask', 'answer', 'ask', 'answer']);
    const second: DriveEvent[] = [];
    await driven('told', examplePerformer(), undefined, (event) => second.push(event));
    expect(second[0]).toMatchObject({ kind: 'round', replayed: true, record: { round: 1 } });
    expect(second[1]).toEqual({ kind: 'replayed', answers: 1 + ASKS + 2 });
    expect(second[2]).toMatchObject({ kind: 'ask', round: 2, request: { id: '2/train' } });
    expect(second.at(-1)).toMatchObject({ kind: 'round', replayed: false, record: { round: 3 } });
  });

  it('refuses to answer a question that was asked otherwise, and names it', async () => {
    await driven('diverged', examplePerformer());
    rmSync(join(base, 'diverged/summary.json'));
    const store = await runDirectory(join(base, 'diverged')).open(null);
    const other: typeof exampleProgram = (settings) =>
      exampleProgram({ ...settings, probe: { ...settings.probe, contexts: 4 } });
    const performer = examplePerformer();
    await expect(drive(other, store, performer)).rejects.toMatchObject({
      code: 'CA_RUN_DIVERGED',
      message: 'the run asks "1/each" otherwise than when it was answered',
    });
    expect(performer.asked).toEqual([]);
    await store.close();
  });

  it('replaces no summary by another', async () => {
    await driven('ended', examplePerformer());
    const store = await runDirectory(join(base, 'ended')).open(null);
    const other: typeof exampleProgram = function* (settings) {
      yield* exampleProgram(settings);
      return 'another end';
    };
    await expect(drive(other, store, examplePerformer())).rejects.toMatchObject({ code: 'CA_RUN_DIVERGED' });
    await store.close();
    expect(readFileSync(join(base, 'ended/summary.json'), 'utf8')).toBe(whole);
  });
});
