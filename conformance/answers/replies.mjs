import { putFigure, putPoint } from './figure.mjs';

/** Replies drawn again at visited histories. */
export function epsilon(input, { metrics }) {
  const answers = {};
  const found = metrics.turnCollapse(input.histories, input.law);
  answers.histories = found.histories;
  putFigure(answers, 'disagreement', found.disagreement);
  putFigure(answers, 'epsilon', found.epsilon);
  putFigure(answers, 'plugIn', found.bracket.plugIn);
  putFigure(answers, 'leaveOneOut', found.bracket.leaveOneOut);
  putFigure(answers, 'lowerBound', found.bounds.low);
  putFigure(answers, 'conditional', metrics.conditionalCollapse(found.disagreement, input.k));
  return answers;
}

/** Known laws: members' class probabilities at one history, and what they gave to the past turns of the session. */
export function law(input, { metrics }) {
  const answers = {};
  const posterior = metrics.memberPosterior(input.weights, input.past);
  input.members.forEach((phi, i) => {
    const own = metrics.lawErrors(phi);
    answers[`member.${i}.disagreement`] = own.disagreement;
    answers[`member.${i}.epsilon`] = own.epsilon;
    answers[`posterior.${i}`] = posterior === null ? null : posterior[i];
  });
  const mixture = posterior === null ? null : metrics.populationLaw(posterior, input.members);
  const errors = mixture === null ? null : metrics.lawErrors(mixture);
  answers['population.disagreement'] = errors === null ? null : errors.disagreement;
  answers['population.epsilon'] = errors === null ? null : errors.epsilon;
  return answers;
}

/** Only episodes whose figure is the same under every permutation. */
export function consistency(input, { metrics, math }) {
  const answers = {};
  const names = [...new Set(input.episodes.map(({ simulator }) => simulator))].sort();
  const figure = metrics.consistency(
    {
      k: input.k,
      unit: input.episodes.map(({ unit }) => unit),
      simulator: input.episodes.map(({ simulator }) => names.indexOf(simulator)),
      turns: input.episodes.map(({ turns }) => turns),
    },
    { random: math.seeded(1) },
  );
  putPoint(answers, 'consistency', figure);
  return answers;
}
