/** Least-squares slope of `values` on `steps`. NaN where all steps are equal. */
export function slopeOf(steps: readonly number[], values: readonly number[]): number {
  const centre = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
  let cross = 0;
  let square = 0;
  steps.forEach((step, i) => {
    cross += (step - centre) * (values[i]! - middle);
    square += (step - centre) ** 2;
  });
  return cross / square;
}

/** S = pairs that rise minus pairs that fall (Mann 1945); tau = S over all pairs. */
export function mannKendall(path: readonly number[]): { s: number; tau: number } {
  let s = 0;
  for (let i = 0; i < path.length; i++)
    for (let j = i + 1; j < path.length; j++) s += Math.sign(path[j]! - path[i]!);
  const pairs = (path.length * (path.length - 1)) / 2;
  return { s, tau: pairs === 0 ? 0 : s / pairs };
}
