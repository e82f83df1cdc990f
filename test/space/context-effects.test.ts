import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustedMutualInformation, seeded } from '../../src/math/index.ts';
import {
  crossFitted,
  type EffectRows,
  fitContextEffects,
  fitSpace,
  modeInformationRows,
} from '../../src/space/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';
import { EMBEDDER, episodes, FEATURES } from './synthetic.ts';

interface Planted {
  readonly rows: EffectRows;
  readonly a: number[];
  readonly b: number[];
}

/** One column with planted effects; simulator i has (i + 1) rows in each context it meets. */
function planted(
  seed: number,
  options: { contexts: number; simulators: number; noise: number; skip?: number },
): Planted {
  const random = seeded(seed);
  const a = Array.from({ length: options.contexts }, () => 2 * random.normal());
  const b = Array.from({ length: options.simulators }, () => 3 * random.normal());
  const drawn: { hash: string; context: string; simulator: string; value: number }[] = [];
  for (let c = 0; c < options.contexts; c++)
    for (let i = 0; i < options.simulators; i++) {
      if (random.next() < (options.skip ?? 0) && i > 0) continue;
      for (let copy = 0; copy <= i + 1; copy++)
        drawn.push({
          hash: hashText(`${c}/${i}/${copy}`),
          context: `c${c}`,
          simulator: `s${i}`,
          value: 5 + a[c]! + b[i]! + options.noise * random.normal(),
        });
    }
  drawn.sort((x, y) => (x.hash < y.hash ? -1 : 1));
  return {
    a,
    b,
    rows: {
      vectors: Float32Array.from(drawn, (row) => row.value),
      columns: 1,
      hashes: drawn.map((row) => row.hash),
      contexts: drawn.map((row) => row.context),
      simulators: drawn.map((row) => row.simulator),
    },
  };
}

const centred = (values: number[]) => {
  const mean = values.reduce((x, y) => x + y, 0) / values.length;
  return values.map((value) => value - mean);
};

describe('fitContextEffects', () => {
  it('recovers planted effects exactly where there is no noise, whatever cells are empty', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const { rows, a, b } = planted(seed, { contexts: 8, simulators: 4, noise: 0, skip: 0.4 });
        const fit = fitContextEffects(rows);
        const names = [...fit.effects.keys()];
        const effects = centred(names.map((name) => fit.effects.get(name)![0]!));
        const expected = centred(names.map((name) => a[Number(name.slice(1))]!));
        effects.forEach((value, i) => {
          expect(value).toBeCloseTo(expected[i]!, 4);
        });
        const simulators = [...fit.simulatorEffects.keys()];
        const found = centred(simulators.map((name) => fit.simulatorEffects.get(name)![0]!));
        centred(simulators.map((name) => b[Number(name.slice(1))]!)).forEach((value, i) => {
          expect(found[i]).toBeCloseTo(value, 4);
        });
      }),
      { numRuns: 30 },
    );
  });

  it('comes near planted effects in noise, and leaves differences between simulators in z', () => {
    const { rows, a, b } = planted(3, { contexts: 60, simulators: 3, noise: 1 });
    const { effects, lambda } = fitContextEffects(rows);
    const error = centred(a.map((value, c) => effects.get(`c${c}`)![0]! - value));
    expect(Math.sqrt(error.reduce((x, y) => x + y * y, 0) / error.length)).toBeLessThan(0.5);
    // sigma_e^2 / sigma_a^2 = 1 / 4
    expect(lambda[0]).toBeGreaterThan(0.12);
    expect(lambda[0]).toBeLessThan(0.5);
    const means = [0, 1, 2].map((i) => {
      const own = rows.contexts.flatMap((c, r) =>
        rows.simulators[r] === `s${i}` ? [rows.vectors[r]! - effects.get(c)![0]!] : [],
      );
      return own.reduce((x, y) => x + y, 0) / own.length;
    });
    centred(b).forEach((value, i) => {
      expect(Math.abs(centred(means)[i]! - value)).toBeLessThan(0.25);
    });
  });

  it('shrinks to nothing where contexts have no effect of their own', () => {
    const shares = [1, 2, 3, 4, 5].map((seed) => {
      const random = seeded(seed);
      const { rows } = planted(seed, { contexts: 40, simulators: 2, noise: 1 });
      const noise = { ...rows, vectors: Float32Array.from(rows.vectors, () => random.normal()) };
      const { effects } = fitContextEffects(noise);
      return [...effects.values()].reduce((sum, [value]) => sum + value! ** 2, 0) / effects.size;
    });
    // Unshrunken effects of 5 rows would have a mean square of 0.2.
    expect(shares.reduce((x, y) => x + y, 0) / shares.length).toBeLessThan(0.04);
  });

  it('takes only contexts with two simulators and four rows in the largest connected part', () => {
    const row = (context: string, simulator: string, n: number) =>
      Array.from({ length: n }, (_, i) => ({
        context,
        simulator,
        hash: hashText(`${context}${simulator}${i}`),
      }));
    const drawn = [
      ...row('big1', 'a', 3),
      ...row('big1', 'b', 3),
      ...row('big2', 'b', 3),
      ...row('big2', 'c', 3),
      ...row('other', 'd', 3),
      ...row('other', 'e', 3),
      ...row('lonely', 'a', 9),
      ...row('few', 'a', 2),
      ...row('few', 'b', 1),
    ];
    const { effects, eligible } = fitContextEffects({
      vectors: new Float32Array(drawn.length).map((_, i) => Math.sin(i)),
      columns: 1,
      hashes: drawn.map((d) => d.hash),
      contexts: drawn.map((d) => d.context),
      simulators: drawn.map((d) => d.simulator),
    });
    expect([...effects.keys()].sort()).toEqual(['big1', 'big2']);
    expect(eligible.reduce((x, y) => x + y, 0)).toBe(12);
  });

  it('weights simulators equally, however many rows each has', () => {
    // Unbalanced and with an interaction, the additive fit depends on the weights: repeating one simulator's
    // rows must not move it.
    const { rows } = planted(11, { contexts: 10, simulators: 2, noise: 1 });
    const twice = [...rows.hashes.keys()].flatMap((r) => (rows.simulators[r] === 's1' ? [r, r] : [r]));
    const repeated: EffectRows = {
      vectors: Float32Array.from(twice, (r) => rows.vectors[r]!),
      columns: 1,
      hashes: twice.map((r, i) => `${rows.hashes[r]}${i}`),
      contexts: twice.map((r) => rows.contexts[r]!),
      simulators: twice.map((r) => rows.simulators[r]!),
    };
    const b = (fit: ReturnType<typeof fitContextEffects>) =>
      fit.simulatorEffects.get('s1')![0]! - fit.simulatorEffects.get('s0')![0]!;
    expect(b(fitContextEffects(repeated))).toBeCloseTo(b(fitContextEffects(rows)), 6);
  });
});

