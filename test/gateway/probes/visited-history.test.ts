import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { probeRequest, sessionProbes } from '../../../src/gateway/probes/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { requestOf } from './histories.ts';

describe('which histories are probed', () => {
  it('is a matter of seed, session and turn alone, whatever was asked before', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(30), fc.double({ min: 0, max: 1, noNaN: true }), (id, turn, share) => {
        const settings = { share, resamples: 8 };
        const late = sessionProbes(settings, 's', id);
        for (let at = 0; at < turn; at++) late.probes(at);
        expect(late.probes(turn)).toBe(sessionProbes(settings, 's', id).probes(turn));
      }),
    );
  });

  it('comes to the share, at every depth', () => {
    const plans = Array.from({ length: 4000 }, (_, at) =>
      sessionProbes({ share: 0.2, resamples: 8 }, 's', `session ${at}`),
    );
    for (const turn of [0, 1, 9]) {
      const probed = plans.filter((plan) => plan.probes(turn)).length / plans.length;
      // Five standard errors.
      expect(Math.abs(probed - 0.2)).toBeLessThan(5 * Math.sqrt((0.2 * 0.8) / plans.length));
    }
  });
});

describe('what a probe asks', () => {
  const BODY = { stream: true, stream_options: { include_usage: true }, temperature: 0.3, tools: [{}] };

  it('is the same body without the stream, under a seed of its own', () => {
    const request = requestOf({ ...BODY, seed: 300 });
    const asked = probeRequest(request, seeded(1));
    const { stream: _, stream_options: __, seed, ...rest } = request.body;
    expect(asked.body).toEqual({ ...rest, seed: asked.seed });
    expect(asked.seed).not.toBe(seed);
    expect([asked.stream, asked.includeUsage]).toEqual([false, false]);
    expect(probeRequest(request, seeded(1))).toEqual(asked);
    expect(probeRequest(request, seeded(2)).seed).not.toBe(asked.seed);
    expect(request.body.seed).toBe(300);
  });

  it('has no seed where the client gave none', () => {
    const asked = probeRequest(requestOf(BODY), seeded(1));
    expect('seed' in asked.body).toBe(false);
    expect(asked.seed).toBeNull();
  });
});
