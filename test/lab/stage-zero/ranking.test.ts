import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PANELS,
  GRID_PLAN,
  gridPoints,
  rankingMarkdown,
  rankingOf,
  rankingSummary,
} from '../../../src/lab/stage-zero/index.ts';
import { trainingSettings } from '../../../src/lab/trainer/index.ts';
import { madeCell } from './made-cells.ts';

const settings = trainingSettings();
const points = gridPoints(settings, DEFAULT_PANELS, ['single', 'vs-prob', 'ensemble-3']);
const point = (id: string) => points.find((one) => one.id === id)!;

describe('the grid', () => {
  it('moves one factor at a time, all families in proportion', () => {
    const moved = point('gamma-2').study.panels;
    const ratios = Object.values(moved)
      .flat()
      .map(({ gamma }, i) => gamma / Object.values(DEFAULT_PANELS).flat()[i]!.gamma);
    expect(moved.seen[0]!.gamma).toBe(2);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(ratios[0]!, 4);
    expect(moved.seen.map(({ kappa }) => kappa)).toEqual(DEFAULT_PANELS.seen.map(({ kappa }) => kappa));
    expect(point('eta-0.3').study.settings.verbalized.error).toBe(0.3);
    for (const { study } of points)
      for (const { kappa } of Object.values(study.panels).flat()) expect(kappa).toBeLessThanOrEqual(0.9);
  });

  it('stays within what a file of panels may say', () => {
    const [first, ...rest] = DEFAULT_PANELS.seen;
    const narrow = { ...DEFAULT_PANELS, seen: [{ ...first!, gamma: 40, kindGamma: 1 }, ...rest] };
    for (const { study } of gridPoints(settings, narrow))
      for (const { gamma, kindGamma = gamma } of Object.values(study.panels).flat())
        for (const exponent of [gamma, kindGamma]) {
          expect(exponent).toBeGreaterThanOrEqual(1);
          expect(exponent).toBeLessThanOrEqual(64);
        }
    const people = { ...DEFAULT_PANELS, seen: [{ ...first!, kappa: 0 }, ...rest] };
    expect(() => gridPoints(settings, people)).toThrow(/moves kappa in proportion .* "alder", which is 0/);
  });

  it('is the default once, whatever values are its own', () => {
    const hashes = points.map(({ study }) => study.hash);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(points.map(({ id }) => id)).not.toContain('eta-0.1');
  });

  it('runs where eta is moved only what eta reaches', () => {
    expect(point('eta-0').methods).toEqual(['vs-prob']);
    expect(point('kappa-0.3').methods).toEqual(['single', 'vs-prob', 'ensemble-3']);
    expect(gridPoints(settings, DEFAULT_PANELS)[0]!.methods).toEqual(GRID_PLAN.methods);
  });
});

describe('the order of methods over a grid', () => {
  const cells = (method: string, values: readonly number[]) =>
    values.map((heldOut, i) => madeCell({ method, seed: i + 1, heldOut }));
  const single = cells('single', [0.4, 0.5, 0.6]);
  const ranking = rankingOf(
    { world: 'persuasion', horizon: 10 },
    [1, 2, 3],
    [
      {
        point: point('default'),
        cells: [...single, ...cells('vs-prob', [0.5, 0.6, 0.71]), ...cells('ensemble-3', [0.4, 0.6, 0.5])],
      },
      {
        point: point('gamma-2'),
        cells: [...single, ...cells('vs-prob', [0.3, 0.4, 0.49]), ...cells('ensemble-3', [0.5, 0.6, 0.71])],
      },
      { point: point('eta-0'), cells: cells('vs-prob', [0.4, 0.5, 0.7]) },
    ],
  );
  const pair = (first: string, second: string) =>
    ranking.pairs.find((one) => one.first === first && one.second === second)!;

  it('flips where each is ahead somewhere, by the intervals', () => {
    const found = pair('single', 'vs-prob');
    expect(found.points.map(({ ahead }) => ahead)).toEqual(['second', 'first', 'not told apart']);
    expect(found.flips).toBe(true);
    expect(rankingSummary(ranking)).toContain('Flips: single is ahead of vs-prob at gamma-2 (+0.103');
  });

  it('does not flip where one of the two is not told apart', () => {
    const found = pair('single', 'ensemble-3');
    expect(found.points.map(({ ahead }) => ahead)).toEqual(['not told apart', 'second', 'not told apart']);
    expect(found.flips).toBe(false);
  });

  it('takes cells of the default for methods that a point does not reach', () => {
    expect(ranking.points[2]!.heldOut.single).toEqual(ranking.points[0]!.heldOut.single);
    expect(ranking.points[2]!.heldOut['vs-prob']!.value).toBeCloseTo(0.5333, 3);
    expect(rankingMarkdown(ranking)).toContain('| single - vs-prob | < | > | = | yes |');
  });
});
