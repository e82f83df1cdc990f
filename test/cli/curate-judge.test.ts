import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { scriptedEpisodes } from '../../src/lab/index.ts';
import { contentHash } from '../../src/trajectory/index.ts';
import { readCuration } from '../curator/written-curation.ts';
import { json, type Seen, type Served, said, serve } from '../endpoint/server.ts';
import { command, ended, folder, start } from './command.ts';

const ROWS = [...scriptedEpisodes({ seed: 8, contexts: 2, epochs: 1, group: 4 })];
const FAULTY = 'one-note';
const hashes = new Map(ROWS.map((row) => [contentHash(row.turns, row.scenario), row.simulator.id]));
/** What the simulator says first: the record that a judge is shown holds it. */
const marks = ROWS.filter(({ simulator }) => simulator.id === FAULTY).map(
  ({ turns }) => turns.filter(({ role }) => role === 'user').map(({ text }) => text!)[0]!,
);
let cwd: string;
let cases = 0;
const open: Served[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
beforeAll(() => {
  cwd = folder();
  writeFileSync(join(cwd, 'rows.jsonl'), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
});

const honest = (seen: Seen, _: number, response: Parameters<typeof json>[0]) => {
  const text = (seen.body.messages as { content: string }[]).map(({ content }) => content).join('\n');
  const answer = { answer: marks.some((mark) => text.includes(mark)) ? 'yes' : 'no', evidence: 'seen there' };
  json(response, 200, said(JSON.stringify({ answers: { 'out-of-role': answer } })));
};

/** A recipe with a judge at a server, and a cache of its own. */
async function judged(answer: Parameters<typeof serve>[0], more = '', votes = 1) {
  const server = await serve(answer);
  open.push(server);
  return { server, ...recipe(server.url, more, votes) };
}

function recipe(url: string, more = '', votes = 1) {
  const at = cases++;
  writeFileSync(
    join(cwd, `judge-${at}.yaml`),
    `gate: {${more}judge: {url: "${url}", model: tiny, questions: [out-of-role], votes: ${votes}}}\nbatches: {size: 8, balance: mode}\n`,
  );
  const env = { XDG_CACHE_HOME: join(cwd, `cache-${at}`) };
  const args = (out: string) => ['curate', 'rows.jsonl', '--recipe', `judge-${at}.yaml`, '-o', out, '-q'];
  return { env, args, run: (out: string) => command(args(out), { cwd, env }) };
}
const leftovers = () => readdirSync(cwd).filter((name) => name.includes('partial') || name.startsWith('.'));

describe('a curation with a judge', () => {
  it('writes every vote, drops what it finds, and asks nothing the second time', async () => {
    const { server, run } = await judged(honest, '', 3);
    const first = await run('first');
    expect(first.status, first.stderr).toBe(0);
    const one = readCuration(join(cwd, 'first'));
    const asked = server.seen.length;
    expect(asked).toBeGreaterThan(0);
    const votes = one.lines('votes.jsonl');
    expect(votes).toHaveLength(asked);
    expect(votes.every(({ hash }) => hashes.has(hash as string))).toBe(true);
    const dropped = one.lines('dropped.jsonl').filter(({ check }) => check === 'judge:out-of-role');
    expect(dropped.length).toBeGreaterThan(0);
    for (const { blame, hash } of dropped) {
      expect(blame).toBe('simulator');
      expect(votes.filter((vote) => vote.hash === hash && vote.answer === 'yes')).toHaveLength(3);
    }
    expect(one.manifest.judge).toEqual({
      model: 'tiny',
      rows: new Set(votes.map(({ hash }) => hash)).size,
      votes: votes.length,
      invalid: 0,
      unchecked: 0,
    });
    expect(one.manifest.outputs.map(({ path }) => path)).toContain('votes.jsonl');
    expect(first.stderr).toContain(`tiny: ${asked} calls`);

    const second = await run('second');
    expect(second.status, second.stderr).toBe(0);
    expect(server.seen).toHaveLength(asked);
    for (const name of readdirSync(join(cwd, 'first')))
      expect(
        readFileSync(join(cwd, 'second', name)).equals(readFileSync(join(cwd, 'first', name))),
        name,
      ).toBe(true);
  });

  it('keeps rows that it could not ask of, unchecked, and drops them under strict', async () => {
    // Refuses the records of one simulator for good: not an endpoint that is down.
    const moody: typeof honest = (seen, number, response) => {
      const text = JSON.stringify(seen.body.messages);
      if (marks.some((mark) => text.includes(JSON.stringify(mark).slice(1, -1))))
        json(response, 400, { error: 'no' });
      else honest(seen, number, response);
    };
    const lenient = await judged(moody);
    const kept = await lenient.run('moody');
    expect(kept.status, kept.stderr).toBe(0);
    const { manifest } = readCuration(join(cwd, 'moody'));
    const check = manifest.gate!.find(({ check: name }) => name === 'judge:out-of-role')!;
    expect(check.unchecked).toBeGreaterThan(0);
    expect(check.dropped).toBe(0);

    const strict = await judged(moody, 'profile: strict, ');
    const done = await strict.run('moody-strict');
    expect(done.status, done.stderr).toBe(0);
    const lines = readCuration(join(cwd, 'moody-strict')).lines('dropped.jsonl');
    const unchecked = lines.filter(({ check: name }) => name === 'judge:out-of-role');
    expect(unchecked.length).toBeGreaterThan(0);
    for (const line of unchecked) expect(line).toMatchObject({ blame: 'infrastructure', stage: 'gate' });
  });

  it('whose endpoint refuses everything ends with CA_ENDPOINT_FAILED and leaves nothing', async () => {
    const { run } = await judged((_, __, response) => json(response, 401, { error: 'who are you' }));
    const done = await run('refused');
    expect(done.stderr).toMatch(/^CA_ENDPOINT_FAILED: the judge gave no answer for 20 rows in a row/m);
    expect(done.stderr).not.toContain('    at ');
    expect(done.status).toBe(3);
    expect(existsSync(join(cwd, 'refused'))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('that never answers usably ends with CA_ENDPOINT_REPLY and what it said, also from the cache', async () => {
    const { run, server } = await judged((_, __, response) => json(response, 200, said('{"answers":{}}')));
    const lines: string[] = [];
    let calls = 0;
    for (const out of ['unusable', 'unusable-again']) {
      const done = await run(out);
      expect(done.status).toBe(3);
      lines.push(/^CA_ENDPOINT_REPLY: .*$/m.exec(done.stderr)?.[0] ?? done.stderr);
      expect(existsSync(join(cwd, out))).toBe(false);
      calls ||= server.seen.length;
    }
    expect(lines[0]).toContain('no usable answer for 20 rows in a row; the last reply: {"answers":{}}');
    expect(lines[1]).toBe(lines[0]);
    expect(server.seen).toHaveLength(calls);
    expect(leftovers()).toEqual([]);
  });

  it('that cannot be reached ends at once and names its address', async () => {
    const server = await serve(honest);
    await server.close();
    const done = await recipe(server.url).run('unreached');
    expect(done.stderr).toMatch(/^CA_ENDPOINT_FAILED: http:\/\/127\.0\.0\.1:\d+.*ECONNREFUSED.*3 attempts/m);
    expect(done.status).toBe(3);
    expect(existsSync(join(cwd, 'unreached'))).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  it('that is interrupted while it asks leaves nothing, and keeps what was answered', async () => {
    let isAwake = false;
    const { args, env, run, server } = await judged((seen, number, response) => {
      if (number < 5 || isAwake) honest(seen, number, response);
    });
    const child = start(args('stopped'), cwd, env);
    const end = ended(child);
    await expect.poll(() => server.seen.length, { timeout: 60_000, interval: 50 }).toBeGreaterThan(8);
    child.kill('SIGINT');
    const done = await end;
    expect(done.status).not.toBe(0);
    expect(existsSync(join(cwd, 'stopped'))).toBe(false);
    expect(leftovers()).toEqual([]);

    isAwake = true;
    const before = server.seen.length;
    const again = await run('resumed');
    expect(again.status, again.stderr).toBe(0);
    const votes = readCuration(join(cwd, 'resumed')).lines('votes.jsonl').length;
    expect(server.seen.length - before).toBeLessThan(votes);
  });

  it('needs the key that its recipe names', async () => {
    const at = cases++;
    writeFileSync(
      join(cwd, `key-${at}.yaml`),
      'gate: {judge: {url: "http://127.0.0.1:9/v1", model: tiny, keyEnv: NO_SUCH_KEY_HERE}}\n',
    );
    const done = await command(
      ['curate', 'rows.jsonl', '--recipe', `key-${at}.yaml`, '-o', 'keyless', '-q'],
      { cwd },
    );
    expect(done.stderr).toMatch(/^CA_USAGE: .*NO_SUCH_KEY_HERE/);
    expect(done.status).toBe(2);
    expect(existsSync(join(cwd, 'keyless'))).toBe(false);
    expect(leftovers()).toEqual([]);
  });
});
