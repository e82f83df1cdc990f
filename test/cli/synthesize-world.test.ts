import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPanels } from '../../src/population/index.ts';
import { command, folder } from './command.ts';

let cwd: string;
beforeAll(() => {
  cwd = folder();
});

const run = (kind: string, out: string, ...more: readonly string[]) =>
  command(['synthesize', kind, '--world', 'persuasion', '-o', out, '-q', ...more], { cwd });
const file = (out: string, name: string) => readFileSync(join(cwd, out, name), 'utf8');
const report = (out: string) => JSON.parse(file(out, 'report.json'));

describe('synthesis in a world of the lab', { timeout: 300_000 }, () => {
  it('finds what its families never play, and takes only what landed there', async () => {
    const few = ['--gaps', '2', '--bases', 'birch', '--episodes', '16', '--contexts', '16'];
    const done = await run('gaps', 'gaps', ...few);
    expect(done.status, done.stderr).toBe(0);
    const { gaps, episodes, members } = report('gaps');
    expect(gaps.length).toBeGreaterThan(0);
    for (const { verdict, landed, mass } of gaps) {
      expect(mass).toBeGreaterThan(0);
      if (verdict === 'accepted') expect(landed).toBeGreaterThan(0);
    }
    const accepted = file('gaps', 'accepted.jsonl').split('\n').filter(Boolean);
    expect(accepted).toHaveLength(episodes.accepted);
    for (const line of accepted) {
      const { run: name, reward, simulator } = JSON.parse(line);
      expect(name).toMatch(/^synthetic\/gaps\//);
      expect(reward).not.toBeNull();
      expect(members.map(({ id }: { id: string }) => id)).toContain(simulator.id);
    }
    // Ready for a panels file.
    const written = parse(file('gaps', 'members.yaml')).members;
    if (written.length > 0)
      expect(
        readPanels({ schema: 'collapse-aware/panels@1', seen: written, selection: [], test: [] }).seen,
      ).toHaveLength(written.length);

    expect((await run('gaps', 'again', ...few)).stdout).toBe(done.stdout);
    for (const name of ['report.json', 'accepted.jsonl', 'refused.jsonl', 'members.yaml'])
      expect(file('again', name), name).toBe(file('gaps', name));
  });

  it('says what a chosen adversary is worth by dialogues that did not choose it', async () => {
    const done = await run(
      ...(['adversary', 'adversary', '--generations', '2', '--per-generation', '2'] as const),
      ...['--contexts', '8', '--episodes', '32', '--bases', 'alder'],
    );
    expect(done.status, done.stderr).toBe(0);
    const { adversary, episodes } = report('adversary');
    expect(episodes.played).toBe(2 * 2 * 32 + 32);
    expect(adversary.best.n ?? adversary.best.loss.n).toBeLessThanOrEqual(32);
    expect(Object.keys(adversary.best.numbers)).toContain('trust');
    expect(done.stdout).toMatch(/best, played anew/);
    expect(file('adversary', 'refused.jsonl')).toContain('played to choose by');
  });

  it('says of a path to a family that is off support that nothing can be said', async () => {
    const done = await run('path', 'path', '--from', 'alder', '--to', 'birch', '--episodes', '32');
    expect(done.status, done.stderr).toBe(0);
    const { path, members } = report('path');
    for (const { position, outside, n } of path.steps) {
      expect(n).toBeGreaterThan(0);
      if (outside.value > 0.5) expect(position).toMatchObject({ value: null });
    }
    expect(members.length === 0 || path.verdict === 'monotone').toBe(true);
  });

  it.each([
    [['gaps', 'rollouts.jsonl'], /--world brings its own rollouts/],
    [['gaps', '--bases', 'oak'], /there is no member 'oak' - name one of alder, birch, cedar/],
    [['path', '--from', 'alder', '--to', 'birch', '--how', 'prompt'], /CA_CONFIG_INVALID/],
    [['gaps', '--world', 'moon'], /CA_USAGE/],
  ])('refuses %j', async ([kind, ...more], said) => {
    const done = await run(kind!, 'none', ...more!);
    expect(done.stderr).toMatch(said);
    expect(done.stderr).not.toContain('    at ');
    expect(done.status).toBe(2);
  });
});
