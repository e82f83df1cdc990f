import { audit } from '../../dist/audit/index.js';
import { mean } from '../../dist/math/index.js';
import { missing } from '../../dist/metrics/index.js';
import { meanFigure } from '../../dist/metrics/interval.js';
import { BASE, CHOSEN, EXAM, TRAINING } from './runs.mjs';

/** Figures of the table, in its order: key, what it is called, which way is better. */
export const FIGURES = [
  { key: 'testReward', title: 'reward, test panel', better: 'more' },
  { key: 'seenReward', title: 'reward, seen panel', better: 'more' },
  { key: 'gain', title: 'gain over base, test panel', better: 'more' },
  { key: 'peopleReward', title: 'reward, people', better: 'more' },
  { key: 'psod', title: 'PSOD', better: 'less' },
  { key: 'psodRise', title: 'PSOD rise', better: 'less' },
  { key: 'scd2', title: 'SCD2', better: 'less' },
  { key: 'scd', title: 'SCD', better: 'less' },
  { key: 'bdi', title: 'BDI', better: 'more' },
  { key: 'realism', title: 'realism', better: 'more' },
  { key: 'epsilon', title: 'disagreement at a turn (G2), population', better: 'more' },
  { key: 'zeroVariance', title: 'zero-variance groups', better: 'less' },
];

/**
 * Figures of one arm from the sessions it recorded, all seeds together. Rewards are of the exam and have the context as
 * unit: first the mean within a context, then over contexts. Figures of collapse are of the training sessions, and of
 * `base`, which has none, of its seen sessions in the exam.
 * @param sessions native records
 * @param space one for all arms: figures of two spaces are never compared
 * @param people records of people, or null
 */
export async function armFigures({ sessions, space, people, range }) {
  const exam = examOf(sessions);
  const trained = exam.some(({ policy }) => policy.checkpoint === CHOSEN);
  const last = trained ? CHOSEN : BASE;
  const at = (checkpoint, split) =>
    byContext(exam.filter((one) => one.policy.checkpoint === checkpoint && one.split === split));
  const [test, seen, before] = [at(last, 'test'), at(last, 'seen'), at(BASE, 'test')];
  const training = sessions.filter(({ run, split }) => run === TRAINING && split === 'seen');
  const met = training.length > 0 ? training : exam.filter(({ split }) => split === 'seen');
  const [population, overfit] = [
    await reported(met, { space, people, range }),
    await reported(
      exam.filter(({ split }) => split !== 'selection'),
      { space, people, range },
    ),
  ];
  const rise = !trained ? missing('nothing was trained') : overfit.psod.rise;
  return {
    byContext: test,
    sessions: sessions.length,
    figures: {
      testReward: contextMean(test),
      seenReward: contextMean(seen),
      gain: !trained ? missing('nothing was trained') : pairedDifference(test, before),
      peopleReward: missing('no people took part'),
      psod: overfit.psod,
      psodRise: rise,
      scd2: population.scd.pooled2,
      scd: population.scd.pooled,
      bdi: population.bdi.headline,
      realism: population.bdi.realism,
      epsilon: population.epsilon.population.disagreement ?? missing('no turn was probed'),
      zeroVariance:
        training.length > 0 ? population.health.zeroVariance.share : missing('nothing was trained'),
    },
  };
}

/** Exam sessions; the checkpoint that was chosen is another one in every seed, and called by one name. */
function examOf(sessions) {
  return sessions
    .filter(({ run }) => run === EXAM)
    .map((one) => ({
      ...one,
      policy: { ...one.policy, checkpoint: one.policy.checkpoint === BASE ? BASE : CHOSEN },
    }));
}

/** Reward with the test panel of one seed, at the checkpoint that was chosen; of `base` before training. */
export function seedReward(sessions) {
  const exam = examOf(sessions).filter(({ split }) => split === 'test');
  const chosen = exam.filter(({ policy }) => policy.checkpoint === CHOSEN);
  return contextMean(byContext(chosen.length > 0 ? chosen : exam));
}

async function reported(sessions, { space, people, range }) {
  const { report } = await audit(
    { records: listed(sessions), space, ...(people === null ? {} : { people: listed(people) }) },
    { rewardRange: range, baseCheckpoint: BASE, workers: 1, evenIfTooSmall: true },
  );
  return report;
}

export const listed = (rows) =>
  async function* () {
    yield* rows;
  };

/** Context -> mean reward there, and how many sessions are behind it. Sessions without a reward are no zeros. */
function byContext(sessions) {
  const rewards = new Map();
  for (const { context, reward } of sessions) {
    if (reward === null) continue;
    if (!rewards.has(context)) rewards.set(context, []);
    rewards.get(context).push(reward);
  }
  return new Map(
    [...rewards]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([context, list]) => [context, { mean: mean(list), n: list.length }]),
  );
}

function contextMean(contexts) {
  const cells = [...contexts.values()];
  return meanOf(
    cells.map((one) => one.mean),
    { n: cells.reduce((sum, one) => sum + one.n, 0), undefinedReason: 'no session of it has a reward' },
  );
}

/** Mean over contexts with Student's t. Where all are alike their variance is 0 and says nothing: then no interval. */
function meanOf(values, options) {
  const figure = meanFigure(values, options);
  if (figure.se !== 0) return figure;
  const { value, n, method } = figure;
  return { value, low: null, high: null, n, method, reason: 'every context has the same value' };
}

/** Mean over the contexts of both of one - other, with Student's t over contexts. */
export function pairedDifference(one, other) {
  const shared = [...one.keys()].filter((context) => other.has(context));
  return meanOf(
    shared.map((context) => one.get(context).mean - other.get(context).mean),
    {
      n: shared.reduce((sum, context) => sum + one.get(context).n + other.get(context).n, 0),
      name: 'paired-t',
      undefinedReason: 'no context has a reward in both',
    },
  );
}
