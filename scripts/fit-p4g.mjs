// Fits the people of the persuasion world to Persuasion for Good (docs/people.md), prints the fit and writes its
// numbers to src/lab/people/p4g.ts (persuadees) and p4g-persuaders.ts. With --check only says whether they are the same (status 1: not). Reads the
// built package, and the data folder: CA_DATA, else shared/data beside the project.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readFiles } from '../dist/formats/index.js';
import { xlsxTable } from '../dist/formats/xlsx.js';
import {
  actDialogue,
  donationsOf,
  fitPeople,
  fitPersuaders,
  strategyDialogue,
} from '../dist/lab/people/index.js';
import { describePeople } from '../dist/lab/people/people-text.js';
import { describePersuaders } from '../dist/lab/people/persuader-text.js';

const root = resolve(import.meta.dirname, '..');
const folder = join(process.env.CA_DATA ?? resolve(root, '../shared/data'), 'p4g');

const dialogues = [];
const persuaders = [];
for await (const row of readFiles([join(folder, '300_dialog.xlsx')]))
  if (row.kind === 'trajectory') {
    dialogues.push(actDialogue(row.trajectory));
    persuaders.push(strategyDialogue(row.trajectory));
  }
const annotated = donationsOf(await xlsxTable(join(folder, '300_info.xlsx'), '300_info.xlsx'));
// The columns that are read (B2, B3, B4, B6) come before any that could hold a quoted comma.
const lines = gunzipSync(readFileSync(join(folder, 'full_info.csv.gz')))
  .toString('utf8')
  .trim()
  .split(/\r?\n/);
const everyone = donationsOf(lines.map((line) => line.split(',')));

const people = fitPeople(dialogues, annotated, everyone, { seed: 'people of p4g' });
const persuading = fitPersuaders(persuaders, { seed: 'persuaders of p4g' });
console.log([...describePeople(people), '', ...describePersuaders(persuading)].join('\n'));

const tables = [
  { file: 'p4g', name: 'P4G_PEOPLE', type: 'PeopleTable', from: 'people-table', table: people },
  {
    file: 'p4g-persuaders',
    name: 'P4G_PERSUADERS',
    type: 'PersuaderTable',
    from: 'persuader-table',
    table: persuading,
  },
];
for (const { file, name, type, from, table } of tables) {
  const target = join(root, `src/lab/people/${file}.ts`);
  if (process.argv.includes('--check')) {
    const committed = (await import(`../dist/lab/people/${file}.js`))[name];
    if (isDeepStrictEqual(committed, JSON.parse(JSON.stringify(table)))) continue;
    console.error(`src/lab/people/${file}.ts is not what the data give: node scripts/fit-p4g.mjs`);
    process.exitCode = 1;
    continue;
  }
  const text = [
    `import type { ${type} } from './${from}.ts';`,
    '',
    '/** Fitted to Persuasion for Good by scripts/fit-p4g.mjs: counts and estimates only. See docs/people.md. */',
    `export const ${name}: ${type} = ${JSON.stringify(table)};`,
    '',
  ].join('\n');
  writeFileSync(target, text);
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  execFileSync(process.execPath, [biome, 'check', '--write', target], { stdio: 'ignore' });
}
