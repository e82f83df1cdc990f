import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLsa, LsaEmbedder } from '../../src/embedding/index.ts';

const TEXTS = [
  'I want to cancel my flight',
  'please cancel the flight',
  'can you cancel my booking?',
  'I love the children and the charity',
  'the charity helps children',
  'which charity helps children?',
  'cancel the booking please',
  'children need help',
];
const cosine = (rows: Float32Array, d: number, a: number, b: number): number => {
  let total = 0;
  for (let k = 0; k < d; k++) total += rows[a * d + k]! * rows[b * d + k]!;
  return total;
};

describe('LSA', () => {
  const lsa = fitLsa(TEXTS, { rank: 3 });

  it('puts texts about the same thing near each other', () => {
    const rows = lsa.embedSync(['cancel booking', 'please cancel flight', 'charity children']);
    expect(cosine(rows, lsa.dimension, 0, 1)).toBeGreaterThan(cosine(rows, lsa.dimension, 0, 2) + 0.3);
  });

  it('gives rows of length one, and a zero row where no word is known', () => {
    const rows = lsa.embedSync(['cancel', 'zyxw qqq', '']);
    expect(cosine(rows, lsa.dimension, 0, 0)).toBeCloseTo(1, 5);
    expect([...rows.subarray(lsa.dimension)].every((value) => value === 0)).toBe(true);
  });

  it('comes back from JSON with the same id and the same vectors', async () => {
    const again = LsaEmbedder.fromJSON(JSON.parse(JSON.stringify(lsa)));
    expect(again.id).toBe(lsa.id);
    expect(await again.embed(TEXTS)).toEqual(lsa.embedSync(TEXTS));
  });

  it('is the same for the same texts and seed, and another for other texts', () => {
    expect(fitLsa(TEXTS, { rank: 3 }).id).toBe(lsa.id);
    expect(fitLsa(TEXTS.slice(1), { rank: 3 }).id).not.toBe(lsa.id);
  });

  it('keeps no more directions than the texts have', () => {
    const few = fitLsa(['yes yes', 'yes', 'no', 'no no'], { rank: 64 });
    expect(few.dimension).toBeLessThanOrEqual(2);
  });

  it('says which texts it cannot be fitted on', () => {
    expect(() => fitLsa(['one', 'two'])).toThrow(expect.objectContaining({ code: 'CA_SPACE_TOO_SMALL' }));
    expect(() => fitLsa([])).toThrow(expect.objectContaining({ code: 'CA_SPACE_TOO_SMALL' }));
  });

  it('refuses a saved model that is cut short or something else', () => {
    const model = lsa.toJSON();
    for (const wrong of [
      null,
      1,
      {},
      { ...model, schema: 'x' },
      { ...model, vectors: model.vectors.slice(0, 8) },
    ])
      expect(() => LsaEmbedder.fromJSON(wrong)).toThrow(
        expect.objectContaining({ code: 'CA_FORMAT_INVALID' }),
      );
  });

  it('embeds each text by itself, whatever stands beside it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'grapheme' })), { maxLength: 12 }),
        (texts) => {
          const all = lsa.embedSync(texts);
          for (const [at, text] of texts.entries())
            expect(lsa.embedSync([text])).toEqual(all.slice(at * lsa.dimension, (at + 1) * lsa.dimension));
        },
      ),
    );
  });
});
