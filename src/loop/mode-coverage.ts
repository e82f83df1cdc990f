import { missingModes } from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import { shownLaw } from './candidates.ts';
import { unitNumbers } from './look.ts';
import { lawOf } from './mode-law.ts';
import type { RoundRecord } from './round-record.ts';
import { tallyOfPeople, tallyOfRows } from './rows-tally.ts';
import type { RunState } from './run-state.ts';

/**
 * Each mode before and after a round, the most frequent of people first: what fell there in the look, and what is expected
 * of the population that was accepted; null where none was.
 */
export function modeCoverage(
  state: RunState,
  rows: readonly PlacedRow[],
  accepted: boolean,
): RoundRecord['modes'] {
  const { open } = state;
  const before = lawOf(rows, open.k);
  const after = accepted ? shownLaw(state.laws(state.shares.keys()), state.shares) : null;
  const units = unitNumbers(open, rows);
  const lacking =
    open.people === null
      ? []
      : missingModes(tallyOfRows(rows, open.k, units), tallyOfPeople(open.people.mass, open.k, units));
  const named = new Set(lacking.map(({ mode }) => mode));
  return Array.from({ length: open.k }, (_, mode) => ({
    mode,
    mass: open.people === null ? null : state.target[mode]!,
    before: before[mode]!,
    after: after === null ? null : after[mode]!,
    missing: named.has(mode),
  })).sort((a, b) => (b.mass ?? 0) - (a.mass ?? 0) || a.mode - b.mode);
}
