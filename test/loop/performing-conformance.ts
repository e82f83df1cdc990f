import { describe, expect, it } from 'vitest';
import {
  type DriveEnd,
  drive,
  type Performer,
  type RunPlace,
  runDirectory,
  runStudy,
} from '../../src/loop/index.ts';
import { ASKS, EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

const study = runStudy(exampleSettings(), EXAMPLE_STAGE);

/** Somebody who can have runs performed, with one performer. */
export interface Leader {
  /** From wherever the run is to its end, a pause or a fault. */
  lead(run: string): Promise<DriveEnd>;
  leave(): Promise<void>;
}

/** What every way to have a run performed must do. @param folder a fresh one */
export function performsRuns(
  kind: string,
  folder: () => string,
  place: (run: string) => RunPlace,
  begin: (performer: Performer) => Promise<Leader>,
): void {
  const led = async <T>(performer: Performer, use: (lead: Leader['lead']) => Promise<T>): Promise<T> => {
    const leader = await begin(performer);
    try {
      return await use(leader.lead);
    } finally {
      await leader.leave();
    }
  };
  /** In one go, in this process, in a folder. */
  const whole = async (): Promise<DriveEnd> => {
    const store = await runDirectory(folder()).open(study);
    const end = await drive(exampleProgram, store, examplePerformer());
    await store.close();
    return end;
  };
  const opened = async (run: string) => (await place(run).open(study)).close();

  describe(`a run performed ${kind}`, () => {
    it('comes to the same bytes, asks for nothing twice, and once it is over for nothing', async () => {
      const performer = examplePerformer();
      await opened('plain');
      await led(performer, async (lead) => {
        expect(await lead('plain')).toEqual(await whole());
        const asked = performer.asked.length;
        // A probe of three members is three questions.
        expect(asked).toBe(1 + 3 * (ASKS + 2));
        expect(new Set(performer.asked).size).toBe(asked);
        expect(await lead('plain')).toMatchObject({ kind: 'done' });
        expect(performer.asked).toHaveLength(asked);
      });
    });

    it('pauses before the next question, stays paused, and goes on when it is allowed', async () => {
      await opened('paused');
      const performer = examplePerformer({
        asked: ({ id }) => (id === '2/mixture' ? place('paused').askPause() : undefined),
      });
      await led(performer, async (lead) => {
        expect(await lead('paused')).toMatchObject({ kind: 'paused', by: { by: expect.any(String) } });
        expect(await lead('paused')).toMatchObject({ kind: 'paused' });
        expect(performer.asked.at(-1)).toBe('2/mixture');
        await place('paused').allow();
        expect(await lead('paused')).toEqual(await whole());
      });
    });

    it('stops where a request cannot be performed, says why, and goes on from there', async () => {
      await opened('fails');
      let broken = true;
      const performer = examplePerformer({
        asked: ({ id }) => broken && id === '2/train' && Promise.reject(new Error('the upstream is gone')),
      });
      await led(performer, async (lead) => {
        await expect(lead('fails')).rejects.toThrow('the upstream is gone');
        broken = false;
        const before = performer.asked.length;
        expect(await lead('fails')).toEqual(await whole());
        expect(performer.asked[before]).toBe('2/train');
      });
    });

    it('keeps no answer of another kind than the question', async () => {
      await opened('kind');
      const performer = examplePerformer();
      const lying: Performer = {
        ...performer,
        perform: async (request, context) =>
          request.kind === 'train'
            ? { kind: 'gate', acknowledged: true }
            : performer.perform(request, context),
      };
      await led(lying, (lead) => expect(lead('kind')).rejects.toMatchObject({ code: 'CA_INTERNAL' }));
    });
  });
}
