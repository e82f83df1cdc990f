// Shows on a small softmax policy, whose gradient is known, which estimates of the group gradient are unbiased when
// only some rollouts of a group are kept: by Monte Carlo through the package's own draws, and exactly, by enumerating
// every group and every subset. Ends with status 1 where that is not as it should be.
//   npm run check:pair -- [--json] [--draws N] [--seed N] [--weights group|own]
import { parseArgs } from 'node:util';
import { conditionalPoisson } from '../dist/curation/conditional-poisson.js';
import { pairAdvantages } from '../dist/curation/pair-weights.js';
import { poissonDesign } from '../dist/curation/poisson-design.js';
import { seeded } from '../dist/math/random.js';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    draws: { type: 'string', default: '400000' },
    seed: { type: 'string', default: '1' },
    weights: { type: 'string', default: 'group' },
  },
});
const draws = Number(options.draws);
if (!Number.isInteger(draws) || draws < 1000) {
  console.error(`--draws must be a whole number of at least 1000, got ${options.draws}`);
  process.exit(2);
}

if (!['group', 'own'].includes(options.weights)) {
  console.error(`--weights must be group or own, got ${options.weights}`);
  process.exit(2);
}
const own = options.weights === 'own';

/** Quantile of the standard normal for 99 %. */
const Z = 2.5758293035489;
const GROUP = 6;
const KEEP = 3;
const CLIP = 5;
/** A policy of three behaviours; the reward of each is 1 or 0. */
const LOGITS = [1.2, 0.2, -0.8];
const SUCCESS = [0.35, 0.8, 0.55];
/**
 * `group`: the rarer a behaviour is in its group, the likelier it is kept. `own`: by the rollout's own behaviour alone.
 */
const workingWeights = (group) =>
  group.map(({ action }) =>
    own ? [0.5, 1, 4][action] : group.filter((other) => other.action === action).length ** -2,
  );

const norm = LOGITS.reduce((total, logit) => total + Math.exp(logit), 0);
const POLICY = LOGITS.map((logit) => Math.exp(logit) / norm);
/** A rollout is one of six types: behaviour and reward. */
const TYPES = POLICY.flatMap((chance, action) =>
  [0, 1].map((reward) => ({
    action,
    reward,
    chance: chance * (reward === 1 ? SUCCESS[action] : 1 - SUCCESS[action]),
    /** grad log p(action) by the logits. */
    score: POLICY.map((p, other) => (other === action ? 1 : 0) - p),
  })),
);
const value = POLICY.reduce((total, p, action) => total + p * SUCCESS[action], 0);
const GRADIENT = POLICY.map((p, action) => p * (SUCCESS[action] - value));

/** Advantages of the kept rollouts: the group's gradient is the sum over them of advantage * score. */
const everyPair = (group, kept, joint) =>
  pairAdvantages({
    size: group.length,
    reward: kept.map((i) => group[i].reward),
    weight: kept.map(() => 1),
    joint: (a, b) => joint(kept[a], kept[b]),
  });
const leaveOneOut = (group, kept) =>
  kept.map((i) => {
    const others = kept.filter((j) => j !== i);
    if (others.length === 0) return 0;
    return group[i].reward - others.reduce((total, j) => total + group[j].reward, 0) / others.length;
  });
const deviation = (group, kept) => {
  const mean = kept.reduce((total, i) => total + group[i].reward, 0) / kept.length;
  return Math.sqrt(kept.reduce((total, i) => total + (group[i].reward - mean) ** 2, 0) / kept.length) + 1e-6;
};
const everyone = Array.from({ length: GROUP }, (_, i) => i);
const whole = (group) => everyPair(group, everyone, () => 1);
const normalised = (group) => whole(group).map((advantage) => advantage / deviation(group, everyone));

