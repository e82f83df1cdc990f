import { type Random, seeded } from '../../src/math/random.ts';
import type { PlacedRow } from '../../src/synthesis/index.ts';

/** Planted rows: cells drawn from a law, contexts crossed. */
export interface Planted {
  readonly simulator: string;
  readonly law: readonly number[];
  readonly contexts: number;
  /** Rows of each context. */
  readonly each: number;
  readonly outside?: number;
  /** Chance of reward 1; null = no reward. */
  readonly reward?: ((context: number) => number) | null;
}

export function plant(
  { simulator, law, contexts, each, outside = 0, reward = null }: Planted,
  random: Random = seeded(simulator),
): PlacedRow[] {
  return Array.from({ length: contexts * each }, (_, i) => {
    const context = i % contexts;
    return {
      id: `${simulator}/${i}`,
      hash: hash(random),
      context: `c${context}`,
      simulator,
      cell: drawn(law, random),
      outside: random.next() < outside,
      reward: reward === null ? null : random.next() < reward(context) ? 1 : 0,
      turns: 8,
    };
  });
}

/** As a content hash looks: its order says nothing of the row. */
export const hash = (random: Random): string =>
  Array.from({ length: 16 }, () => random.integer(16).toString(16)).join('');

function drawn(law: readonly number[], random: Random): number {
  let left = random.next();
  for (const [cell, p] of law.entries()) {
    left -= p;
    if (left < 0) return cell;
  }
  return law.length - 1;
}

export const mixed = (a: readonly number[], b: readonly number[], lambda: number): number[] =>
  a.map((p, cell) => (1 - lambda) * p + lambda * b[cell]!);

/** Rows in another order, with other ids and names of contexts, and some of them twice. */
export function disguised(rows: readonly PlacedRow[], random: Random): PlacedRow[] {
  const twice = rows.filter(() => random.next() < 0.2);
  return random.shuffle([...rows, ...twice]).map((row, i) => ({
    ...row,
    id: `row ${i}`,
    context: `context ${row.context}`,
  }));
}
