import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATA_RULES } from '../../src/loop/data-rules.ts';
import { FORK_PARTS, RUN_FILES } from '../../src/loop/index.ts';
import { INSTALL } from '../../src/loop/postgres/pg.ts';
import { pages, ROOT, tableUnder } from './pages.ts';

const page = pages().find(({ path }) => path === 'docs/evolve.md')!;

it('docs/evolve.md has the rules that move the data plan', () => {
  const rows = tableUnder(page, 'How the data plan moves');
  expect(rows.map((row) => row.map((cell) => cell.replaceAll('`', '')))).toEqual(
    DATA_RULES.map(({ parameter, figure, least, most, step, low, high }) =>
      [parameter, figure, least, most, step, high, low].map(String),
    ),
  );
});

it('docs/evolve.md names every file of a run, and what a fork may leave out', () => {
  const named = tableUnder(page, 'The folder of a run').map(([name]) => name!.replace(/[`/]/g, ''));
  expect(named.sort()).toEqual([...RUN_FILES].sort());
  for (const part of FORK_PARTS) expect(page.text).toContain(`\`${part}\``);
});

it('what installs the packages of many machines is what package.json asks for', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  const asked = ['@dbos-inc/dbos-sdk', 'pg'].map((name) => `${name}@${peerDependencies[name]}`);
  expect(INSTALL).toBe(`npm install ${asked.join(' ')}`);
  expect(page.text).toContain(INSTALL);
});
