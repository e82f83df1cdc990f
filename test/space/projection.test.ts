import { describe, expect, it } from 'vitest';
import { assignAll, behaviourMap, fitSpace, ProfileBuilder, project } from '../../src/space/index.ts';
import { EMBEDDER, episodes, FEATURES } from './synthetic.ts';

describe('project', () => {
  it('shows a plane as it is, all of its variance explained', () => {
    const vectors = Float32Array.of(3, 0, 0, -3, 0, 0, 0, 0, 1, 0, 0, -1);
    const centroids = { rows: 1, columns: 3, data: Float32Array.of(0, 5, 0) };
    const map = project(vectors, 4, 3, centroids);
    expect([...map.points].map((x) => Math.round(x * 1e4) / 1e4 + 0)).toEqual([3, 0, -3, 0, 0, 1, 0, -1]);
    expect(map.explained).toBeCloseTo(1, 6);
    expect([...map.centroids].map((x) => Math.abs(x))).toEqual([0, 0]);
  });

  it('keeps its shape for one point and for no column', () => {
    const none = { rows: 2, columns: 0, data: new Float32Array(0) };
    expect(project(new Float32Array(0), 5, 0, none).points).toHaveLength(10);
    expect(
      project(Float32Array.of(1, 2), 1, 2, { rows: 0, columns: 2, data: new Float32Array(0) }).explained,
    ).toBe(0);
  });
});

describe('behaviourMap', () => {
  const sample = episodes({ simulators: ['a', 'b'], contexts: 10, perCell: 4, topic: 0.5 });
  const space = fitSpace(
    { behaviours: sample, reference: [], embedder: EMBEDDER, features: FEATURES },
    { seed: 2 },
  );
  const builder = new ProfileBuilder(space.id, { seed: 2 });
  const placed = assignAll(space, sample);
  builder.addPlaced(placed);
  const profile = builder.build();

  it.each(['full', 'interaction'] as const)('has the cells of the profile in the %s block', (block) => {
    const map = behaviourMap(profile.reservoir, space, block);
    expect(map.points).toHaveLength(80);
    expect(map.centroids).toHaveLength(space.k);
    expect(map.explained).toBeGreaterThan(0.3);
    const cells = new Map(
      placed.rows.map((row) => [row.hash, block === 'full' ? row.cell : row.interactionCell]),
    );
    for (const point of map.points) expect(point.cell).toBe(cells.get(point.row.hash));
  });
});
