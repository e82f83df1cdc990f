import { hash32 } from '../../math/hash.ts';
import type { Setting } from '../world/setting.ts';
import type { World } from '../world/world.ts';

/** Numbers of seed 0 that are known by their scenario: all there are in persuasion, the first ones elsewhere. */
export const KNOWN_SETTINGS = 1008;
const SEED = 0;

const known = new WeakMap<World, ReadonlyMap<string, Setting>>();

/**
 * The setting that a simulated user's instructions are about: one of the first of seed 0 whose scenario they are or
 * hold; for any other instructions one drawn by their hash, so that equal ones share a setting.
 */
export function settingOfInstructions(world: World, instructions: string): Setting {
  const scenarios = known.get(world) ?? scenariosOf(world);
  known.set(world, scenarios);
  const same = scenarios.get(instructions);
  if (same !== undefined) return same;
  for (const [scenario, setting] of scenarios) if (instructions.includes(scenario)) return setting;
  return world.setting(hash32(instructions) >>> 1, SEED);
}

function scenariosOf(world: World): Map<string, Setting> {
  const scenarios = new Map<string, Setting>();
  for (let number = 0; number < KNOWN_SETTINGS; number++) {
    const setting = world.setting(number, SEED);
    if (!scenarios.has(setting.scenario)) scenarios.set(setting.scenario, setting);
  }
  return scenarios;
}
