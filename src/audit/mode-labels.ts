import type { BehaviourSpace, ReservoirRow } from '../space/index.ts';

/** Features named in a label, and how far (in standard deviations) a mode must be from the mean to be named by one. */
const NAMED = 2;
const NOTABLE = 0.5;

/**
 * A short name for every mode: the interaction features in which its rows stand out most, e.g.
 * `long turn-length, few questions`. `cellOf` gives the mode of a reservoir row, null where it has none.
 */
export function modeLabels(
  space: BehaviourSpace,
  k: number,
  reservoir: readonly ReservoirRow[],
  cellOf: (row: ReservoirRow) => number | null,
): string[] {
  const all = summary(reservoir, space.features.length);
  const rows: ReservoirRow[][] = Array.from({ length: k }, () => []);
  for (const row of reservoir) {
    const cell = cellOf(row);
    if (cell !== null) rows[cell]?.push(row);
  }
  return rows.map((members, mode) => {
    if (members.length === 0) return `mode ${mode + 1}`;
    const own = summary(members, space.features.length);
    const features = space.features
      .map((feature, at) => ({ feature, off: (own.mean[at]! - all.mean[at]!) / all.deviation[at]! }))
      .filter(({ off }) => Number.isFinite(off) && Math.abs(off) >= NOTABLE)
      .sort((a, b) => Math.abs(b.off) - Math.abs(a.off) || (a.feature < b.feature ? -1 : 1))
      .slice(0, NAMED)
      .map(({ feature, off }) => `${off > 0 ? 'more' : 'less'} ${feature.replaceAll('-', ' ')}`);
    return features.length === 0 ? 'near the average' : features.join(', ');
  });
}

function summary(
  rows: readonly ReservoirRow[],
  count: number,
): { mean: Float64Array; deviation: Float64Array } {
  const mean = new Float64Array(count);
  const deviation = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const values = rows.map((row) => row.features[at]!).filter((value) => !Number.isNaN(value));
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
    mean[at] = middle;
    deviation[at] = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / values.length);
  }
  return { mean, deviation };
}
