import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';

const SHARES = ['trust', 'patience', 'disclosure', 'consistency', 'politeness', 'expressiveness'] as const;
const PLACES = 2;

/**
 * Traits as a persona prompt of the lab says them: `trust 0.30, patience 0.55, ..., habit 2, likes facts -0.20`. Two
 * digits, since nobody describes a person more exactly.
 */
export function traitsInWords(world: World, traits: UserTraits): string {
  return [
    ...SHARES.map((name) => `${name} ${inDigits(traits[name])}`),
    `habit ${traits.habit}`,
    ...world.appeals.map((appeal, i) => `likes ${appeal} ${inDigits(traits.affinities[i]!)}`),
  ].join(', ');
}

/** A little below nothing is nothing: one person has one description. */
const inDigits = (value: number): string => value.toFixed(PLACES).replace(/^-(0\.0+)$/, '$1');

/** The traits that a text names; null where it does not name all of the world's, each once and in its range. */
export function readTraits(world: World, text: string): UserTraits | null {
  const named = new Map<string, number>();
  for (const part of text.split(',')) {
    const found = /^\s*(?:likes )?(.+?) (-?\d+(?:\.\d+)?)\s*$/.exec(part);
    if (found === null || named.has(found[1]!)) return null;
    named.set(found[1]!, Number(found[2]));
  }
  const within = (name: string, low: number, high: number): number => {
    const value = named.get(name);
    named.delete(name);
    return value !== undefined && value >= low && value <= high ? value : Number.NaN;
  };
  const shares = Object.fromEntries(SHARES.map((name) => [name, within(name, 0, 1)])) as Record<
    (typeof SHARES)[number],
    number
  >;
  const habit = within('habit', 0, world.habits - 1);
  const affinities = world.appeals.map((appeal) => within(appeal, -1, 1));
  const all = [...Object.values(shares), ...affinities];
  if (named.size > 0 || all.some(Number.isNaN) || !Number.isInteger(habit)) return null;
  return { ...shares, habit, affinities };
}
