import { describe, expect, it } from 'vitest';
import { readRecipe } from '../../src/curation/index.ts';
import type { BeforeAfter, ChangedFigure } from '../../src/curation/manifest.ts';
import { type Curated, curate } from '../../src/curator/index.ts';
import type { Trajectory } from '../../src/trajectory/index.ts';
import { episodes, hasData, recordsOf } from '../data.ts';

/** What one figure may give way while the other gains. */
const ALLOWED = 0.05;

const lost = ({ difference }: ChangedFigure) => difference.value !== null && difference.high! < 0;

/** Better on one side and not worse on the other, at one size; realism not shown lower. */
function gained({ scd2, bdi, mass, realism }: BeforeAfter, people: boolean): boolean {
  const cover = (people ? bdi : mass).difference.value!;
  const apart = scd2.difference.value!;
  return ((cover > 0 && apart <= ALLOWED) || (apart < 0 && cover >= -ALLOWED)) && !lost(realism);
}

/** Improved, or the numbers of the best that a stated search of as many gated rows reached. */
function expectGainOrSearch({ beforeAfter, headline }: Curated, people: boolean): void {
  expect(beforeAfter.g0, 'a size at which both are read').toBeGreaterThan(0);
  if (gained(beforeAfter, people)) return;
  const { search } = beforeAfter;
  expect(search, headline).not.toBeNull();
  expect(search!.evaluations).toBeGreaterThan(1000);
  expect(search!.rows).toBeGreaterThan(0);
  for (const { scd2, bdi } of [search!.bestScd2, search!.bestBdi]) {
    expect(scd2).toEqual(expect.any(Number));
    expect(bdi).toEqual(expect.any(Number));
  }
  expect(headline).toContain('the best of');
}

const balanced = (seed: number) => readRecipe({ seed, batches: { balance: 'mode' } });
const SETS = [
  ['tau airline', 'tau2', ['tau2/airline*.json.gz']],
  ['tau2_factorial', 'tau2_factorial', ['tau2_factorial/*.jsonl.gz']],
] as const;

describe.runIf(hasData('persuasiontrace'))('persuasiontrace beside its people', async () => {
  const here = hasData('persuasiontrace');
  const people: Trajectory[] = here
    ? (await episodes(['persuasiontrace/human_rounds.jsonl.gz'], 'persuasiontrace-people.yaml')).map(
        (row) => ({ ...row, simulator: { ...row.simulator, kind: 'human' as const } }),
      )
    : [];
  const rollouts = here
    ? await episodes(['persuasiontrace/sim__*.gz'], 'persuasiontrace-simulators.yaml')
    : [];

  it('gains by balanced batches, or says what the data could give', async () => {
    const done = await curate({ records: recordsOf(rollouts), people: recordsOf(people) }, balanced(1));
    expect(done.beforeAfter.bdi.after.value, done.headline).not.toBeNull();
    expectGainOrSearch(done, true);
  });
});

describe.each(SETS)('%s, without people', async (_, folder, patterns) => {
  const here = hasData(folder);
  const rollouts = here ? await episodes(patterns) : [];

  it.runIf(here).each([1, 2])(
    'gains by balanced batches, or says what the data could give (seed %i)',
    async (seed) => {
      const done = await curate({ records: recordsOf(rollouts) }, balanced(seed));
      expect(done.beforeAfter.bdi.after.reason).toContain('human reference');
      expectGainOrSearch(done, false);
    },
  );
});
