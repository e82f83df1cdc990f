import { clopperPearson } from '../math/index.ts';
import type { EqualSize, Tally } from '../metrics/index.ts';

/**
 * From so many contexts on, in which two populations differ in a mode, a jackknife sees it. Below, the contexts that it
 * would have to leave out were hardly met.
 */
const SEEN = 5;

/**
 * The most of its covered mass that a population may have lost by one mode, beyond what was seen, at a one-sided `level`.
 * Under shared luck two populations differ in few contexts, and a mode that is shown in few may be lost in none of those
 * that were met: the estimate is then 0 and so is its jackknife. Clopper and Pearson's bounds of three shares of
 * contexts (in which the mode is lost, won, and shown by the proposed population), each at a third of the level, bound what
 * is lost; the chance that a mode is shown in two of g0 contexts is that of equal, independent ones.
 *
 * @param weights of modes, as they count in the figure
 */
export function hiddenLoss(
  proposed: Tally,
  other: Tally,
  weights: ArrayLike<number>,
  size: EqualSize,
  level: number,
): number {
  const present = new Set(proposed.units);
  const shared = [...other.units].filter((unit) => present.has(unit));
  const contexts = shared.length;
  // Nothing is known of it: all may be lost.
  if (contexts === 0) return 1;
  const [own, held] = [shownBy(proposed), shownBy(other)];
  const rows = proposed.n / Math.max(1, proposed.units.length);
  const covered = (share: number) => {
    // Of fewer rows than a context has.
    const shown = 1 - (1 - share) ** Math.min(1, size.rows / rows);
    return 1 - (1 - shown) ** size.contexts - size.contexts * shown * (1 - shown) ** (size.contexts - 1);
  };
  const bounds = (count: number) => clopperPearson(count, contexts, 1 - (2 * level) / 3);
  let most = 0;
  for (let mode = 0; mode < proposed.k; mode++) {
    const weight = weights[mode]!;
    if (!(weight > 0)) continue;
    let [lost, won, shows, showed] = [0, 0, 0, 0];
    for (const unit of shared) {
      const [now, before] = [own.has(unit * proposed.k + mode), held.has(unit * proposed.k + mode)];
      if (now) shows += 1;
      if (before) showed += 1;
      if (before && !now) lost += 1;
      if (now && !before) won += 1;
    }
    if (lost + won >= SEEN) continue;
    const least = bounds(shows)[0];
    const net = Math.max(0, bounds(lost)[1] - bounds(won)[0]);
    const possible = covered(Math.min(1, least + net)) - covered(least);
    const seen = Math.max(0, covered(showed / contexts) - covered(shows / contexts));
    most = Math.max(most, weight * (possible - seen));
  }
  return most;
}

/** Contexts by mode, as unit * k + mode, in which a row inside the support is of the mode. */
function shownBy({ units, start, cell, inside, k }: Tally): ReadonlySet<number> {
  const shown = new Set<number>();
  for (let at = 0; at < units.length; at++)
    for (let entry = start[at]!; entry < start[at + 1]!; entry++)
      if (inside[entry]! > 0) shown.add(units[at]! * k + cell[entry]!);
  return shown;
}
