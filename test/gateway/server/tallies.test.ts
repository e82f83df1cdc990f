import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { newInstruments } from '../../../src/gateway/server/instruments.ts';
import { SecondsTally } from '../../../src/gateway/server/tallies.ts';

const linesOf = (text: string, name: string) =>
  text.split('\n').filter((line) => line.startsWith(`collapse_aware_${name}`));

describe('tallies of requests', () => {
  it('add up, however often they are read', async () => {
    const { registry, requests, turns, promptTokens, completionTokens, flush } = newInstruments();
    requests.add(200, false);
    requests.add(200, true);
    turns.add('a');
    promptTokens.add('a', 7);
    flush();
    requests.add(200, false);
    requests.add(429, false);
    completionTokens.add('a', 2);
    promptTokens.add('a', 1);
    flush();
    flush();
    const text = await registry.metrics();
    expect(linesOf(text, 'requests_total').sort()).toEqual([
      'collapse_aware_requests_total{status="200",stream="false"} 2',
      'collapse_aware_requests_total{status="200",stream="true"} 1',
      'collapse_aware_requests_total{status="429",stream="false"} 1',
    ]);
    expect(linesOf(text, 'turns_total')).toEqual(['collapse_aware_turns_total{member="a"} 1']);
    expect(linesOf(text, 'tokens_total').sort()).toEqual([
      'collapse_aware_tokens_total{member="a",kind="completion"} 2',
      'collapse_aware_tokens_total{member="a",kind="prompt"} 8',
    ]);
  });

  it('are a histogram: each bucket counts what is not above its end', async () => {
    const registry = new Registry();
    const tally = new SecondsTally(registry, {
      name: 'seconds',
      help: 'What it says',
      bounds: [0.1, 1],
      byStream: true,
    });
    for (const seconds of [0.05, 0.1, 0.5, 3]) tally.observe(seconds, false);
    tally.observe(1, true);
    expect((await registry.metrics()).trim().split('\n')).toEqual([
      '# HELP seconds What it says',
      '# TYPE seconds histogram',
      'seconds_bucket{le="0.1",stream="false"} 2',
      'seconds_bucket{le="1",stream="false"} 3',
      'seconds_bucket{le="+Inf",stream="false"} 4',
      'seconds_sum{stream="false"} 3.65',
      'seconds_count{stream="false"} 4',
      'seconds_bucket{le="0.1",stream="true"} 0',
      'seconds_bucket{le="1",stream="true"} 1',
      'seconds_bucket{le="+Inf",stream="true"} 1',
      'seconds_sum{stream="true"} 1',
      'seconds_count{stream="true"} 1',
    ]);
  });

  it('show a histogram without labels before anything was counted', async () => {
    expect(linesOf(await newInstruments().registry.metrics(), 'overhead_seconds_count')).toEqual([
      'collapse_aware_overhead_seconds_count 0',
    ]);
  });
});
