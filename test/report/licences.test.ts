import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundledPackages, comment, notices } from '../../web/licences.ts';
import { requirement } from '../require.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const BUILT = join(ROOT, 'web', 'dist', 'report.html');
const ready = requirement(
  'the built page',
  statSync(BUILT, { throwIfNoEntry: false }) !== undefined,
  'npm run build:web',
);

describe.skipIf(!ready)('the built page', () => {
  const page = ready ? readFileSync(BUILT, 'utf8') : '';
  const [, end = ''] = /<!--(.*?)-->\s*$/s.exec(page) ?? [];
  const packages = [...end.matchAll(/^(\S+) (\d\S*) \(/gm)].map(([, name]) => name!);

  test('names each bundled package with its copyright', () => {
    // internmap stands inside the built file of d3-array.
    expect(packages).toEqual(
      expect.arrayContaining([
        '@observablehq/plot',
        'd3-array',
        'd3-scale',
        'internmap',
        'isoformat',
        'preact',
      ]),
    );
    for (const name of packages) {
      const licence = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
      const lines = licence.split('\n').filter((line) => /^copyright\b/i.test(line.trim()));
      expect(lines, name).not.toEqual([]);
      for (const line of lines) expect(end, name).toContain(line.trim());
    }
  });

  test('holds them in one comment that ends where it should', () => {
    expect(page.match(/<!--/g)).toHaveLength(1);
    expect(end).not.toContain('--');
    expect(end.match(/Permission to use, copy, modify, and\/or distribute/g)!.length).toBeLessThan(
      packages.length,
    );
  });

  test('has the same text beside it, and beside the compiled one', () => {
    for (const path of ['web/dist', 'dist/report'])
      expect(comment(readFileSync(join(ROOT, path, 'THIRD-PARTY-LICENSES.txt'), 'utf8'))).toBe(
        `<!--${end}-->`,
      );
  });
});

describe('notices of packages', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'collapse-aware-licences-'));
    add('a', 'MIT License\n\nCopyright (c) 2020 Ada\n\nDo as you like.\n', { c: '1' });
    add('@s/b', 'The MIT License (MIT)\nCopyright (c) 2021 Bo\nCopyright (c) 2022 Bea\n\nDo as\nyou like.\n');
    add('c', 'Copyright 2019 Cy\n\nOther terms -- and more.\n\nCopyright 2001 Di\n\nHer terms.\n');
    add('bare', null);
    add('nameless', 'Do as you like.\n');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function add(name: string, licence: string | null, dependencies: Record<string, string> = {}) {
    const folder = join(root, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ version: '1.0.0', license: 'MIT', dependencies }),
    );
    if (licence !== null) writeFileSync(join(folder, 'LICENSE'), licence);
  }
  const file = (name: string) => join(root, 'node_modules', name, 'index.js');

  test('give each licence text once, below all copyright lines it goes with', () => {
    const modules = [
      { id: file('a'), imports: [file('c')] },
      { id: file('@s/b'), imports: [] },
      { id: join(root, 'src/main.ts'), imports: [] },
    ];
    const found = bundledPackages(modules);
    expect(found.map(({ name }) => name)).toEqual(['@s/b', 'a']);
    const text = notices(found);
    expect(text.match(/Do as\s+you like/g)).toHaveLength(1);
    for (const who of ['2020 Ada', '2021 Bo', '2022 Bea']) expect(text).toContain(`Copyright (c) ${who}`);
  });

  test('count a dependency that nothing imports: it was built in', () => {
    const found = bundledPackages([{ id: file('a'), imports: [] }]);
    expect(found.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(notices(found)).toContain('Copyright 2001 Di\n\nHer terms.');
  });

  test('stay inside their comment whatever they say', () => {
    const inside = comment('a -- b --> c ---- d -').slice(4, -3);
    expect(inside).not.toMatch(/--|-$|>$/);
  });

  test('refuse a package that grants nothing or names nobody', () => {
    expect(() => bundledPackages([{ id: file('bare'), imports: [] }])).toThrow('no licence file');
    expect(() => bundledPackages([{ id: file('nameless'), imports: [] }])).toThrow('names no copyright');
  });
});
