import { describe, expect, it } from 'vitest';
import { openProber } from '../../../src/gateway/probes/index.ts';
import { addUsage } from '../../../src/gateway/speakers/token-sums.ts';
import { SETTINGS, saidOf, services, visited, voiceThat } from './histories.ts';

describe('the tokens of probes', () => {
  /** Uses 10 and 5 as `part`, and fails where it is told to. */
  const metered = (fails: (n: number) => boolean) => {
    let n = 0;
    return voiceThat(({ tokens, random }) => {
      addUsage(tokens!, 'part', { promptTokens: 10, completionTokens: 5 });
      if (fails(n++)) throw new Error('no reply came of it');
      return saidOf(`reply ${random.integer(1e9)}`);
    });
  };
  const settings = { ...SETTINGS, share: 1, laws: ['member'] as const };

  it('stand in the record by the member that was asked, those of failed replies too', async () => {
    const own = services(
      metered((n) => n === 1),
      { settings },
    );
    const prober = openProber(own);
    prober.offer(visited('a', 2));
    await prober.idle();
    expect(own.records[0]!.resamples).toHaveLength(3);
    const tokens = { part: { prompt: 40, completion: 20, unmetered: 0 } };
    expect(Object.values(own.records[0]!.tokens!)).toEqual([tokens]);
    expect(prober.view()).toMatchObject({ promptTokens: 40, completionTokens: 20, failedReplies: 1 });
    expect(own.spent).toEqual([]);
  });

  it('are on record where the history came to nothing', async () => {
    const own = services(
      metered(() => true),
      { settings },
    );
    const prober = openProber(own);
    const history = visited('a', 2);
    prober.offer(history);
    await prober.idle();
    expect(own.records).toEqual([]);
    expect(own.spent).toEqual([
      {
        kind: 'spent',
        at: 7,
        session: 'a',
        member: history.facts.simulator.id,
        probe: true,
        tokens: { part: { prompt: 40, completion: 20, unmetered: 0 } },
      },
    ]);
    expect(prober.view()).toMatchObject({ completionTokens: 20, dropped: { failed: 1 } });
  });
});
