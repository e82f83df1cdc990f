import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import { audit, fit as fitSpace, place } from '../../src/audit/index.ts';
import { scriptedEpisodes, scriptedPeople } from '../../src/lab/index.ts';
import { encodeSpace, profileLines } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { recordsOf } from '../data.ts';
import { pages, ROOT } from './pages.ts';

const made: string[] = [];

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'collapse-aware-docs-'));
  made.push(folder);
  return folder;
}

export const MAIN = join(ROOT, 'dist/cli/main.js');

/**
 * A folder with every file that the pages name, generated: a small study of five simulators over three epochs,
 * and people. `collapse-aware` is on the path of what `shell` starts.
 */
export async function makeWorkspace(): Promise<string> {
  const folder = temporary();
  const put = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const rows = [...scriptedEpisodes({ seed: 5, contexts: 16, epochs: 3, group: 1 })];
  const people = [...scriptedPeople({ seed: 5, contexts: 16, persons: 50, episodes: 100 })];
  const epoch = (at: number) => rows.filter((row) => row.epoch === at);
  const half = (at: number) => rows.filter((_, index) => index % 2 === at);

  put('rollouts.jsonl', lines(rows));
  put('rollouts.jsonl.zst', zstd(lines(rows)));
  put('people.jsonl', lines(people));
  put('before.jsonl', lines(epoch(0)));
  put('after.jsonl', lines(epoch(2)));
  put('v1.jsonl', lines(epoch(0)));
  put('v2.jsonl', lines(epoch(2)));
  put('other-run.jsonl', lines(epoch(1)));
  for (const at of [0, 1]) put(`shard-${at + 1}.jsonl`, lines(half(at)));
  for (const at of [0, 1, 2]) {
    const step = (at + 1) * 10;
    put(`rollouts/step_${step}.jsonl`, lines(epoch(at)));
    put(
      `completions/step_${step}.jsonl`,
      lines(epoch(at).map(renamed({ panel: 'panel-a', forum: 'panel-b' }))),
    );
    put(`runs/base/${at}.jsonl`, lines(epoch(0)));
    put(`runs/new/${at}.jsonl`, lines(epoch(2)));
    const named = epoch(at).map(renamed({ panel: 'gpt-5', forum: 'grok-4' }));
    put(`runs/${at}.json.gz`, gzipSync(lines(named)));
  }
  // Enough steps for a watch that has no people and no saved space.
  for (let step = 10; step <= 60; step += 10) {
    const dumped = epoch((step / 10) % 3);
    put(`runs/dump/step_${step}.jsonl`, lines(dumped));
    for (const name of ['dump', 'verl-dumps'])
      put(`${name}/${step}.jsonl`, lines(dumped.map((row) => verlRow(row, step))));
  }
  put('gateway.yaml', shownSettings());
  put('recipe.yaml', 'weights: { alpha: 0.5 }\n');
  put('results.json', JSON.stringify(epoch(0).map(tauRow)));
  put('sims/part-1.jsonl.gz', gzipSync(lines(rows.map(foreignRow))));
  put('people.jsonl.gz', gzipSync(lines(people.map(foreignRow))));
  put('calls.csv', callsCsv(people));
  cpSync(join(ROOT, 'docs/examples/maps'), join(folder, 'docs/examples/maps'), { recursive: true });
  for (const name of ['sims', 'people', 'calls'])
    cpSync(join(ROOT, `docs/examples/maps/${name}.yaml`), join(folder, `${name}.yaml`));

  put('bin/collapse-aware', `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(join(folder, 'bin/collapse-aware'), 0o755);
  if (!hasCurl()) {
    put(
      'bin/curl',
      `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'curl.mjs')}" "$@"\n`,
    );
    chmodSync(join(folder, 'bin/curl'), 0o755);
  }
  put('package.json', '{ "type": "module" }\n');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/collapse-aware'));
  for (const name of ['@types', 'openai'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const { space, embedder } = await fitSpace(rows, people, {});
  put('space.json', encodeSpace(space));
  for (const at of [0, 1]) {
    const profile = await place(recordsOf(half(at)), [], space, embedder);
    for (const name of [`${at + 1}.profile`, `shard-${at + 1}.profile`])
      put(name, [...profileLines(profile)].map((line) => `${line}\n`).join(''));
  }
  for (const [name, at] of [
    ['before', 0],
    ['after', 2],
  ] as const) {
    const { report } = await audit({ records: recordsOf(epoch(at)), space }, {});
    put(`${name}.json`, JSON.stringify(report));
  }
  return folder;
}

/** The first settings that docs/gateway-settings.md shows. */
function shownSettings(): string {
  const page = pages().find(({ path }) => path === 'docs/gateway-settings.md')!;
  return `${page.blocks.find(({ language }) => language === 'yaml')!.text}\n`;
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A copy to work in. */
export function copyWorkspace(base: string): string {
  const folder = temporary();
  cpSync(base, folder, { recursive: true, verbatimSymlinks: true });
  return folder;
}

const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const renamed = (names: Readonly<Record<string, string>>) => (row: Trajectory) => ({
  ...row,
  simulator: { ...row.simulator, id: names[row.simulator.id] ?? row.simulator.id },
});

const chat = ({ turns }: Trajectory) =>
  turns
    .filter(({ text }) => text !== null)
    .map(({ role, text }) => ({ role: role === 'agent' ? 'assistant' : role, content: text }));

/** A row of verl's rollout dump. */
function verlRow(row: Trajectory, step: number) {
  const marked = chat(row).map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`);
  return {
    input: `<|im_start|>system\n${row.scenario ?? row.contextLabel}<|im_end|>\n${marked[0]}`,
    output: marked.slice(1).join(''),
    score: row.reward,
    step,
    uid: row.group ?? `${step}/${row.context}`,
    simulator: row.simulator.id,
  };
}

/** A row of tau-bench's results. */
function tauRow(row: Trajectory) {
  return {
    task_id: row.contextLabel,
    reward: row.reward,
    info: { task: { instruction: row.scenario ?? row.contextLabel } },
    traj: chat(row),
  };
}

/** A row of no known format, as docs/mapping.md shows it. */
function foreignRow(row: Trajectory) {
  return {
    case: { name: row.contextLabel, brief: row.scenario },
    customer: { model: row.simulator.id, person: row.simulator.person },
    agent: { build: row.policy.id, step: row.epoch === null ? null : row.epoch * 100 },
    heldout: row.split === 'test',
    score: row.reward,
    dialogue: row.turns
      .filter(({ text }) => text !== null)
      .map(({ role, text }) => ({ speaker: role === 'user' ? 'customer' : 'service', says: text })),
  };
}

/** One turn a row. */
function callsCsv(rows: readonly Trajectory[]): string {
  const cell = (value: string | null) => `"${(value ?? '').replaceAll('"', '""')}"`;
  const body = rows.flatMap((row) =>
    row.turns
      .filter(({ text }) => text !== null)
      .map(({ role, text }) =>
        [row.id, row.simulator.person, role === 'user' ? 'caller' : 'desk', text].map(cell).join(','),
      ),
  );
  return `${['call,person,who,words', ...body].join('\n')}\n`;
}

/** A zstd frame of raw blocks: Node 20 has no encoder. */
function zstd(text: string): Buffer {
  const content = Buffer.from(text);
  const size = 100_000;
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) {
    const part = content.subarray(at, at + size);
    const header = (part.length << 3) | (at + size >= content.length ? 1 : 0);
    blocks.push(Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255]), part);
  }
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50]), ...blocks]);
}
