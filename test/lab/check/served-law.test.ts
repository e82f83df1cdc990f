import { expect, it } from 'vitest';
import { servedLaws } from '../../../src/lab/check/served-law.ts';
import { WORLD_IDS, worldOf } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/index.ts';

it.each(WORLD_IDS)('families of %s answer by their definition at every history', (id) => {
  const [check] = servedLaws(worldOf(id, 10), seeded('law'));
  expect(check).toMatchObject({ verdict: 'inside', exact: 0 });
  expect(check!.estimate.value!).toBeLessThan(1e-9);
  expect(check!.estimate.n).toBeGreaterThan(500);
});
