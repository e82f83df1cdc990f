import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages, ROOT, tableUnder } from './pages.ts';

it('CONTRIBUTING.md lists the folders in the order that the lint holds, and which are pure', () => {
  const lint = readFileSync(join(ROOT, 'scripts/check-imports.mjs'), 'utf8');
  const namesIn = (pattern: RegExp) =>
    [...pattern.exec(lint)![1]!.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
  const order = namesIn(/const ORDER = \[([^\]]*)\]/).filter((name) => name !== 'version');
  const pure = namesIn(/const PURE = new Set\(\[([^\]]*)\]/);
  const rows = tableUnder(pages().find(({ path }) => path === 'CONTRIBUTING.md')!, 'The house');
  const nameOf = (cell: string) => cell.replace(/`|\/|\.ts/g, '');
  expect(rows.map(([name]) => nameOf(name!))).toEqual(order);
  const marked = rows.filter((row) => row[2] === 'pure').map(([name]) => nameOf(name!));
  expect(marked.sort()).toEqual([...pure].sort());
});
