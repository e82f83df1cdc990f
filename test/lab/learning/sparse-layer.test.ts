import fc from 'fast-check';
import { expect, it } from 'vitest';
import { denseForward, denseGradient } from '../../../src/lab/learning/dense-layer.ts';
import { noRows, readSparse, sparseForward, sparseGradient } from '../../../src/lab/learning/sparse-layer.ts';
import { seeded } from '../../../src/math/random.ts';

it('gives the bits of the dense layer, forward and backward, for any share of zeros', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 23 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 11 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer(),
      (inputs, outputs, rows, zeros, seed) => {
        const random = seeded(seed);
        const normals = (n: number) => Float64Array.from({ length: n }, () => random.normal());
        const layer = { inputs, outputs, weights: 0, biases: inputs * outputs };
        const parameters = normals(inputs * outputs + outputs);
        const x = normals(rows * inputs).map((v) => (random.next() < zeros ? 0 : v));
        const dy = normals(rows * outputs);
        const sparse = noRows();
        readSparse(x, inputs, rows, sparse);
        const y = [new Float64Array(rows * outputs), new Float64Array(rows * outputs)] as const;
        denseForward(parameters, layer, x, y[0], rows);
        sparseForward(parameters, layer, sparse, y[1], rows);
        expect(y[1]).toEqual(y[0]);
        const start = normals(parameters.length);
        const gradient = [start.slice(), start.slice()] as const;
        denseGradient(gradient[0], layer, x, dy, rows);
        sparseGradient(gradient[1], layer, x, sparse, dy, rows);
        expect(gradient[1]).toEqual(gradient[0]);
      },
    ),
  );
});
