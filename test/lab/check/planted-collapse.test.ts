import { describe, expect, it } from 'vitest';
import { exactCollapse } from '../../../src/lab/check/mode-laws.ts';
import { PLANTED, plantedCollapse } from '../../../src/lab/check/planted-collapse.ts';
import { seeded } from '../../../src/math/index.ts';

const verdicts = (checks: ReturnType<typeof plantedCollapse>) =>
  new Map(checks.map(({ id, verdict }) => [id.split('.').slice(2).join('.'), verdict]));

describe('planted collapse', () => {
  it('is found at the value it was planted with', () => {
    for (const planted of PLANTED) {
      const checks = plantedCollapse(planted, 20, seeded(`planted/${planted.id}`));
      expect(checks.filter(({ verdict }) => verdict === 'outside')).toEqual([]);
    }
  });

  it('is outside where another was planted', () => {
    const narrow = PLANTED.find(({ id }) => id === 'geometric-4')!;
    const broad = PLANTED.find(({ id }) => id === 'geometric-1')!;
    const found = verdicts(plantedCollapse(narrow, 20, seeded('wrong'), exactCollapse(broad.laws)));
    for (const name of ['pooled', 'pooled2', 'within', 'within2', 'pooled.coverage', 'pooled2.coverage'])
      expect([name, found.get(name)]).toEqual([name, 'outside']);
  });
});
