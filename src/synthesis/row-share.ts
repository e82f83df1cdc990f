import { clopperPearson } from '../math/binomial-interval.ts';
import type { Figure } from '../metrics/figure.ts';
import { missing } from '../metrics/figure.ts';
import { bound, jackknifeFigure, jackknifePlan, LEAST_UNITS } from '../metrics/interval.ts';
import type { RowUnits } from './row-units.ts';

/**
 * Share of rows for which `hit` holds, 0 to 1. Delete-one-context jackknife where contexts repeat. Where they do not, or
 * are fewer than 8, Clopper-Pearson over episodes; where all rows are alike, which leaves the jackknife nothing to vary,
 * Clopper-Pearson over contexts. `method` says which.
 */
export function rowShare(hit: readonly boolean[], units: RowUnits): Figure {
  const n = hit.length;
  if (n === 0) return missing('no rows');
  const hits = hit.filter((is) => is).length;
  const groups = [...new Set(units.of)].sort((a, b) => a - b);
  if (units.noun === 'episode') return exact(hits, n, n, `episode(n=${n}, ${units.reason})`, false);
  if (groups.length < LEAST_UNITS)
    return exact(hits, n, n, `episode(n=${n}, fewer than ${LEAST_UNITS} contexts)`, true);
  if (hits === 0 || hits === n) {
    const count = groups.length;
    return exact(hits === 0 ? 0 : count, count, n, `context(G=${count}, all rows alike)`, false);
  }
  const plan = jackknifePlan([{ units: Int32Array.from(groups) }]);
  const { groupOf, groups: count } = plan.components[0]!;
  const rows = new Float64Array(count);
  const own = new Float64Array(count);
  for (let at = 0; at < n; at++) {
    const group = groupOf[units.of[at]!]!;
    rows[group]! += 1;
    if (hit[at]) own[group]! += 1;
  }
  return jackknifeFigure(
    plan,
    (deletion) =>
      deletion === null ? hits / n : (hits - own[deletion.group]!) / (n - rows[deletion.group]!),
    { n, tested: groups.length >= 50, count: 'each', undefinedReason: 'no rows' },
  );
}

function exact(hits: number, trials: number, n: number, trial: string, approximate: boolean): Figure {
  const [low, high] = clopperPearson(hits, trials);
  const method = `clopper-pearson-${trial}`;
  return { value: hits / trials, low, high, n, method, ...(approximate ? { approximate } : {}) };
}

/** Lower end of a 95 % one-sided interval; of an exact one its own lower end, which is lower still. Null: none is known. */
export function lowerEnd(figure: Figure): number | null {
  return bound(figure, 'lower', 0.95) ?? figure.low;
}

/** Whether a share is shown to reach a floor: by its lower end, so that what is not known does not pass. */
export function reaches(realism: Figure, floor: number): boolean {
  const low = lowerEnd(realism);
  return low !== null && low >= floor;
}