/** What each makes of the kept rollouts; `target` is what it would make of the full group. */
const ESTIMATES = [
  {
    name: 'pairs, 1 / pi_ij',
    design: 'conditional-poisson',
    unbiased: true,
    of: (group, kept, { joint }) => everyPair(group, kept, joint),
  },
  {
    name: 'full group as baseline, 1 / pi_i',
    design: 'conditional-poisson',
    unbiased: true,
    of(group, kept, { pi }) {
      const all = leaveOneOut(group, everyone);
      return kept.map((i) => all[i] / pi[i] / GROUP);
    },
  },
  {
    name: 'mean over kept, their own baseline',
    design: 'conditional-poisson',
    unbiased: false,
    of: (group, kept) => leaveOneOut(group, kept).map((advantage) => advantage / kept.length),
  },
  {
    name: 'their own baseline, 1 / pi_i',
    design: 'conditional-poisson',
    // Never for a given group; over all groups only where no rollout's weight depends on the others.
    unbiased: false,
    unbiasedOver: own,
    of: (group, kept, { pi }) =>
      leaveOneOut(group, kept).map((advantage, at) => advantage / pi[kept[at]] / GROUP),
  },
  {
    name: 'pairs, 1 / (pi_i pi_j)',
    design: 'conditional-poisson',
    unbiased: false,
    of: (group, kept, { pi }) => everyPair(group, kept, (i, j) => pi[i] * pi[j]),
  },
  {
    name: `pairs, 1 / pi_ij clipped at ${CLIP}`,
    design: 'conditional-poisson',
    unbiased: false,
    of: (group, kept, { joint }) => everyPair(group, kept, (i, j) => Math.max(joint(i, j), 1 / CLIP)),
  },
  {
    name: 'pairs, 1 / pi_ij renormalised to mean n (n - 1) / m (m - 1)',
    design: 'conditional-poisson',
    unbiased: false,
    of(group, kept, { joint }) {
      let [total, pairs] = [0, GROUP * (GROUP - 1)];
      for (const i of kept) for (const j of kept) if (i !== j) total += 1 / joint(i, j);
      return everyPair(group, kept, joint).map((advantage) => (advantage * pairs) / total);
    },
  },
  {
    name: 'pairs, 1 / pi_ij, over the deviation of the kept',
    design: 'conditional-poisson',
    unbiased: false,
    target: normalised,
    of: (group, kept, { joint }) =>
      everyPair(group, kept, joint).map((advantage) => advantage / deviation(group, kept)),
  },
  {
    name: 'pairs, 1 / (pi_i pi_j)',
    design: 'poisson',
    unbiased: true,
    of: (group, kept, { joint }) => everyPair(group, kept, joint),
  },
  {
    name: 'mean over kept, their own baseline',
    design: 'poisson',
    unbiased: false,
    of: (group, kept) => leaveOneOut(group, kept).map((advantage) => advantage / kept.length),
  },
];

const length = (vector) => Math.sqrt(vector.reduce((total, x) => total + x * x, 0));
const minus = (a, b) => a.map((x, at) => x - b[at]);
const dot = (a, b) => a.reduce((total, x, at) => total + x * b[at], 0);
const sumOver = (group, kept, advantages) =>
  POLICY.map((_, at) => kept.reduce((total, i, k) => total + advantages[k] * group[i].score[at], 0));

const SUBSETS = Array.from({ length: 2 ** GROUP }, (_, bits) => everyone.filter((i) => (bits >> i) & 1));
const DESIGNS = ['conditional-poisson', 'poisson'];

/** A group with its designs, its targets, and what each estimate makes of each subset of it: worked out once. */
class Group {
  #worth = new Map();

  constructor(counts) {
    this.rollouts = counts.flatMap((count, type) => new Array(count).fill(TYPES[type]));
    const weights = workingWeights(this.rollouts);
    this.designs = Object.fromEntries(
      DESIGNS.map((name) => {
        const design = (name === 'poisson' ? poissonDesign : conditionalPoisson)(weights, KEEP);
        const rows = weights.map((_, i) => design.joint(i));
        return [name, { design, weights, pi: design.pi, joint: (i, j) => rows[i][j] }];
      }),
    );
    this.targets = ESTIMATES.map(({ target = whole }) =>
      sumOver(this.rollouts, everyone, target(this.rollouts)),
    );
  }

  /** Gradient that estimate `e` makes of subset `bits`. */
  worth(e, bits) {
    const key = e * SUBSETS.length + bits;
    let found = this.#worth.get(key);
    if (found === undefined) {
      const kept = SUBSETS[bits];
      const { design, of } = ESTIMATES[e];
      found = sumOver(
        this.rollouts,
        kept,
        kept.length === 0 ? [] : of(this.rollouts, kept, this.designs[design]),
      );
      this.#worth.set(key, found);
    }
    return found;
  }

  /** Chance of every subset, from the design's definition. */
  chances(name) {
    const { pi, weights } = this.designs[name];
    const masses = SUBSETS.map((kept) => {
      if (name === 'poisson')
        return everyone.reduce((product, i) => product * (kept.includes(i) ? pi[i] : 1 - pi[i]), 1);
      return kept.length === KEEP ? kept.reduce((product, i) => product * weights[i], 1) : 0;
    });
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    return masses.map((mass) => mass / total);
  }
}

const groups = new Map();
function groupOf(counts) {
  const key = counts.join();
  if (!groups.has(key)) groups.set(key, new Group(counts));
  return groups.get(key);
}

