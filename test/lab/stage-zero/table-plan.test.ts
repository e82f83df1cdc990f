import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellName,
  cellsOf,
  DEFAULT_PANELS,
  differenceOf,
  readCellName,
  shardOf,
  studyOf,
  tablePlan,
} from '../../../src/lab/stage-zero/index.ts';
import { trainingSettings } from '../../../src/lab/trainer/index.ts';

describe('the plan of a table', () => {
  it('names worlds with their horizons, each once', () => {
    const { worlds } = tablePlan({ worlds: ['persuasion', 'persuasion-10', 'pair-coding', 'service-20'] });
    expect(worlds).toEqual([
      { world: 'persuasion', horizon: 10 },
      { world: 'pair-coding', horizon: 50 },
      { world: 'service', horizon: 20 },
    ]);
  });

  it('has every world at its usual horizon, and one at three', () => {
    const cells = cellsOf(tablePlan());
    const worlds = new Set(cells.map(({ world, horizon }) => `${world}-${horizon}`));
    expect([...worlds]).toEqual([
      'persuasion-10',
      'service-30',
      'pair-coding-50',
      'persuasion-30',
      'persuasion-50',
    ]);
    expect(new Set(cells.map(({ seed }) => seed)).size).toBe(20);
  });

  it.each([
    [{ worlds: ['persuation'] }, 'Did you mean "persuasion"?'],
    [{ methods: ['singel'] }, 'Did you mean "single"?'],
    [{ seeds: [] }, 'a table without seeds'],
  ])('refuses %o with help', (names, help) => {
    expect(() => tablePlan(names)).toThrow(
      expect.objectContaining({ code: 'CA_USAGE', line: expect.stringContaining(help) }),
    );
  });

  it('has all methods of a seed before the next seed', () => {
    const names = cellsOf(
      tablePlan({ worlds: ['persuasion'], methods: ['vs-prob', 'single'], seeds: [2, 1] }),
    ).map(cellName);
    expect(names).toEqual([
      'persuasion-10/single/seed-1',
      'persuasion-10/vs-prob/seed-1',
      'persuasion-10/single/seed-2',
      'persuasion-10/vs-prob/seed-2',
    ]);
    expect(names.map(readCellName).map(cellName)).toEqual(names);
  });

  it('has each cell in one shard, and seeds of every method in each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 7 }), (of, count) => {
        const cells = cellsOf(
          tablePlan({
            worlds: ['persuasion'],
            methods: ['base', 'single', 'vs-prob'],
            seeds: Array.from({ length: count }, (_, i) => i),
          }),
        );
        const shards = Array.from({ length: of }, (_, i) =>
          shardOf(cells, { index: i + 1, of }).map(cellName),
        );
        expect(shards.flat().sort()).toEqual(cells.map(cellName).sort());
        const sizes = shards.map((shard) => shard.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(count);
      }),
    );
    const shard = shardOf(cellsOf(tablePlan({ worlds: ['persuasion'], seeds: [1, 2, 3, 4, 5, 6] })), {
      index: 1,
      of: 3,
    });
    expect(new Set(shard.map(({ seed }) => seed)).size).toBe(6);
  });
});

describe('a study', () => {
  const study = studyOf(trainingSettings(), DEFAULT_PANELS);

  it('is known by its settings and panels, whatever the order of their keys', () => {
    const settings = Object.fromEntries(Object.entries(trainingSettings()).reverse());
    expect(studyOf(settings as never, DEFAULT_PANELS).hash).toBe(study.hash);
    expect(differenceOf(study, JSON.parse(JSON.stringify(study)))).toBeNull();
  });

  it('says in what another differs', () => {
    const other = studyOf(trainingSettings({ steps: 6 }), DEFAULT_PANELS);
    expect(differenceOf(study, other)).toBe('settings.steps is 250 there and 6 here');
    const [first, ...rest] = DEFAULT_PANELS.seen;
    const panels = { ...DEFAULT_PANELS, seen: [{ ...first!, gamma: 2 }, ...rest] };
    expect(differenceOf(study, studyOf(trainingSettings(), panels))).toContain('panels.seen.0.gamma is');
  });
});
