import type { Behaviour } from '../embedding/behaviour.ts';
import { hashOrder } from '../math/index.ts';

/** Rows by content hash, each (content, simulator, context) once: repeated rows weigh nothing more. */
export function inHashOrder(behaviours: readonly Behaviour[]): Behaviour[] {
  const key = ({ facts }: Behaviour) => [facts.hash, facts.simulator, facts.context] as const;
  const sorted = [...behaviours].sort((a, b) => compare(key(a), key(b)));
  return sorted.filter((row, i) => i === 0 || compare(key(row), key(sorted[i - 1]!)) !== 0);
}

/** Simulators with fewer rows than this give what they have, and do not hold the others down to it. */
const ENOUGH = 60;

/**
 * The same number of rows of every simulator, those with the smallest hashOrder(hash, seed): as many as the
 * smallest simulator has, or where that is under 60, min(60, median number); smaller ones give all they have.
 * `heldOut` is the share kept out of the fit, again by hash and within each simulator. Both in hash order.
 */
export function balancedSample(
  behaviours: readonly Behaviour[],
  seed: number,
  heldOut: number,
): { fit: Behaviour[]; held: Behaviour[]; each: number } {
  const groups = new Map<string, Behaviour[]>();
  for (const row of behaviours) {
    const group = groups.get(row.facts.simulator);
    if (group === undefined) groups.set(row.facts.simulator, [row]);
    else group.push(row);
  }
  const sizes = [...groups.values()].map((group) => group.length).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const each = Math.max(sizes[0] ?? 0, Math.min(ENOUGH, median));
  const fit: Behaviour[] = [];
  const held: Behaviour[] = [];
  for (const group of groups.values()) {
    const taken = byOrder(group, (hash) => hashOrder(hash, seed)).slice(0, each);
    const ordered = byOrder(taken, (hash) => hashOrder(`held/${hash}`, seed));
    // Rounded up or down by hash, so that simulators of one row each are not all fitted on.
    const kept = Math.floor(
      taken.length * (1 - heldOut) + hashOrder(`round/${ordered[0]!.facts.hash}`, seed),
    );
    ordered.forEach((item, i) => {
      (i < kept ? fit : held).push(item);
    });
  }
  return { fit: inHashOrder(fit), held: inHashOrder(held), each };
}

function byOrder(rows: readonly Behaviour[], order: (hash: string) => number): Behaviour[] {
  return rows
    .map((row) => ({ row, at: order(row.facts.hash) }))
    .sort((a, b) => a.at - b.at || (a.row.facts.hash < b.row.facts.hash ? -1 : 1))
    .map(({ row }) => row);
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}
