import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, describe as describeEpisodes, FEATURES, fitLsa } from '../../src/embedding/index.ts';
import { readFiles } from '../../src/formats/read.ts';
import { adjustedMutualInformation } from '../../src/math/index.ts';
import { type BehaviourSpace, fitSpace, modeInformationRows } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';

const data = process.env.CA_DATA ?? resolve(import.meta.dirname, '../../../shared/data');
const folder = join(data, 'tau2_factorial');

describe.skipIf(!existsSync(folder))('behaviour space on tau2 retail (skipped without the data)', () => {
  let rows: Behaviour[];
  let space: BehaviourSpace;

  beforeAll(async () => {
    const files = readdirSync(folder);
    const trajectories: Trajectory[] = [];
    for await (const row of readFiles(files.map((name) => join(folder, name))))
      if (row.kind === 'trajectory') trajectories.push(row.trajectory);
    const texts = trajectories.flatMap((t) =>
      t.turns.flatMap((turn) => (turn.role === 'user' && turn.text !== null ? [turn.text] : [])),
    );
    const lsa = fitLsa([...new Set(texts)].sort());
    rows = await describeEpisodes(trajectories, lsa);
    space = fitSpace(
      {
        behaviours: rows,
        reference: [],
        embedder: { id: lsa.id, dimension: lsa.dimension, model: lsa.toJSON() },
        features: FEATURES.map((feature) => feature.name),
      },
      { seed: 1 },
    );
  }, 60_000);

  it('fits a controlled space in which topic no longer tells modes, and simulators still do', () => {
    expect(space.contextEffects.size).toBeGreaterThan(20);
    const cells = modeInformationRows(space, rows);
    const after = adjustedMutualInformation(cells.after, cells.context);
    expect(Math.abs(after)).toBeLessThan(0.08);
    expect(adjustedMutualInformation(cells.after, cells.simulator)).toBeGreaterThan(0.1);
  });

  it('has a radius in the full and in the interaction codebook', () => {
    expect(space.episode.radius).toBeGreaterThan(0);
    expect(space.interactionEpisode.radius).toBeGreaterThan(0);
  });
});
