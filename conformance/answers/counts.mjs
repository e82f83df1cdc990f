import { byField, column, putFigure, putPoint, recordsOf } from './figure.mjs';

const tallyOf = (metrics, k, records) =>
  metrics.tallyOf({
    k,
    unit: column(records, 'unit'),
    cell: column(records, 'cell'),
    outside: records.map(({ outside }) => outside ?? 0),
  });

const simulators = (metrics, k, records) =>
  [...byField(records, 'simulator')].map(([name, rows]) => [name, tallyOf(metrics, k, rows)]);

const options = ({ unitNoun, weights }) => ({
  ...(unitNoun === undefined ? {} : { unitNoun }),
  ...(weights === undefined ? {} : { weights }),
});

/** MCI and effective modes of every simulator, differences of named pairs. */
export function concentration(input, { metrics }) {
  const answers = {};
  const tallies = new Map(simulators(metrics, input.k, recordsOf(input.table)));
  for (const [name, tally] of tallies) {
    const mci = metrics.modeConcentration(tally, options(input));
    putFigure(answers, `mci.${name}`, mci);
    putFigure(answers, `effectiveModes.${name}`, metrics.effectiveModes(mci, input.k));
  }
  for (const [a, b] of input.differences ?? [])
    putFigure(
      answers,
      `difference.${a}.${b}`,
      metrics.concentrationDifference(tallies.get(a), tallies.get(b), options(input)),
    );
  return answers;
}

/** SCD of one population by every estimator without permutations. Given weights are in ascending order of names. */
export function collapse(input, { metrics }) {
  const answers = {};
  const tallies = simulators(metrics, input.k, recordsOf(input.table)).map(([, tally]) => tally);
  const pooled = metrics.pooledCollapse(tallies, options(input));
  putFigure(answers, 'pooled', pooled.pooled);
  putPoint(answers, 'within', pooled.within);
  putPoint(answers, 'between', pooled.between);
  const pairs = metrics.pairCollapse(tallies, options(input));
  putFigure(answers, 'pooled2', pairs.pooled2);
  putFigure(answers, 'pooled2Within', pairs.within);
  putFigure(answers, 'pooled2Alike', pairs.alike);
  putFigure(answers, 'concentration', pairs.concentration);
  return answers;
}

/** The estimators that are offered by name only. */
export function named(input, { metrics }) {
  const answers = {};
  const tallies = simulators(metrics, input.k, recordsOf(input.table)).map(([, tally]) => tally);
  for (const estimator of ['plug-in', 'miller-madow', 'chao-shen'])
    putPoint(answers, estimator, metrics.namedCollapse(tallies, estimator));
  return answers;
}

/** Population a minus population b (field `population`). */
export function collapseDifference(input, { metrics }) {
  const answers = {};
  const sides = byField(recordsOf(input.table), 'population');
  const [a, b] = ['a', 'b'].map((side) =>
    simulators(metrics, input.k, sides.get(side) ?? []).map(([, tally]) => tally),
  );
  const difference = metrics.populationDifference(a, b, options(input));
  for (const name of ['pooled', 'pooled2', 'pooled2Within', 'pooled2Alike'])
    putFigure(answers, name, difference[name]);
  return answers;
}

/** Figures by epoch and their slopes on the epoch. */
export function curve(input, { metrics }) {
  const answers = {};
  const epochs = [...byField(recordsOf(input.table), 'epoch')].map(([step, rows]) => ({
    step,
    simulators: simulators(metrics, input.k, rows).map(([, tally]) => tally),
  }));
  for (const { step, simulators: tallies } of epochs) {
    const point = metrics.curvePoint(tallies, options(input));
    for (const name of ['scd', 'scd2', 'mci']) putFigure(answers, `epoch.${step}.${name}`, point[name]);
  }
  const trend = metrics.collapseTrend(epochs, options(input));
  for (const name of ['scd', 'scd2', 'mci']) putFigure(answers, `slope.${name}`, trend[name]);
  return answers;
}

/** SCD `joint`: only cases whose value does not depend on the permutations, or with a tolerance that covers them. */
export function joint(input, { metrics, math }) {
  const answers = {};
  const tallies = simulators(metrics, input.k, recordsOf(input.table)).map(([, tally]) => tally);
  const { joint: figure, edges } = metrics.jointCollapse(tallies, { random: math.seeded(1) });
  putPoint(answers, 'joint', figure);
  if (figure.value !== null) answers.edges = edges;
  return answers;
}

/** BDI of `data` against `ceiling` and `people` (field `of`). */
export function diversity(input, { metrics }) {
  const answers = {};
  const records = byField(recordsOf(input.table), 'of');
  const [data, ceiling, people] = ['data', 'ceiling', 'people'].map((part) =>
    tallyOf(metrics, input.k, records.get(part) ?? []),
  );
  const size = metrics.equalSize([data, ceiling]);
  answers['size.contexts'] = size === null ? null : size.contexts;
  answers['size.rows'] = size === null ? null : size.rows;
  const own = options(input);
  putFigure(answers, 'mass.data', metrics.behaviouralMass(data, people, size, own));
  putFigure(answers, 'mass.ceiling', metrics.behaviouralMass(ceiling, people, size, own));
  putFigure(answers, 'headline', metrics.behaviouralDiversity(data, ceiling, people, size, own));
  putFigure(answers, 'difference', metrics.massDifference(data, ceiling, people, size, own));
  putPoint(answers, 'support', metrics.support(data));
  putFigure(answers, 'realism', metrics.realism(data, own));
  putFigure(answers, 'realismDifference', metrics.realismDifference(data, ceiling, own));
  const missed = metrics.missingModes(data, people, own);
  answers['missing.count'] = missed.length;
  for (const { mode, mass, p } of missed) {
    answers[`missing.${mode}.p`] = p;
    putFigure(answers, `missing.${mode}.mass`, mass);
  }
  return answers;
}

/** Growth of the modes covered from round `earlier` to round `later` (field `round`), without people. */
export function growth(input, { metrics }) {
  const answers = {};
  const rounds = byField(recordsOf(input.table), 'round');
  const [earlier, later] = ['earlier', 'later'].map((round) => tallyOf(metrics, input.k, rounds.get(round)));
  const size = metrics.equalSize([earlier, later]);
  answers['size.contexts'] = size === null ? null : size.contexts;
  answers['size.rows'] = size === null ? null : size.rows;
  putFigure(answers, 'covered.earlier', metrics.behaviouralMass(earlier, null, size, options(input)));
  putFigure(answers, 'covered.later', metrics.behaviouralMass(later, null, size, options(input)));
  putFigure(answers, 'growth', metrics.relativeGrowth(earlier, later, size, options(input)));
  return answers;
}

/** Entropy of the classes of the policy's turns, one row a turn. */
export function policyEntropy(input, { metrics }) {
  const answers = {};
  putFigure(
    answers,
    'entropy',
    metrics.policyEntropy(tallyOf(metrics, input.k, recordsOf(input.table)), options(input)),
  );
  return answers;
}
