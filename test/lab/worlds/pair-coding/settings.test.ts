import { expect, it } from 'vitest';
import { pairCoding } from '../../../../src/lab/worlds/pair-coding/index.ts';
import type { PairSetting } from '../../../../src/lab/worlds/pair-coding/pair-setting.ts';

const settings = (horizon: number, seed = 1) => {
  const world = pairCoding(horizon);
  return Array.from({ length: 300 }, (_, index) => world.setting(index, seed) as PairSetting);
};

it('has more than 100 settings, told apart by what the partner is told', () => {
  const all = settings(50);
  expect(new Set(all.map(({ scenario }) => scenario)).size).toBeGreaterThan(100);
  const byScenario = new Map<string, PairSetting>();
  for (const setting of all) {
    const same = byScenario.get(setting.scenario);
    if (same !== undefined) expect(setting).toEqual(same);
    byScenario.set(setting.scenario, setting);
  }
});
it.each([10, 50])('has features of 2 to 4 regions that overlap, at a horizon of %i', (horizon) => {
  for (const { agentRegions, partnerRegions, overlapRegions, kinds, agentOnly, partnerOnly } of settings(
    horizon,
  )) {
    expect([agentRegions.length, partnerRegions.length, overlapRegions.length]).toEqual([
      agentOnly,
      partnerOnly,
      kinds.length,
    ]);
    const symbols = [...agentRegions, ...partnerRegions, ...overlapRegions].map(({ symbol }) => symbol);
    expect(new Set(symbols).size).toBe(symbols.length);
    expect(symbols.length).toBeGreaterThanOrEqual(4);
    expect(symbols.length).toBeLessThanOrEqual(6);
    for (const own of [agentOnly, partnerOnly]) expect([2, 3, 4]).toContain(own + kinds.length);
  }
});
it('is the same for the same seed and index, and another for another seed', () => {
  expect(settings(50)).toEqual(settings(50));
  expect(settings(50, 2)).not.toEqual(settings(50, 1));
});
it('refuses a horizon that leaves no time', () => {
  expect(() => pairCoding(9)).toThrow(/horizon of 9/);
  expect(() => pairCoding(10.5)).toThrow(/horizon/);
});
it('refuses settings of other worlds', () => {
  const world = pairCoding();
  const other = { world: 'service', label: '', scenario: '', slots: {} };
  expect(() => world.begin(other, [world.types[0]!.traits])).toThrow(/service/);
});
