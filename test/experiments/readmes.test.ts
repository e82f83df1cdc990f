import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../docs/pages.ts';
import { BENCHMARKS, EXPERIMENTS, power } from './stage.ts';

const readme = (id: string) => readFileSync(join(EXPERIMENTS, id, 'README.md'), 'utf8');

/** Numbers in prose: blocks, code, targets of links and numbers of a list are none. */
const numbersIn = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^\d+\. /gm, '')
    .match(/(?<![\w.])\.?\d+(\.\d+)?(?![\w])/g) ?? [];

describe.each(BENCHMARKS)('the README of %s', (id) => {
  it('holds no number that the power script does not print', () => {
    const printed = new Set(numbersIn(power([id])));
    const own = numbersIn(readme(id));
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((number) => !printed.has(number))).toEqual([]);
  });

  it('leads to files that are there, and names no folder of one machine', () => {
    const page = parsePage(`experiments/${id}/README.md`, readme(id));
    for (const { target } of page.links)
      if (!/^[a-z]+:/.test(target))
        expect(existsSync(normalize(join(EXPERIMENTS, id, target.split('#')[0]!))), target).toBe(true);
    expect(page.text).not.toMatch(/\/(work|root|home)\/\w/);
  });

  it('says how to get to the table, what the result would show, what not, and under which licences', () => {
    const text = readme(id);
    for (const needed of [
      '--dry',
      '--measured',
      'run.sh',
      'Would show',
      'Would not show',
      '## Licences',
      '## GPU-hours',
    ])
      expect(text, needed).toContain(needed);
  });
});

it('files of experiments/ name no folder of one machine', () => {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
      const path = join(folder, one.name);
      if (one.isDirectory()) return one.name === '__pycache__' ? [] : walk(path);
      return [path];
    });
  const files = walk(EXPERIMENTS);
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/\/(work|root|home)\/\w/);
    expect(dirname(file)).toContain('experiments');
  }
});
