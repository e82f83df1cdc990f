import { describe, expect, it } from 'vitest';
import {
  drive,
  fork,
  type LoopAnswer,
  type RoundRecord,
  type RunEntry,
  type RunPlace,
  type RunStore,
  type RunStudy,
  runStudy,
} from '../../src/loop/index.ts';
import { requestHash } from '../../src/loop/run-store.ts';
import { hashText } from '../../src/trajectory/identity.ts';
import { ASKS, EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

const study = runStudy(exampleSettings(), EXAMPLE_STAGE);

const entry = (at: number, text = ''): RunEntry => ({
  round: at,
  id: `ask ${at}`,
  request: requestHash({ kind: 'open', id: 'open' }),
  answer: { kind: 'gate', acknowledged: true, text } as LoopAnswer,
});

const record = (round: number, note = '') => ({ round, note }) as unknown as RoundRecord;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** What every place of a run must do. @param place a fresh one, by name: two of one name are one run */
export function holdsRuns(kind: string, place: (name: string) => RunPlace): void {
  const open = async <T>(
    name: string,
    use: (store: RunStore) => Promise<T>,
    asked: RunStudy | null = study,
  ): Promise<T> => {
    const store = await place(name).open(asked);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };

  describe(`a run ${kind}`, () => {
    it('has its entries in their order and as they were, for whoever opens it next and for who only looks', async () => {
      const texts = ['', 'plain', '\u2028 \u0000 \\ " é \ud83d\ude00', '\ud800 half', 'x'.repeat(1_000_000)];
      await open('order', async (store) => {
        for (const [at, text] of texts.entries()) await store.append(entry(at, text));
        expect(await all(store.entries())).toEqual(texts.map((text, at) => entry(at, text)));
      });
      await open('order', async (store) => {
        await store.append(entry(texts.length));
        const view = await place('order').view();
        expect(await all(view.entries())).toHaveLength(texts.length + 1);
        expect(view.study).toEqual(study);
        await view.close();
      });
      await open('order', async (store) => expect(await all(store.entries())).toHaveLength(6), null);
    });

    it('keeps a checkpoint under the hash of its content, once', async () => {
      const text = 'weights \u2028 é \ud83d\ude00'.repeat(1000);
      await open('checkpoints', async (store) => {
        expect(await store.keep(text)).toBe(hashText(text));
        expect(await store.keep(text)).toBe(hashText(text));
        expect(await store.read(hashText(text))).toBe(text);
      });
      const view = await place('checkpoints').view();
      expect(await view.read(hashText(text))).toBe(text);
      await expect(view.read(hashText('other'))).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
      for (const name of ['', '../run.json', `${hashText(text)}/..`, "' or true --", 'A'.repeat(32)])
        await expect(view.read(name)).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID' });
      await view.close();
    });

    it('keeps rounds in their order; one that is told again changes nothing', async () => {
      await open('rounds', async (store) => {
        await store.keepRound(record(1, 'first'));
        await store.keepRound(record(2));
      });
      await open('rounds', async (store) => {
        await store.keepRound(record(1, 'first'));
        expect(await store.rounds()).toEqual([record(1, 'first'), record(2)]);
        await store.keepRound(record(2));
        await store.keepRound(record(3));
      });
      const view = await place('rounds').view();
      expect(await view.rounds()).toEqual([record(1, 'first'), record(2), record(3)]);
      await view.close();
    });

    it('has one summary', async () => {
      await open('summary', async (store) => {
        expect(await store.summary()).toBeNull();
        await store.keepSummary('{"é": 1}\n');
        await store.keepSummary('{"é": 1}\n');
        await expect(store.keepSummary('{}\n')).rejects.toMatchObject({ code: 'CA_RUN_DIVERGED' });
        expect(await store.summary()).toBe('{"é": 1}\n');
      });
    });

    it('is no other run: the first difference is named', async () => {
      await open('study', async () => {});
      const other = runStudy({ ...exampleSettings(), steps: 9 }, EXAMPLE_STAGE);
      await expect(place('study').open(other)).rejects.toMatchObject({
        code: 'CA_CONFIG_INVALID',
        message: expect.stringContaining('settings.steps is 4 there, 9 here'),
      });
      const elsewhere = runStudy(exampleSettings(), { kind: 'other' });
      await expect(place('study').open(elsewhere)).rejects.toMatchObject({
        message: expect.stringContaining('stage.kind is "example" there, "other" here'),
      });
      // The order of keys makes no other run.
      const { seed, ...rest } = exampleSettings();
      await open('study', async () => {}, runStudy({ ...rest, seed }, EXAMPLE_STAGE));
    });

    it('is there only once it was begun', async () => {
      await expect(place('none').view()).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
      await expect(place('none').open(null)).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
      await expect(place('none').askPause()).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
      await expect(place('none').allow()).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
    });

    it('is held by one at a time, and says by whom', async () => {
      await open('held', async () => {
        await expect(place('held').open(study)).rejects.toMatchObject({
          code: 'CA_STORE_LOCKED',
          message: expect.stringContaining(`process ${process.pid}`),
        });
        const view = await place('held').view();
        expect(await view.holder()).toContain(`process ${process.pid}`);
        await view.close();
      });
      const view = await place('held').view();
      expect(await view.holder()).toBeNull();
      await view.close();
      await open('held', async () => {});
    });

    it('can be asked to pause, by anybody at any time', async () => {
      await open('pause', async (store) => {
        expect(await store.control()).toEqual({ pause: null });
        await place('pause').askPause();
        expect((await store.control()).pause?.by).toContain(`process ${process.pid}`);
      });
      await place('pause').askPause();
      await place('pause').allow();
      await place('pause').allow();
      await open('pause', async (store) => expect(await store.control()).toEqual({ pause: null }));
    });

    it('is led to the same end in one go and in pieces', async () => {
      const whole = await open('whole', (store) => drive(exampleProgram, store, examplePerformer()));
      for (const stop of ['1/each/b', '1/train', '3/gate'])
        await expect(
          open('pieces', (store) =>
            drive(
              exampleProgram,
              store,
              examplePerformer({ asked: ({ id }) => id === stop && Promise.reject(new Error('stopped')) }),
            ),
          ),
        ).rejects.toThrow('stopped');
      const performer = examplePerformer();
      expect(await open('pieces', (store) => drive(exampleProgram, store, performer))).toEqual(whole);
      expect(performer.asked).toEqual(['3/gate']);
    });

    it('can be forked: the rounds before are those of the other run, and those behind go by other settings', async () => {
      await open('trunk', (store) => drive(exampleProgram, store, examplePerformer()));
      const forked = await fork(exampleProgram, place('trunk'), place('branch'), 2, { steps: 9 });
      expect(forked.settings).toEqual({ ...exampleSettings(), steps: 9 });
      expect(forked.forkedFrom).toMatchObject({ study: study.hash, round: 2 });
      const performer = examplePerformer();
      const end = await open('branch', (store) => drive(exampleProgram, store, performer), null);
      expect(performer.asked.every((id) => id.startsWith('3/'))).toBe(true);
      const rounds = (text: string) => (JSON.parse(text) as { rounds: { steps: number }[] }).rounds;
      const trunk = rounds((await open('trunk', (store) => store.summary(), null))!);
      const branch = rounds(end.kind === 'done' ? end.summary : '');
      expect(branch.slice(0, 2)).toEqual(trunk.slice(0, 2));
      expect(branch.map(({ steps }) => steps)).toEqual([4, 4, 9]);
      expect(branch[2]).not.toEqual(trunk[2]);
      // Given again it is the same fork; a fork can be forked.
      await fork(exampleProgram, place('trunk'), place('branch'), 2, { steps: 9 });
      await fork(exampleProgram, place('branch'), place('twig'), 1, { steps: 1 });
      const twig = await open('twig', (store) => drive(exampleProgram, store, examplePerformer()), null);
      expect(rounds(twig.kind === 'done' ? twig.summary : '').map(({ steps }) => steps)).toEqual([4, 1, 1]);
      expect(rounds(twig.kind === 'done' ? twig.summary : '')[0]).toEqual(trunk[0]);
    });

    it('can be forked while it is driven, at a round that is over and at no other', async () => {
      await open('driven', async (store) => {
        await expect(
          drive(
            exampleProgram,
            store,
            examplePerformer({ asked: ({ id }) => id === '2/train' && Promise.reject(new Error('stopped')) }),
          ),
        ).rejects.toThrow('stopped');
        await expect(
          fork(exampleProgram, place('driven'), place('early'), 2, { steps: 9 }),
        ).rejects.toMatchObject({ code: 'CA_USAGE', todo: 'Give --at 1 to 1.' });
        await fork(exampleProgram, place('driven'), place('early'), 1, { steps: 9 });
      });
      await open('early', async (store) => expect(await all(store.entries())).toHaveLength(1 + ASKS), null);
    });

    it('cannot change in a fork what its first answers or its promises hang on', async () => {
      await open('fixed', (store) => drive(exampleProgram, store, examplePerformer()));
      for (const changes of [
        { seed: 2 },
        { members: [] },
        { acceptance: { delta: 1, alpha: 0.5 } },
        { rounds: 4 },
        { probe: exampleSettings().probe },
        { exam: { ...exampleSettings().exam, test: 1 } },
        { parts: { ...exampleSettings().parts, people: false } },
      ])
        await expect(
          fork(exampleProgram, place('fixed'), place('never'), 2, changes as object),
        ).rejects.toMatchObject({ code: 'CA_USAGE' });
      await expect(place('never').view()).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
    });
  });
}
