import { putFigure, putPoint } from './figure.mjs';

const vectorRows = ({ unit, vectors }, columns) => ({
  columns,
  data: Float64Array.from(vectors.flat()),
  unit: unit ?? vectors.map((_, row) => row),
});

/** Contexts where they are not the units. */
const contextsOf = ({ simulator, reference }) =>
  simulator.context === undefined
    ? {}
    : { contexts: { simulator: simulator.context, reference: reference.context } };

/** How far one simulator's rows lie apart, relative to reference rows. */
export function dispersion(input, { metrics }) {
  const answers = {};
  const simulator = vectorRows(input.simulator, input.columns);
  const reference = vectorRows(input.reference, input.columns);
  putFigure(answers, 'spread', metrics.spread(simulator, reference));
  putFigure(answers, 'withinContext', metrics.withinContext(simulator, reference, contextsOf(input)));
  putPoint(answers, 'effectiveRank', metrics.effectiveRank(simulator));
  putPoint(answers, 'vendi', metrics.vendi(simulator));
  return answers;
}

export function vendi(input, { metrics }) {
  const answers = {};
  putPoint(answers, 'vendi', metrics.vendi(vectorRows(input, input.columns)));
  return answers;
}

/** PRDC coverage of the reference by the data, and what fresh reference rows would score. */
export function coverage(input, { metrics }) {
  const answers = {};
  const balls = metrics.referenceBalls(vectorRows({ vectors: input.reference }, input.columns), {
    k: input.neighbours,
  });
  const found = metrics.knnCoverage(vectorRows({ vectors: input.data }, input.columns), balls);
  putPoint(answers, 'coverage', found.coverage);
  answers.expected = found.expected;
  return answers;
}

/** SCD `kernel`; simulators in ascending order of names. */
export function kernel(input, { metrics }) {
  const answers = {};
  const names = Object.keys(input.simulators).sort();
  const rows = names.map((name) => vectorRows(input.simulators[name], input.columns));
  putFigure(answers, 'kernel', metrics.kernelCollapse(rows));
  return answers;
}
