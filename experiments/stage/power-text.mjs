import { ARMS, YARDSTICK } from './arms.mjs';
import {
  ALPHA,
  COMPARISONS,
  contextsNeeded,
  detectable,
  differenceVariance,
  firstStep,
  POWER,
  trialsNeeded,
  twoProportions,
} from './sample-size.mjs';

const TRIALS = [1, 2, 4, 10];
const ENDLESS = 1e9;

/**
 * @param pilot of `pilotOf`, or null: then the assumptions of the plan stand
 * @param rate tokens of an episode and tokens a second of all GPUs together, as somebody measured them; or null
 */
export function powerText({ id, plan }, { pilot = null, rate = null } = {}) {
  const { published, training, exam, effects } = plan;
  const p1 = published.arms[YARDSTICK];
  const level = firstStep(ALPHA, COMPARISONS);
  const assumed = assumptionsOf(plan, pilot);
  const design = { level, power: POWER, ...assumed.values };
  const lines = [
    `${plan.title} (${id})`,
    `  published, ${published.source} (${published.what}): ${ARMS.filter((arm) => arm in published.arms)
      .map((arm) => `${arm} ${published.arms[arm] === null ? 'not reported' : share(published.arms[arm])}`)
      .join(', ')}`,
    '  assumptions',
    `    yardstick: ${YARDSTICK} does here what it did in the paper, ${share(p1)}; the effect is what is added to it`,
    `    tests: two-sided, alpha ${share(ALPHA)} by Holm over ${COMPARISONS} comparisons, so level ${share(level)} at its first step; power ${POWER * 100} %`,
    `    variance of a reward: p (1 - p)${plan.reward.kind === 'bounded' ? ', the most that a reward in 0..1 with mean p can have' : ''}`,
    ...assumed.lines.map((line) => `    ${line}`),
    '    training luck: not in any number below; intervals are for the policies that were trained, and seeds are reported one by one',
    '  exam',
    `    planned: ${exam.contexts} contexts (${exam.what}) x ${exam.simulators} test simulators x ${exam.trials} trials = ${exam.contexts * exam.simulators * exam.trials} sessions an arm and seed`,
  ];
  for (const effect of effects)
    lines.push(...effectLines(effect, p1, plan, design).map((line) => `    ${line}`));
  lines.push(
    `    smallest difference shown with ${POWER * 100} % power on ${exam.contexts} contexts, by trials with each simulator`,
  );
  lines.push(
    `      ${[...TRIALS, ENDLESS]
      .map(
        (trials) =>
          `${trials === ENDLESS ? 'without end' : trials}: ${share(smallest(p1, exam.contexts, trials * exam.simulators, design))}`,
      )
      .join(', ')}`,
  );
  if (exam.clusters !== undefined)
    lines.push(
      `      the same if the ${exam.clusters} tasks behind the pairs count as the contexts: ${share(smallest(p1, exam.clusters, (exam.contexts / exam.clusters) * exam.trials * exam.simulators, design))} as planned`,
    );
  const episodes = training.steps * training.prompts * training.group;
  lines.push(
    '  training',
    `    ${training.steps} steps x ${training.prompts} prompts x groups of ${training.group} = ${episodes} episodes an arm and seed; ${ARMS.length - 1} trained arms x ${training.seeds} seeds = ${episodes * (ARMS.length - 1) * training.seeds}`,
  );
  lines.push(
    rate === null
      ? '    GPU-hours: not derived, since no rate was measured here; give --tokens-per-episode and --tokens-per-second'
      : `    GPU-hours at ${rate.tokens} tokens an episode and ${rate.perSecond} tokens a second on one GPU: ${Math.ceil((episodes * rate.tokens) / rate.perSecond / 3600)} an arm and seed, for generation alone`,
  );
  return lines.join('\n');
}

function effectLines(effect, p1, { exam }, design) {
  const p2 = p1 + effect;
  const trials = trialsNeeded(p1, p2, { contexts: exam.contexts, simulators: exam.simulators, ...design });
  return [
    `to show +${share(effect)} (${share(p1)} -> ${share(p2)})`,
    `  two independent proportions: ${twoProportions(p1, p2, design)} sessions an arm`,
    `  paired on contexts, one trial with each of ${exam.simulators} simulators: ${contextsNeeded(p1, p2, exam.simulators, design)} contexts`,
    `  on ${exam.contexts} contexts: ${trials === null ? 'no number of trials is enough' : `${trials} trials with each simulator`}`,
  ];
}

function smallest(p1, contexts, rewards, design) {
  // The variance hardly depends on the effect; the larger end of 0..1 would flatter it.
  return detectable(differenceVariance(p1, p1, rewards, design), contexts, design);
}

function assumptionsOf({ assumptions }, pilot) {
  const { contextShare, correlation } = assumptions;
  if (pilot?.same != null && pilot.other != null && pilot.same.value > 0) {
    const values = {
      contextShare: pilot.same.value,
      correlation: Math.min(1, Math.max(0, pilot.other.value / pilot.same.value)),
    };
    return {
      values,
      lines: [
        `variance between contexts: ${share(values.contextShare)} of it, by the pilot (${pilot.same.pairs} pairs of cells of one policy, ${pilot.same.contexts} contexts in all)`,
        `correlation of two arms' context means: ${share(values.correlation)}, by the pilot (${pilot.other.pairs} pairs of cells of two policies: ${share(pilot.other.value)} / ${share(pilot.same.value)})`,
      ],
    };
  }
  return {
    values: { contextShare: contextShare.value, correlation: correlation.value },
    lines: [
      ...(pilot === null
        ? []
        : ['the pilot holds no two cells of one policy: the assumptions of the plan stand']),
      `variance between contexts: ${share(contextShare.value)} of it (${contextShare.why})`,
      `correlation of two arms' context means: ${share(correlation.value)} (${correlation.why})`,
    ],
  };
}

/** Three places at most, without the zero in front. */
const share = (value) =>
  Number.isFinite(value) ? String(Number(value.toFixed(3))).replace(/^0\./, '.') : 'none';
