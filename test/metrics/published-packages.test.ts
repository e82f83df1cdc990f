import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { knnCoverage, referenceBalls } from '../../src/metrics/knn-coverage.ts';
import type { VectorRows } from '../../src/metrics/vectors.ts';
import { vendi } from '../../src/metrics/vendi.ts';

interface Fixture {
  readonly vendi: readonly {
    name: string;
    columns: number;
    vectors: number[];
    vendi: number;
    vendiDual: number;
  }[];
  readonly prdc: readonly {
    name: string;
    columns: number;
    k: number;
    reference: number[];
    data: number[];
    coverage: number;
  }[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/metric-vectors.json', import.meta.url), 'utf8'),
) as Fixture;

function vectors(columns: number, data: readonly number[]): VectorRows {
  return { columns, data: Float64Array.from(data), unit: new Array(data.length / columns).fill(0) };
}

describe('agreement with the published packages', () => {
  it.each(fixture.vendi)('gives the Vendi score of vendi-score: $name', (one) => {
    const score = vendi(vectors(one.columns, one.vectors)).value!;
    expect(Math.abs(score - one.vendi)).toBeLessThan(1e-6);
    expect(Math.abs(score - one.vendiDual)).toBeLessThan(1e-6);
  });

  it.each(fixture.prdc)('gives the coverage of prdc: $name', (one) => {
    const { coverage } = knnCoverage(
      vectors(one.columns, one.data),
      referenceBalls(vectors(one.columns, one.reference), { k: one.k }),
    );
    expect(Math.abs(coverage.value! - one.coverage)).toBeLessThan(1e-6);
  });
});
