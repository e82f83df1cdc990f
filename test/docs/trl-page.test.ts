import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages, ROOT, tableUnder } from './pages.ts';

const page = pages().find(({ path }) => path === 'docs/trl.md')!;
const source = (file: string) => readFileSync(join(ROOT, 'python/collapse_aware', file), 'utf8');
const firstCells = (heading: string) =>
  tableUnder(page, heading).flatMap(([cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));

/** Names of what a class is made with. */
function parameters(file: string): string[] {
  const [, list] = /def __init__\(\s*self,([\s\S]*?)\n {4}\) -> None:/.exec(source(file))!;
  return [...list!.matchAll(/^ {8}([a-z_]+):/gm)].map(([, name]) => name!);
}

it('docs/trl.md lists every option of Steering', () => {
  expect(firstCells('Steering').sort()).toEqual(parameters('steering.py').sort());
});

it('docs/trl.md lists every option of DialogueRollouts', () => {
  const own = parameters('dialogue_rollouts.py').filter((name) => name !== 'steering');
  const rows = page.text.split('\n').filter((line) => line.startsWith('| `'));
  const under = rows.filter((line) => own.some((name) => line.startsWith(`| \`${name}\``)));
  const named = under.flatMap((line) =>
    [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  expect(new Set(named)).toEqual(new Set(own));
});

it('docs/trl.md lists every count', () => {
  const [, list] = /^COUNTS = \(([\s\S]*?)^\)/m.exec(source('tally.py'))!;
  const counts = [...list!.matchAll(/"([a-z_]+)"/g)].map(([, name]) => name!);
  expect(firstCells('Counts').sort()).toEqual([...counts, 'rewards_owed', 'seconds_held'].sort());
});
