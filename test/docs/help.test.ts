import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pages, ROOT } from './pages.ts';
import { runCommands } from './shell.ts';
import { copyWorkspace, MAIN, makeWorkspace } from './workspace.ts';

const COMMANDS = [
  'audit',
  'compare',
  'curate',
  'curate plan',
  'watch',
  'space fit',
  'profile',
  'merge',
  'convert',
  'demo',
  'lab',
  'lab run',
  'lab table',
  'lab check',
  'lab export',
  'evolve',
  'evolve status',
  'evolve pause',
  'evolve resume',
  'evolve fork',
  'evolve page',
  'worker',
  'gateway',
  'synthesize',
  'synthesize gaps',
  'synthesize path',
  'synthesize adversary',
];
const TOP = [...new Set(COMMANDS.map((command) => command.split(' ')[0]))];
/** Needs a server that is not there. */
const REMOTE = /--(base|agent)-url http/;
/** Train for minutes, or until they are told to end: test/cli, docs/lab.md and docs/evolve.md run shorter ones. */
const LONG = /\bcollapse-aware (lab \w+|evolve(?: [a-z]+)?|worker)/;
/** Of programs that the pages name beside this one: npm and Biome, tau2, CooperBench, verifiers. */
const OTHERS = [
  ...['--ignore-scripts', '--write'],
  ...[
    '--agent-llm',
    '--domain',
    '--max-retries',
    '--max-steps',
    '--num-trials',
    '--user-llm',
    '--user-llm-args',
  ],
  ...['--agent-config', '--env'],
];
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
    expect(listed).toEqual([...TOP, 'help']);
  });

  it.each(COMMANDS)('%s: has examples, and they run', async (command) => {
    const lines = [...help(command).matchAll(/^ {2}\$ (.+)$/gm)].map(([, line]) => line!);
    expect(help(command)).toMatch(/^Examples:\n( {2}\$ .+\n)+/m);
    const cwd = copyWorkspace(base);
    for (const line of lines)
      for (const [option] of LONG.test(line) ? line.matchAll(/--[a-z][a-z-]*/g) : [])
        expect(help(LONG.exec(line)![1]!), line).toContain(option);
    const run = lines.filter((line) => !REMOTE.test(line) && !LONG.test(line));
    // A curation is not replaced unasked, and its examples are alternatives.
    const parts = command === 'curate' ? run : [run.join('\n')];
    for (const part of parts)
      await runCommands(part, parts.length > 1 ? copyWorkspace(base) : cwd, `${command} --help`);
    if (command !== 'demo') return;
    expect(pictured('README.md')).toContain(wordsOf(headlineOf(join(cwd, 'collapse-demo/report.json'))));
    const [rows, people] = ['rollouts', 'people'].map((name) => `collapse-demo/${name}.jsonl`);
    await runCommands(`collapse-aware curate ${rows} --reference ${people} -o curated -q`, cwd, command);
    expect(pictured('docs/curate.md')).toContain(wordsOf(headlineOf(join(cwd, 'curated/manifest.json'))));
  });

  it('knows every option that a page names', () => {
    const known = new Set(
      [...COMMANDS, ''].flatMap((command) => help(command).match(/--[a-z][a-z-]*/g) ?? []),
    );
    for (const other of OTHERS) known.add(other);
    for (const folder of ['scripts', 'conformance', 'bench', 'python/examples', 'experiments'])
      for (const name of readdirSync(join(ROOT, folder)).filter((name) => /\.(mjs|ts|py)$/.test(name)))
        for (const [option] of readFileSync(join(ROOT, folder, name), 'utf8').matchAll(/--[a-z][a-z-]*/g))
          known.add(option);
    for (const page of pages()) {
      const prose = page.text.replace(/<!--|-->/g, '');
      for (const [option] of prose.matchAll(/(?<![\w-])--[a-z][a-z-]*/g))
        expect(known, `${page.path}: ${option}`).toContain(option);
    }
  });
});

// The pictures are of the demo: where it says something else, they are made anew (npm run picture).
const wordsOf = (text: string) => text.replace(/[\d.]+/g, '0');
const headlineOf = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).headline;
const pictured = (page: string) =>
  wordsOf(/ alt="([^"]*)"/.exec(readFileSync(join(ROOT, page), 'utf8'))![1]!);
