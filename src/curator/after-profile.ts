import { rowsOfHash } from '../curation/row-search.ts';
import type { CurationRows } from '../curation/rows.ts';
import { type Profile, ProfileBuilder, type ProfileRow } from '../space/index.ts';
import { policyName } from './place-gated.ts';

/**
 * The part of a gated profile that was chosen, with its people. Rows of a profile are told apart by content,
 * simulator, context and reward, not by group: one of them stays where any row folded into it was chosen.
 */
export function chosenProfile(gated: Profile, rows: CurationRows, chosen: Uint8Array): Profile {
  const builder = new ProfileBuilder(gated.space, {
    seed: gated.seed,
    reservoirSize: gated.reservoirSize,
  });
  const kept = new Set<string>();
  for (let at = 0; at < gated.size; at++) {
    const row = gated.peek(at);
    if (row.part === null && !isChosen(row, rows, chosen)) continue;
    builder.add(row);
    kept.add(keyOf(row));
  }
  for (const row of gated.reservoir) if (kept.has(keyOf(row))) builder.addReservoir(row);
  return builder.build();
}

/** Whether any row that is folded into a row of a profile was chosen. */
export function isChosen(placed: ProfileRow, rows: CurationRows, chosen: Uint8Array): boolean {
  const policy = policyName(placed.policy, placed.checkpoint);
  return rowsOfHash(rows, placed.hash).some(
    (own) =>
      chosen[own] === 1 &&
      rows.simulators[rows.simulator[own]!] === placed.simulator &&
      rows.contexts[rows.context[own]!] === placed.context &&
      rows.policies[rows.policy[own]!] === policy &&
      (placed.reward === null ? Number.isNaN(rows.reward[own]!) : rows.reward[own] === placed.reward),
  );
}

function keyOf(row: { hash: string; simulator: string; part: string | null }): string {
  return `${row.hash}\u0000${row.part ?? ''}\u0000${row.part === null ? row.simulator : ''}`;
}
