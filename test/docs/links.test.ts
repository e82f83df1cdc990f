import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, parsePage, ROOT } from './pages.ts';

const all = pages();
const byPath = new Map(all.map((page) => [page.path, page]));

describe('the pages', () => {
  it.each(all)('$path leads to files and headings that are there', (page) => {
    const broken: string[] = [];
    for (const { line, target } of page.links) {
      if (/^[a-z]+:/i.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page.path : normalize(join(dirname(page.path), decodeURIComponent(file)));
      if (!existsSync(join(ROOT, path))) broken.push(`${page.path}:${line}: ${target} is not there`);
      else if (anchor !== undefined && !byPath.get(path)?.anchors.has(anchor))
        broken.push(`${page.path}:${line}: ${target} names no heading`);
    }
    expect(broken).toEqual([]);
  });

  it('under docs/ are all in its index, in one line each', () => {
    const index = byPath.get('docs/README.md')!;
    for (const page of all) {
      if (!page.path.startsWith('docs/') || page === index) continue;
      const target = page.path.replace('docs/', '');
      expect(index.links.filter((link) => link.target === target).length, target).toBe(1);
    }
  });

  it('use every picture there is', () => {
    const used = new Set(
      all.flatMap((page) => page.links.map(({ target }) => normalize(join(dirname(page.path), target)))),
    );
    for (const name of readdirSync(join(ROOT, 'docs/images'))) {
      expect(used, name).toContain(`docs/images/${name}`);
      expect(statSync(join(ROOT, 'docs/images', name)).size, name).toBeLessThanOrEqual(250_000);
    }
  });

  it('name no folder of one machine', () => {
    for (const page of all) expect(page.text, page.path).not.toMatch(/\/(work|root|home)\/\w/);
  });
});

describe('reading a page', () => {
  it('finds blocks, why one is not run, links outside blocks, and anchors', () => {
    const page = parsePage(
      'x.md',
      [
        '# A title: `code`, and more',
        'See [this](a.md#b) and `[not this](c.md)`.',
        '<!-- not run: needs a server -->',
        '```sh',
        '[nor](this.md)',
        '```',
        '## Twice',
        '## Twice',
        '```ts',
        'const x = 1;',
        '```',
      ].join('\n'),
    );
    expect(page.blocks).toMatchObject([
      { language: 'sh', line: 4, notRun: 'needs a server', text: '[nor](this.md)' },
      { language: 'ts', line: 9, notRun: null, text: 'const x = 1;' },
    ]);
    expect(page.links.map(({ target }) => target)).toEqual(['a.md#b']);
    expect([...page.anchors]).toEqual(['a-title-code-and-more', 'twice', 'twice-1']);
  });
});
