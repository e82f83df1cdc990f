import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODES } from '../../src/errors.ts';
import { mappingReader } from '../../src/formats/mapping.ts';
import { parseMapping } from '../../src/formats/mapping-schema.ts';
import type { Reader } from '../../src/formats/reader.ts';
import { READERS } from '../../src/formats/registry.ts';
import { collect, DATA, hasData } from './fixture.ts';

const present = hasData('breakers');
const names = present ? readdirSync(join(DATA, 'breakers')).sort() : [];

describe.skipIf(!present)('files that break importers (../shared/data/breakers)', () => {
  it.each(names)('%s ends in a coded error or in dropped rows', async (name) => {
    const { file, trajectories } = await collect(join(DATA, 'breakers', name));
    expect(file.error !== null || file.dropped > 0 || trajectories.length > 0).toBe(true);
    if (file.error !== null) expect(CODES).toHaveProperty(file.error.code);
  });

  it('no reader forced on any of them throws without a code', async () => {
    const map = mappingReader(parseMapping('turns: { path: messages }', 'map'));
    const readers: readonly Reader[] = [...READERS, map];
    const paths = names.map((name) => join(DATA, 'breakers', name));
    for (const reader of readers) {
      const { files } = await collect(paths, { reader });
      for (const file of files) if (file.error !== null) expect(CODES).toHaveProperty(file.error.code);
    }
  });
});
