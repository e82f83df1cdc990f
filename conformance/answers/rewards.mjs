import { byField, column, putFigure, recordsOf } from './figure.mjs';

const rewardRows = (records) =>
  [...byField(records, 'simulator')].map(([simulator, rows]) => ({
    simulator,
    unit: column(rows, 'unit'),
    reward: column(rows, 'reward'),
  }));

function panelsOf(records) {
  const panels = byField(records, 'panel');
  return {
    training: rewardRows(panels.get('training') ?? []),
    heldOut: rewardRows(panels.get('held-out') ?? []),
  };
}

/** PSOD and its rise at every checkpoint (field `checkpoint`, a step), and the trend over checkpoints. */
export function overfitting(input, { metrics }) {
  const answers = {};
  const checkpoints = [...byField(recordsOf(input.table), 'checkpoint')].map(([step, records]) => ({
    step,
    ...panelsOf(records),
  }));
  const base = checkpoints.find(({ step }) => step === input.base) ?? null;
  for (const panels of checkpoints) {
    putFigure(answers, `psod.${panels.step}`, metrics.overfitting(panels, input.range).psod);
    putFigure(answers, `rise.${panels.step}`, metrics.overfittingRise(panels, base, input.range));
  }
  const { slope, mannKendall } = metrics.overfittingTrend(checkpoints, input.range);
  putFigure(answers, 'slope', slope);
  answers['mannKendall.s'] = mannKendall === null ? null : mannKendall.s;
  answers['mannKendall.tau'] = mannKendall === null ? null : mannKendall.tau;
  return answers;
}

/** One checkpoint against one simulator: mean reward and pass^k. */
export function checkpointCell(input, { metrics }) {
  const answers = {};
  const records = recordsOf(input.table);
  const cell = metrics.rewardCell(
    { simulator: 's', unit: column(records, 'unit'), reward: column(records, 'reward') },
    input.range,
  );
  putFigure(answers, 'reward', cell.reward);
  for (const { k, value } of cell.passHatK) answers[`pass.${k}`] = value;
  return answers;
}

/** GRPO groups without variance of the reward, and why. */
export function zeroVariance(input, { metrics }) {
  const answers = {};
  const records = recordsOf(input.table);
  const groups = [...new Set(column(records, 'group'))];
  const health = metrics.zeroVariance(
    {
      group: records.map(({ group }) => groups.indexOf(group)),
      unit: column(records, 'unit'),
      reward: column(records, 'reward'),
      behaviour: column(records, 'behaviour'),
    },
    input.range,
  );
  answers.groups = health.groups;
  putFigure(answers, 'share', health.share);
  for (const name of ['sameBehaviour', 'allFail', 'allPass', 'other']) answers[name] = health[name];
  return answers;
}

export function varianceSplit(input, { metrics }) {
  const answers = {};
  const split = metrics.varianceSplit(input.contexts);
  putFigure(answers, 'simulator', split.simulator);
  putFigure(answers, 'agent', split.agent);
  return answers;
}

export function exposure(input, { metrics }) {
  const { weights, chances, size } = input;
  return {
    perRollout: metrics.groupExposure(weights, chances, size, 'per-rollout'),
    perGroup: metrics.groupExposure(weights, chances, size, 'per-group'),
  };
}
