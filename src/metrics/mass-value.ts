import { coverGiven, type EqualSize, showChance } from './bdi-mass.ts';
import type { Tally } from './tally.ts';

/**
 * The value of behaviouralMass alone, without an interval: for searches that ask thousands of times. NaN where it is
 * not defined.
 */
export function massAt(data: Tally, reference: Tally | null, size: EqualSize): number {
  const { k } = data;
  const shown = showChance(size.rows);
  const visits: number[][] = Array.from({ length: k }, () => []);
  let total = 0;
  for (let u = 0; u < data.units.length; u++) {
    const held = data.size[u]!;
    if (held < size.rows) continue;
    total += 1;
    for (let e = data.start[u]!; e < data.start[u + 1]!; e++)
      if (data.inside[e]! > 0) visits[data.cell[e]!]!.push(shown(held, data.inside[e]!));
  }
  const most = visits.reduce((longest, list) => Math.max(longest, list.length), 0);
  const cover = coverGiven(total, size.contexts, most);
  const people = reference === null ? 0 : reference.insideCounts.reduce((sum, count) => sum + count, 0);
  let mass = 0;
  visits.forEach((list, cell) => {
    const weight = reference === null ? 1 / k : reference.insideCounts[cell]! / people;
    if (weight === 0) return;
    const law = new Float64Array(list.length + 1);
    law[0] = 1;
    list.sort((a, b) => a - b);
    list.forEach((q, seen) => {
      for (let v = seen + 1; v > 0; v--) law[v] = law[v]! * (1 - q) + law[v - 1]! * q;
      law[0]! *= 1 - q;
    });
    law.forEach((chance, v) => {
      if (chance > 0) mass += weight * chance * cover[v]!;
    });
  });
  return mass;
}
