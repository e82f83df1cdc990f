import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, ROOT } from '../docs/pages.ts';

const folder = join(ROOT, 'test/theory');
const { text } = pages().find(({ path }) => path === 'docs/theory.md')!;
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && name !== 'page.test.ts');

/** What the page says that a file checks: `file`: "name", "name"; ... */
const cited = new Map<string, string[]>(files.map((file) => [file, []]));
for (const line of text.split('\n')) {
  if (!line.startsWith('Checked in ')) continue;
  for (const part of line.split(/(?=`[a-z-]+\.test\.ts`)/)) {
    const file = /^`([a-z-]+\.test\.ts)`/.exec(part)?.[1];
    if (file === undefined) continue;
    const names = [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
    cited.set(file, [...(cited.get(file) ?? []), ...names]);
  }
}

/** Titles of the tests of a file; those of `it.each` without what is filled in at the end. */
function titlesOf(file: string): string[] {
  const source = readFileSync(join(folder, file), 'utf8');
  return [...source.matchAll(/\bit(?:\.each\([^\n]*\))?\(\s*'([^']+)'/g)].map(([, title]) => title!);
}

describe('the page of the theory', () => {
  it.each(files)('names what %s checks, each by a name that is there', (file) => {
    const titles = titlesOf(file);
    expect(titles.length).toBeGreaterThan(0);
    for (const name of cited.get(file)!)
      expect(
        titles.some((title) => title.startsWith(name)),
        name,
      ).toBe(true);
    const left = titles.filter((title) => !cited.get(file)!.some((name) => title.startsWith(name)));
    expect(left).toEqual([]);
  });

  it('names no file that is not there', () => {
    for (const file of cited.keys()) expect(files).toContain(file);
  });

  it('says under every heading of a statement what checks it', () => {
    const sections = text.split(/^##+ /m).slice(1);
    const proved = sections.filter((section) => section.includes('**Proved'));
    expect(proved.length).toBeGreaterThan(8);
    for (const section of proved) expect(section, section.split('\n')[0]).toContain('\nChecked in `');
  });
});
