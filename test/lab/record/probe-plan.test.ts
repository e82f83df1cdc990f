import { describe, expect, it } from 'vitest';
import { planProbes } from '../../../src/lab/record/index.ts';
import { tinyRandom } from './tiny-world.ts';

describe('planProbes', () => {
  it('probes turns with the chance it states', () => {
    let probed = 0;
    for (let episode = 0; episode < 400; episode++) {
      const plan = planProbes({ share: 0.3 }, tinyRandom(`plan/${episode}`));
      expect(plan.resamples).toBe(8);
      for (let depth = 0; depth < 10; depth++) if (plan.probes(depth)) probed += 1;
    }
    expect(Math.abs(probed / 4000 - 0.3)).toBeLessThan(4 * Math.sqrt(0.21 / 4000));
  });

  it('refuses what cannot be', () => {
    const random = tinyRandom('plan');
    for (const options of [{ share: 1.1 }, { share: Number.NaN }, { share: 0.5, resamples: 1 }])
      expect(() => planProbes(options, random)).toThrow(RangeError);
  });
});
