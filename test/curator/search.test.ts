import { expect, it } from 'vitest';
import { samplesOf } from '../../src/audit/samples.ts';
import type { Changed } from '../../src/curator/before-after.ts';
import { headlineOf, verdictOf } from '../../src/curator/before-after.ts';
import { searchOf } from '../../src/curator/search.ts';
import { curated, labRollouts } from './curated-columns.ts';

const ROWS = labRollouts(4, 2, 8);

it('where nothing was left out there is one subset of that size, and it is said so', async () => {
  const done = await curated(ROWS, { weights: false, batches: false });
  const figures = {
    g0: { contexts: 2, rows: 1 },
    hasPeople: false,
    scd2: done.beforeAfter.scd2,
    bdi: done.beforeAfter.bdi,
    mass: done.beforeAfter.mass,
    realism: done.beforeAfter.realism,
  } satisfies Changed;
  const found = searchOf(samplesOf(done.view, done.space), done.plan, figures, 4000, 1)!;
  expect(found).toMatchObject({ rows: done.view.rows.size, evaluations: 1 });
  expect(found.bestScd2.scd2).toBeCloseTo(done.beforeAfter.scd2.after.value!, 9);
  expect(found.bestScd2.realism).toBeCloseTo(done.beforeAfter.realism.after.value!, 9);
  expect(found.bestBdi).toEqual(found.bestScd2);
  const rows = { read: ROWS.length, kept: ROWS.length, after: ROWS.length };
  expect(headlineOf(figures, 'limited-by-data', rows, found)).toContain('no other subset');
});

it('where rows were left out others of that size are looked at, and none is worse than what curation gave', async () => {
  const done = await curated(ROWS, { weights: false, batches: { size: 16 } });
  const { scd2, bdi, mass, realism, g0 } = done.beforeAfter;
  const figures = { g0: { contexts: g0!, rows: 1 }, hasPeople: false, scd2, bdi, mass, realism };
  const found = searchOf(samplesOf(done.view, done.space), done.plan, figures, 600, 1)!;
  expect(found.rows).toBeLessThan(done.view.rows.size);
  expect(found.evaluations).toBeGreaterThan(500);
  expect(found.bestScd2.scd2!).toBeLessThanOrEqual(scd2.after.value! + 1e-9);
  expect(searchOf(samplesOf(done.view, done.space), done.plan, figures, 600, 1)).toEqual(found);
});

it('a figure that is missing has not stayed the same: nothing is judged without it', async () => {
  const done = await curated(ROWS, { weights: false, batches: { size: 16 } });
  const { scd2, bdi, mass, realism } = done.beforeAfter;
  const none = { value: null, low: null, high: null, n: 0, method: 'none', reason: 'off support' };
  const risen = { ...mass, difference: { ...mass.difference, value: 0.2, low: 0.1, high: 0.3 } };
  const known: Changed = { g0: null, hasPeople: false, scd2, bdi, mass: risen, realism };
  const missing: Changed = { ...known, scd2: { before: none, after: none, difference: none } };
  expect(verdictOf(known)).not.toBe('not-judged');
  expect(verdictOf(missing)).toBe('not-judged');
  expect(headlineOf(missing, 'not-judged', { read: 8, kept: 8, after: 8 }, null)).toContain('off support');
});