describe('crossFitted', () => {
  it('never uses a row for its own effect', () => {
    const { rows } = planted(5, { contexts: 12, simulators: 3, noise: 1 });
    const before = crossFitted(rows);
    for (const r of [0, 17, 40]) {
      const moved = { ...rows, vectors: Float32Array.from(rows.vectors) };
      moved.vectors[r]! += 100;
      const effect = (fit: typeof before, from: EffectRows) => from.vectors[r]! - fit.residuals[r]!;
      expect(effect(crossFitted(moved), moved)).toBeCloseTo(effect(before, rows), 3);
    }
  });
});

describe('modeInformationRows', () => {
  const information = (topic: number, modes: number, k: number) => {
    const rows = episodes({
      simulators: ['a', 'b', 'c'],
      contexts: 15,
      perCell: 8,
      topic,
      modes,
      noise: 0.3,
      mode: (simulator, random) =>
        random.next() < 0.5 ? random.integer(modes) : simulator.charCodeAt(0) % modes,
    });
    const space = fitSpace(
      { behaviours: rows, reference: [], embedder: EMBEDDER, features: FEATURES },
      { seed: 1, k },
    );
    const cells = modeInformationRows(space, rows);
    return {
      size: cells.size,
      before: adjustedMutualInformation(cells.before, cells.context),
      after: adjustedMutualInformation(cells.after, cells.context),
      simulator: adjustedMutualInformation(cells.after, cells.simulator),
    };
  };

  it('shows that pure topic leaves the modes on rows left out of the fit', () => {
    const pure = information(1, 1, 6);
    expect(pure.size).toBe(360);
    expect(pure.before).toBeGreaterThan(0.3);
    expect(Math.abs(pure.after)).toBeLessThan(0.05);
  });

  it('shows that what belongs to the simulator stays', () => {
    const mixed = information(1, 3, 3);
    expect(Math.abs(mixed.after)).toBeLessThan(0.05);
    expect(mixed.simulator).toBeGreaterThan(0.1);
  });
});
