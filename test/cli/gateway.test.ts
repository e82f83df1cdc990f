import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, ended, start } from './command.ts';

const cwd = mkdtempSync(join(tmpdir(), 'collapse-aware-gateway-cli-'));

describe('collapse-aware gateway', () => {
  it('serves without settings, plays dialogues with whoever it serves, and ends by SIGTERM', async () => {
    const child = start(['gateway', '--port', '0', '--play', '12'], cwd);
    const end = ended(child);
    let said = '';
    await new Promise<void>((done, fail) => {
      child.stderr!.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('played 12 of 12')) done();
      });
      child.once('exit', () => fail(new Error(said)));
    });
    const [, url] = /listening on (\S+)/.exec(said)!;
    const [, key] = /#key=(\S+)/.exec(said)!;
    const answer = await fetch(`${url}/api/sessions?state=closed`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { total, sessions } = (await answer.json()) as {
      total: number;
      sessions: { reward: number | null; bound: string }[];
    };
    expect(total).toBe(12);
    expect(sessions.every(({ reward, bound }) => reward !== null && bound === 'header')).toBe(true);
    child.kill('SIGTERM');
    expect((await end).status).toBe(0);
  });

  it('checks settings without serving', async () => {
    const { status, stdout } = await command(['gateway', '--dry-run'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain('population: alder (scripted)');
  });

  it.each([
    [['gateway', '--port', 'eighty'], /--port eighty is no port/],
    [['gateway', '--play', 'many'], /--play many is no number of dialogues/],
    [['gateway', '-c', 'nowhere.yaml'], /CA_FILE_NOT_FOUND/],
    [['gateway', '-c', 'wrong.yaml'], /CA_CONFIG_INVALID/],
    [['gateway', '--host', '0.0.0.0'], /CA_USAGE.*without keys/],
  ])('refuses %j with what to do', async (args, words) => {
    writeFileSync(join(cwd, 'wrong.yaml'), 'schema: collapse-aware/gateway@1\nlisten: {prot: 1}\n');
    const { status, stderr } = await command(args, { cwd });
    expect(status === 2 || status === 3).toBe(true);
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('    at ');
  });
});
