import { CollapseAwareError } from '../../dist/errors.js';
import { readFiles } from '../../dist/formats/index.js';

/**
 * What single trials of a crossed pilot say of the two assumptions: the correlation over contexts of the rewards of two
 * cells (policy x simulator x file) of one policy estimates the share of variance between contexts, that of two
 * policies the part of it that policies share.
 * @throws CA_INPUT_EMPTY where no two cells share three contexts
 */
export async function pilotOf(files) {
  const cells = new Map();
  for await (const one of readFiles(files)) {
    if (one.kind !== 'trajectory') continue;
    const { context, reward, policy, simulator, source } = one.trajectory;
    if (reward === null) continue;
    const name = `${policy.id}\n${simulator.id}\n${source?.file ?? ''}`;
    if (!cells.has(name)) cells.set(name, { policy: policy.id, rewards: new Map() });
    const { rewards } = cells.get(name);
    // The first trial of a context alone: more would make correlations of means.
    if (!rewards.has(context)) rewards.set(context, reward);
  }
  const list = [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
  const [same, other] = [[], []];
  list.forEach((a, i) => {
    for (const b of list.slice(i + 1)) {
      const pairs = [...a.rewards.keys()]
        .filter((key) => b.rewards.has(key))
        .map((key) => [a.rewards.get(key), b.rewards.get(key)]);
      const value = correlationOf(pairs);
      if (value !== null) (a.policy === b.policy ? same : other).push({ value, n: pairs.length });
    }
  });
  if (same.length + other.length === 0)
    throw new CollapseAwareError(
      'CA_INPUT_EMPTY',
      'no two cells of the pilot share three contexts with a reward',
      {
        place: { file: files[0] },
        todo: 'give runs of two policies, or with two simulators, on the same tasks',
      },
    );
  return { cells: list.length, same: weighted(same), other: weighted(other) };
}

/** Mean by number of contexts; null without a pair. */
function weighted(list) {
  const n = list.reduce((sum, one) => sum + one.n, 0);
  return n === 0
    ? null
    : { value: list.reduce((sum, one) => sum + one.value * one.n, 0) / n, pairs: list.length, contexts: n };
}

function correlationOf(pairs) {
  const n = pairs.length;
  if (n < 3) return null;
  const mean = (at) => pairs.reduce((sum, pair) => sum + pair[at], 0) / n;
  const [x, y] = [mean(0), mean(1)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [a, b] of pairs) {
    xx += (a - x) ** 2;
    yy += (b - y) ** 2;
    xy += (a - x) * (b - y);
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy);
}
