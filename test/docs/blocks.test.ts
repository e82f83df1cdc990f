import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseMapping } from '../../src/formats/index.ts';
import { explainTrajectory, TRAJECTORY_SCHEMA } from '../../src/trajectory/index.ts';
import { requirement } from '../require.ts';
import { type Block, isShell, pages } from './pages.ts';

const all = pages();
const blocks = all.flatMap((page) => page.blocks);
const at = ({ page, line }: Block) => `${page}:${line}`;
const of = (...languages: string[]) =>
  blocks.filter(({ language }) => languages.includes(language)).map((block) => [at(block), block] as const);

describe('data in the pages', () => {
  it.each(of('json', 'jsonl'))(
    '%s is JSON, and a record of the native format where it says so',
    (_, block) => {
      for (const text of block.language === 'jsonl' ? block.text.split('\n') : [block.text]) {
        const value = JSON.parse(text) as { schema?: unknown };
        if (value.schema === TRAJECTORY_SCHEMA) expect(explainTrajectory(value)).toBeNull();
      }
    },
  );

  it.each(of('yaml'))('%s is YAML, and a mapping where it has turns', (_, block) => {
    const value = parse(block.text) as Record<string, unknown>;
    if (Object.hasOwn(value, 'turns')) parseMapping(block.text, at(block));
  });

  const hasPython = requirement('python3', canRun('python3'), 'apt-get install python3');
  it.skipIf(!hasPython).each(of('python'))('%s is Python', (_, block) => {
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: block.text });
  });
});

describe('blocks that are not run', () => {
  const left = blocks.filter(({ notRun }) => notRun !== null);
  const runnable = blocks.filter((block) => isShell(block) || block.language === 'ts');

  it('say why, and each reason stands before a block that could be run', () => {
    const marks = all.flatMap(({ text }) => text.match(/^<!-- not run: /gm) ?? []);
    expect(left.length).toBe(marks.length);
    for (const block of left) expect(runnable, at(block)).toContain(block);
  });

  it('are at most a quarter', () => {
    expect(left.length / runnable.length).toBeLessThanOrEqual(0.25);
  });
});

function canRun(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
