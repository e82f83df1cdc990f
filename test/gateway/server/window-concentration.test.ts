import { describe, expect, it } from 'vitest';
import type { LiveMetrics } from '../../../src/gateway/live/live.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { windowConcentration } from '../../../src/gateway/server/window-concentration.ts';
import { batchOf, train } from '../end-to-end/rollouts.ts';
import { stand, until } from '../end-to-end/stand.ts';

const reportOf = (mci: Readonly<Record<string, number | null>>) =>
  ({ simulators: Object.entries(mci).map(([id, value]) => ({ id, mci: { value } })) }) as unknown;

function desk() {
  let report: unknown = null;
  let fails = false;
  let listener: (record: JournalRecord) => void = () => {};
  const of = windowConcentration(
    {
      metrics: () =>
        fails ? Promise.reject(new Error('died')) : Promise.resolve({ report } as unknown as LiveMetrics),
    },
    {
      subscribe: (given) => {
        listener = (record) => given(record, undefined);
        return () => {};
      },
    },
  );
  const epoch = async (now: unknown, failing = false) => {
    [report, fails] = [now, failing];
    listener({ kind: 'epoch', at: 0, session: null, epoch: 1, policy: null, run: null });
    await new Promise(setImmediate);
  };
  const show = (now: unknown) => {
    report = now;
  };
  return { of, epoch, show };
}

describe('the concentration of simulators in the live window', () => {
  it('is not known before there is a report, nor of whom it has no figure', async () => {
    const { of, epoch } = desk();
    expect(of('a')).toBeNull();
    await epoch(reportOf({ a: 0.5, b: null }));
    expect(['a', 'b', 'c', '__proto__'].map(of)).toEqual([0.5, null, null, null]);
  });

  it('stays as it is until the next epoch begins, and where figures fail', async () => {
    const { of, epoch, show } = desk();
    await epoch(reportOf({ a: 0.5 }));
    show(reportOf({ a: 0.7 }));
    await new Promise(setImmediate);
    expect(of('a')).toBe(0.5);
    await epoch(null, true);
    expect(of('a')).toBe(0.5);
    await epoch(reportOf({ a: 0.7 }));
    expect(of('a')).toBe(0.7);
  });

  it('weighs the batches of a gateway once an epoch is over', async () => {
    const gateway = await stand({
      settings: { seed: 'window', live: { warmUp: 40, epochs: { by: 'trainer', every: 1 } } },
    });
    const batch = batchOf('a', 12, 4);
    const weigh = async (): Promise<{ weights: Record<string, number>; notes: string[] }> =>
      (await gateway.api('POST', '/api/weights', { ids: batch.map(({ id }) => id) })).body;
    const isWindow = ({ notes }: { notes: string[] }) => notes.some((note) => note.includes('live window'));
    try {
      await train(gateway, batch);
      await until(async () => (await gateway.api('GET', '/api/metrics')).body.report !== null, 'a report');
      expect(isWindow(await weigh())).toBe(false);
      await gateway.api('POST', '/api/epochs', { epoch: 1 });
      const first = await until(async () => {
        const reply = await weigh();
        return isWindow(reply) && reply;
      }, 'weights by the window');
      expect(await weigh()).toEqual(first);
    } finally {
      await gateway.close();
    }
  });
});
