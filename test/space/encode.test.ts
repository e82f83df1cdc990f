import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignAll, decodeSpace, encodeSpace, fitSpace } from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES } from './synthetic.ts';

const sample = episodes({ simulators: ['a', 'b'], contexts: 8, perCell: 4, topic: 0.5 });
const people = episodes({ simulators: ['p'], contexts: 8, perCell: 6, topic: 0.5 });
const space = fitSpace(
  { behaviours: sample, reference: people, embedder: EMBEDDER, features: FEATURES },
  { seed: 4 },
);
const text = encodeSpace(space);

describe('encodeSpace and decodeSpace', () => {
  it('give back an equal space that places rows alike', () => {
    const read = decodeSpace(text);
    expect(read.id).toBe(space.id);
    expect(encodeSpace(read)).toBe(text);
    expect(assignAll(read, sample).rows).toEqual(assignAll(space, sample).rows);
  });

  it('give another id for another seed', () => {
    const other = fitSpace(
      { behaviours: sample, reference: people, embedder: EMBEDDER, features: FEATURES },
      { seed: 5 },
    );
    expect(other.id).not.toBe(space.id);
  });

  it('refuse a space that was changed by hand', () => {
    const changed = text.replace(`"nFit":${space.nFit}`, `"nFit":${space.nFit + 1}`);
    expect(changed).not.toBe(text);
    expect(() => decodeSpace(changed, 's.json')).toThrow(
      expect.objectContaining({ code: 'CA_FORMAT_INVALID', place: { file: 's.json' } }),
    );
  });

  it('name the field that is missing or of the wrong kind', () => {
    const with_ = (change: (root: Record<string, unknown>) => void) => {
      const root = JSON.parse(text);
      change(root);
      return () => decodeSpace(JSON.stringify(root));
    };
    expect(with_((root) => delete root.episode)).toThrow(/"episode" of the behaviour space is missing/);
    expect(with_((root) => (root.k = 'six'))).toThrow(/"k" .* is not a number/);
    expect(with_((root) => (root.schema = 'other@1'))).toThrow(/not collapse-aware\/space@1/);
    expect(() => decodeSpace('nonsense')).toThrow(expect.objectContaining({ code: 'CA_JSON_INVALID' }));
    expect(() => decodeSpace('[]')).toThrow(expect.objectContaining({ code: 'CA_FORMAT_INVALID' }));
  });

  it('survive random damage with a coded error', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 40 }),
        fc.string({ maxLength: 3 }),
        (where, cut, put) => {
          const start = where % (text.length - 1);
          const damaged = text.slice(0, start) + put + text.slice(start + cut);
          fc.pre(damaged.trim() !== text.trim());
          let code: string | undefined;
          try {
            decodeSpace(damaged);
          } catch (error) {
            code = (error as { code?: string }).code;
          }
          expect(code).toMatch(/^CA_(FORMAT|JSON)_INVALID$/);
        },
      ),
      { numRuns: 60 },
    );
  });
});
