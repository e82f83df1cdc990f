import { MOST_OUTSIDE, type Samples } from '../audit/samples.ts';
import type { CurationFacts } from '../curation/plan.ts';
import type { CurationRows } from '../curation/rows.ts';
import { type Figure, missing, modeConcentration } from '../metrics/index.ts';

/** What weights rest on: MCI of every simulator over its gated rows, and how people share out over the modes. */
export function gatedFacts(rows: CurationRows, gated: Samples): CurationFacts {
  return { mci: concentrations(rows.simulators, gated), reference: referenceLaw(gated) };
}

/** In the order of `simulators`. */
export function concentrations(simulators: readonly string[], samples: Samples): readonly Figure[] {
  const found = new Map(samples.simulators.map((sample) => [sample.id, sample.tally]));
  return simulators.map((id) => {
    const tally = found.get(id);
    if (tally === undefined || tally.n === 0) return missing('no row that can be compared');
    if (tally.outside / tally.n > MOST_OUTSIDE) return missing('off support', tally.n);
    return modeConcentration(tally, samples.interval);
  });
}

/** p_ref by mode, of the people's mass part inside the support; null without people. */
function referenceLaw({ people }: Samples): Float64Array | null {
  if (people === null) return null;
  const { insideCounts } = people.mass.tally;
  const total = insideCounts.reduce((sum, count) => sum + count, 0);
  return total === 0 ? null : insideCounts.map((count) => count / total);
}
