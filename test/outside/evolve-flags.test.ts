import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import { type OutsideFlags, outsideStage, withOutsideOptions } from '../../src/cli/evolve-outside.ts';
import type { GatewayStage } from '../../src/outside/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-flags-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const line = (task: string) => JSON.stringify({ prompt: [{ role: 'assistant', content: 'Hello.' }], task });
const probes = file('probes.jsonl', ['a', 'b', 'c', 'd', 'e'].map(line).join('\n'));
const population = file(
  'gateway.yaml',
  'upstreams: { one: { baseUrl: "http://127.0.0.1/v1" } }\npopulation: { members: [{ id: m, family: f, model: x, upstream: one }], seen: [m] }\n',
);

/** What `evolve` makes of a command line. */
function stageOf(...args: string[]) {
  const command = withOutsideOptions(new Command('evolve'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  command.parse(args, { from: 'user' });
  return outsideStage(command.opts<OutsideFlags>());
}
const NEEDED = ['--agent', 'http://127.0.0.1:8000/v1', '--population', population, '--probes', probes];
const given = (...more: string[]) => stageOf('--gateway', 'http://127.0.0.1:8420', ...NEEDED, ...more);

describe('what evolve is told of a trainer', () => {
  it('needs no more than gateway, agent, population and probes, and knows the sizes of the rest', async () => {
    const found = (await given())!;
    expect(found.given).toMatchObject({
      members: [{ id: 'm', family: 'f', model: 'x' }],
      probe: { contexts: 3, rollouts: 4, audition: 3 },
      exam: { contexts: 2, test: 2, people: 0 },
    });
    expect(found.stage).toMatchObject({
      agent: { model: 'policy', earlier: null, maxTokens: null },
      turns: 8,
      rewardRange: [0, 1],
      limits: { lanes: 8, epoch: 1800 },
    });
  });

  it('takes the sizes of probes and dialogues', async () => {
    const sizes = ['--turns', '10', '--agent-tokens', '256'];
    const found = (await given(
      ...sizes,
      '--lanes',
      '64',
      '--reward-range',
      '-1,1',
      '--epoch-seconds',
      '60',
    ))!;
    const stage = found.stage as GatewayStage;
    expect(stage).toMatchObject({ agent: { maxTokens: 256 }, turns: 10, rewardRange: [-1, 1] });
    expect(stage.limits).toMatchObject({ lanes: 64, epoch: 60, gateway: 300 });
  });

  it('refuses an address that is none, before anything is waited for or kept', () => {
    for (const [flag, text] of [
      ['--gateway', '127.0.0.1:8420'],
      ['--agent', 'policy'],
      ['--scorer', 'file:///etc/passwd'],
    ])
      expect(() => stageOf(flag!, text!)).toThrow('give an http or https URL');
    expect(() => given('--lanes', '0')).toThrow('give 1 or more');
  });

  it('says what is missing, and what means nothing in the lab', async () => {
    await expect(stageOf('--gateway', 'http://127.0.0.1:8420')).rejects.toThrow('--gateway needs --agent');
    await expect(stageOf('--scorer', 'http://127.0.0.1:8000/score')).rejects.toThrow(
      '--scorer belongs to --gateway',
    );
    await expect(stageOf('--turns', '4')).rejects.toThrow('--turns belongs to --gateway');
    await expect(given('--reference', 'none.csv')).rejects.toMatchObject({ code: 'CA_FILE_NOT_FOUND' });
    expect(await stageOf()).toBeNull();
  });
});
