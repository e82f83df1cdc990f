import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pages, ROOT } from './pages.ts';
import { runCommands } from './shell.ts';
import { copyWorkspace, MAIN, makeWorkspace } from './workspace.ts';

const COMMANDS = ['audit', 'compare', 'watch', 'space fit', 'profile', 'merge', 'convert', 'demo'];
const helps = new Map<string, string>();

function help(command: string): string {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const args = [...command.split(' ').filter((part) => part !== ''), '--help'];
  const text = execFileSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  helps.set(command, text);
  return text;
}

describe('--help', { timeout: 600_000 }, () => {
  let base = '';
  beforeAll(async () => {
    base = await makeWorkspace();
  });

  it('lists the commands that are held here, and no other', () => {
    const section = help('').slice(help('').indexOf('Commands:'));
    const listed = [...section.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(listed).toEqual([...COMMANDS.map((command) => command.split(' ')[0]), 'help']);
  });

  it.each(COMMANDS)('%s: has examples, and they run', async (command) => {
    const lines = [...help(command).matchAll(/^ {2}\$ (.+)$/gm)].map(([, line]) => line!);
    expect(help(command)).toMatch(/^Examples:\n( {2}\$ .+\n)+/m);
    const cwd = copyWorkspace(base);
    await runCommands(lines.join('\n'), cwd, `${command} --help`);
    if (command === 'demo') expect(pictured()).toContain(wordsOf(headlineOf(join(cwd, 'collapse-demo'))));
  });

  it('knows every option that a page names', () => {
    const known = new Set(
      [...COMMANDS, ''].flatMap((command) => help(command).match(/--[a-z][a-z-]*/g) ?? []),
    );
    for (const other of ['--ignore-scripts', '--write']) known.add(other);
    for (const folder of ['scripts', 'conformance', 'bench'])
      for (const name of readdirSync(join(ROOT, folder)).filter((name) => /\.(mjs|ts)$/.test(name)))
        for (const [option] of readFileSync(join(ROOT, folder, name), 'utf8').matchAll(/--[a-z][a-z-]*/g))
          known.add(option);
    for (const page of pages()) {
      const prose = page.text.replace(/<!--|-->/g, '');
      for (const [option] of prose.matchAll(/(?<![\w-])--[a-z][a-z-]*/g))
        expect(known, `${page.path}: ${option}`).toContain(option);
    }
  });
});

// The README's picture is of the demo: where the demo says something else, it is made anew (npm run picture).
const wordsOf = (text: string) => text.replace(/[\d.]+/g, '0');
const headlineOf = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).headline;
const pictured = () => wordsOf(/ alt="([^"]*)"/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))![1]!);
