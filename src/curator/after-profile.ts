import { rowsOfHash } from '../curation/row-search.ts';
import type { CurationRows } from '../curation/rows.ts';
import { type Profile, ProfileBuilder } from '../space/index.ts';

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
    const policy = row.checkpoint === null ? row.policy : `${row.policy}@${row.checkpoint}`;
    const stays =
      row.part !== null ||
      rowsOfHash(rows, row.hash).some(
        (own) =>
          chosen[own] === 1 &&
          rows.simulators[rows.simulator[own]!] === row.simulator &&
          rows.contexts[rows.context[own]!] === row.context &&
          rows.policies[rows.policy[own]!] === policy &&
          (row.reward === null ? Number.isNaN(rows.reward[own]!) : rows.reward[own] === row.reward),
      );
    if (!stays) continue;
    builder.add(row);
    kept.add(keyOf(row));
  }
  for (const row of gated.reservoir) if (kept.has(keyOf(row))) builder.addReservoir(row);
  return builder.build();
}

function keyOf(row: { hash: string; simulator: string; part: string | null }): string {
  return `${row.hash}\u0000${row.part ?? ''}\u0000${row.part === null ? row.simulator : ''}`;
}