/** Every group as counts of types, with its probability. */
function* everyGroup(counts = [], left = GROUP, chance = 1) {
  const type = counts.length;
  if (type === TYPES.length - 1) {
    yield { counts: [...counts, left], chance: chance * TYPES[type].chance ** left };
    return;
  }
  let ways = 1;
  for (let count = 0; count <= left; count++) {
    yield* everyGroup([...counts, count], left - count, chance * ways * TYPES[type].chance ** count);
    ways = (ways * (left - count)) / (count + 1);
  }
}

/** Expected estimates and targets over all groups and subsets, and the mean square of a group's own error. */
const exact = ESTIMATES.map(() => ({ found: [0, 0, 0], wanted: [0, 0, 0], within: 0 }));
for (const { counts, chance } of everyGroup()) {
  const group = groupOf(counts);
  const chances = Object.fromEntries(DESIGNS.map((name) => [name, group.chances(name)]));
  exact.forEach((sums, e) => {
    const expected = [0, 0, 0];
    chances[ESTIMATES[e].design].forEach((mass, bits) => {
      if (mass === 0) return;
      group.worth(e, bits).forEach((x, at) => {
        expected[at] += mass * x;
      });
    });
    sums.within += chance * length(minus(expected, group.targets[e])) ** 2;
    expected.forEach((x, at) => {
      sums.found[at] += chance * x;
      sums.wanted[at] += chance * group.targets[e][at];
    });
  });
}

const random = seeded(`${options.seed}/check-pair`);
function rollout() {
  let left = random.next();
  for (let type = 0; type < TYPES.length; type++) {
    left -= TYPES[type].chance;
    if (left < 0) return type;
  }
  return TYPES.length - 1;
}

const moments = ESTIMATES.map(() => ({ total: 0, squares: 0 }));
for (let draw = 0; draw < draws; draw++) {
  const counts = TYPES.map(() => 0);
  for (let i = 0; i < GROUP; i++) counts[rollout()] += 1;
  const group = groupOf(counts);
  const bits = DESIGNS.map((name) =>
    group.designs[name].design.draw(random).reduce((sum, one, i) => sum + (one << i), 0),
  );
  moments.forEach((moment, e) => {
    // Along the expected gradient of full groups, in units of its length.
    const { wanted } = exact[e];
    const got = group.worth(e, bits[DESIGNS.indexOf(ESTIMATES[e].design)]);
    const off = dot(minus(got, group.targets[e]), wanted) / dot(wanted, wanted);
    moment.total += off;
    moment.squares += off * off;
  });
}

const results = ESTIMATES.map(({ name, design, unbiased, unbiasedOver = unbiased }, e) => {
  const { found, wanted, within } = exact[e];
  const bias = moments[e].total / draws;
  const reach = Z * Math.sqrt((moments[e].squares / draws - bias * bias) / draws);
  const exactWithin = Math.sqrt(within) / length(wanted);
  const holds = Math.abs(bias) <= reach;
  return {
    estimate: name,
    design,
    expected: unbiased ? 'unbiased' : unbiasedOver ? 'unbiased over groups only' : 'biased',
    bias,
    low: bias - reach,
    high: bias + reach,
    exactBias: dot(minus(found, wanted), wanted) / dot(wanted, wanted),
    exactWithin,
    ok: holds === unbiasedOver && exactWithin < 1e-9 === unbiased,
  };
});

// The full group's leave-one-out gradient has the policy's own gradient as its mean.
const drift = length(minus(exact[0].wanted, GRADIENT)) / length(GRADIENT);
const ok = drift < 1e-9 && results.every((result) => result.ok);
if (options.json) {
  const setting = { group: GROUP, keep: KEEP, policy: POLICY, success: SUCCESS, gradient: GRADIENT };
  const method = 'normal, 99 %; of estimate - full group, along and in units of the full group gradient';
  const report = {
    seed: options.seed,
    draws,
    weights: options.weights,
    method,
    ...setting,
    drift,
    results,
    ok,
  };
  console.log(JSON.stringify(report, null, 2));
} else {
  const number = (x) => (x < 0 ? '' : '+') + x.toFixed(3);
  const rounded = (x) => (Math.abs(x) < 1e-9 ? '0' : x.toFixed(3));
  console.log(
    `${KEEP} of ${GROUP} kept, ${draws} draws, seed ${options.seed}, weights by ${options.weights}; 1 = length of the gradient\n`,
  );
  console.log('| design | estimate | bias [99 % interval] | exact bias | exact, within groups | expected |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const r of results)
    console.log(
      `| ${r.design} | ${r.estimate} | ${number(r.bias)} [${number(r.low)}, ${number(r.high)}] | ` +
        `${rounded(r.exactBias)} | ${rounded(r.exactWithin)} | ${r.expected}${r.ok ? '' : ': NOT SHOWN'} |`,
    );
}
process.exitCode = ok ? 0 : 1;
