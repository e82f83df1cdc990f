import { describe, expect, it } from 'vitest';
import { adjustedRand, seeded } from '../../src/math/index.ts';
import { assignAll, encodeSpace, fitSpace } from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES, withFacts } from './synthetic.ts';

const SIMULATORS = ['a', 'b', 'c'];
const sample = episodes({ simulators: SIMULATORS, contexts: 12, perCell: 4, topic: 0.7 });
const people = episodes({
  simulators: ['people'],
  contexts: 12,
  perCell: 8,
  topic: 0.7,
  kind: 'human',
  person: (_, context, copy) => `p${(context * 8 + copy) % 40}`,
});
const input = { behaviours: sample, reference: [], embedder: EMBEDDER, features: FEATURES };
const beside = { ...input, reference: people };

describe('fitSpace', () => {
  it('finds planted modes through strong topics', () => {
    const space = fitSpace(input, { seed: 1, k: 4 });
    const placed = assignAll(space, sample).rows;
    const planted = sample.map((row) => Number(row.facts.excerpt.split(' ')[1]));
    expect(
      adjustedRand(
        placed.map((row) => row.cell!),
        planted,
      ),
    ).toBeGreaterThan(0.95);
    expect(space.episode.stability).toBeGreaterThan(0.95);
  });

  it('follows the rule for K and says so', () => {
    const space = fitSpace(input, { seed: 1 });
    expect(space.nFit).toBe(96);
    expect(space.k).toBe(6);
    expect(space.kRule).toContain('96 episodes');
    expect(space.episode.centroids.rows).toBe(6);
    expect(space.interactionEpisode.centroids.rows).toBe(6);
    expect(fitSpace(input, { seed: 1, maximumK: 3 }).k).toBe(3);
    expect(fitSpace(input, { seed: 1, k: 20 }).k).toBe(20);
  });

  it('gives each block the total variance of its weight squared on the fit rows', () => {
    const space = fitSpace(beside, { seed: 3, semanticWeight: 2, interactionWeight: 0.5 });
    const fitRows = people.filter((row) => space.reference.get(row.facts.hash) === 'fit');
    const placed = assignAll(space, fitRows);
    const total = (vectors: Float32Array[]) => {
      let sum = 0;
      for (let j = 0; j < vectors[0]!.length; j++) {
        const mean = vectors.reduce((s, v) => s + v[j]!, 0) / vectors.length;
        sum += vectors.reduce((s, v) => s + (v[j]! - mean) ** 2, 0) / (vectors.length - 1);
      }
      return sum;
    };
    expect(total(fitRows.map((_, i) => placed.reservoirRow(i).interaction))).toBeCloseTo(0.25, 4);
  });

  it.each([
    ['without people', input],
    ['beside people', beside],
  ])('gives an equal space for permuted, repeated and renamed rows %s', (_, given) => {
    const first = fitSpace(given, { seed: 5 });
    const names = new Map(SIMULATORS.map((name, i) => [name, `other-${9 - i}`]));
    const change = (rows: typeof sample) =>
      seeded('permute')
        .shuffle([...rows, ...rows.slice(0, 17)])
        .map((row, i) =>
          withFacts(row, {
            id: `new-${i}`,
            simulator: names.get(row.facts.simulator) ?? 'folk',
            policy: 'another',
            person: row.facts.person === null ? null : `renamed-${row.facts.person}`,
          }),
        );
    const second = fitSpace(
      { ...given, behaviours: change(sample), reference: change([...given.reference]) },
      { seed: 5 },
    );
    expect(second.id).toBe(first.id);
    expect(encodeSpace(second)).toBe(encodeSpace(first));
  });

  it('fits on the fit part of people only', () => {
    const space = fitSpace(beside, { seed: 2 });
    const kept = people.filter((row) => space.reference.get(row.facts.hash) === 'fit');
    expect(space.fittedOn).toBe('people');
    expect(space.nFit).toBe(kept.length);
    const person = new Map<string, Set<string>>();
    for (const row of people) {
      const parts = person.get(row.facts.person!) ?? new Set();
      person.set(row.facts.person!, parts.add(space.reference.get(row.facts.hash)!));
    }
    expect([...person.values()].every((parts) => parts.size === 1)).toBe(true);
    const sizes = [...person.values()].map((parts) => [...parts][0]);
    expect(sizes.filter((part) => part === 'fit').length).toBe(20);
    expect(sizes.filter((part) => part === 'mass').length).toBe(10);
  });

  it('uses z as it is where all rows share one context', () => {
    const one = episodes({ simulators: SIMULATORS, contexts: 1, perCell: 40 });
    const space = fitSpace({ ...input, behaviours: one }, { seed: 1 });
    expect(space.singleContext).toBe(true);
    expect(space.contextEffects.size).toBe(0);
    expect(assignAll(space, one).rows.every((row) => row.cell !== null)).toBe(true);
  });

  it('has no full cell for rows of contexts that only one simulator met', () => {
    const alone = SIMULATORS.flatMap((name) =>
      episodes({ simulators: [name], contexts: 10, perCell: 4, contextName: (c) => `${name}-${c}` }),
    );
    const space = fitSpace({ ...input, behaviours: alone }, { seed: 1 });
    expect(space.contextEffects.size).toBe(0);
    const rows = assignAll(space, alone).rows;
    expect(rows.every((row) => row.cell === null && row.outside === null)).toBe(true);
    expect(new Set(rows.map((row) => row.interactionCell)).size).toBeGreaterThan(2);
  });

  it('holds rows out for the radius also where every episode has a simulator of its own', () => {
    const each = sample.map((row, i) => withFacts(row, { simulator: `persona ${i}` }));
    const space = fitSpace({ ...input, behaviours: each }, { seed: 1 });
    expect(space.nFit).toBeGreaterThan(70);
    expect(space.nFit).toBeLessThan(120);
    expect(space.interactionEpisode.radius).toBeGreaterThan(0);
  });

  it('refuses fewer than four rows to fit on, and takes four', () => {
    expect(() => fitSpace({ ...input, behaviours: sample.slice(0, 3) }, { seed: 1 })).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_TOO_SMALL' }),
    );
    const few = fitSpace({ ...input, behaviours: sample.slice(0, 6) }, { seed: 1 });
    expect(few.nFit).toBe(4);
    expect(few.k).toBe(2);
  });

  it('refuses a K outside 2 .. 256', () => {
    expect(() => fitSpace(input, { seed: 1, k: 1 })).toThrow(expect.objectContaining({ code: 'CA_USAGE' }));
    expect(() => fitSpace(input, { seed: 1, k: 300 })).toThrow(expect.objectContaining({ code: 'CA_USAGE' }));
  });

  it('takes missing features as the mean and survives features that never vary or are never there', () => {
    const holes = episodes({ simulators: SIMULATORS, contexts: 8, perCell: 4, missing: 0.3 }).map((row) => {
      const interaction = Float64Array.from(row.interaction);
      interaction[4] = Number.NaN;
      interaction[5] = 1;
      return { ...row, interaction };
    });
    const space = fitSpace({ ...input, behaviours: holes }, { seed: 1 });
    const nothing = { ...holes[0]!, interaction: new Float64Array(FEATURES.length).fill(Number.NaN) };
    const { interaction } = assignAll(space, [nothing]).reservoirRow(0);
    expect([...interaction].every((value) => value === 0)).toBe(true);
    expect([...space.interactionEpisode.centroids.data].every(Number.isFinite)).toBe(true);
  });
});
