// How a figure becomes paths and values. Reasons are told by category: wording is free, what is missing is not.

/** Category of each reason that a figure without value, or without interval, can give. */
const CATEGORIES = [
  ['fewer-than-8-units', /^fewer than 8 (context|person|episode)s$/],
  ['fewer-than-2-units', /^(a simulator with )?fewer than 2 (context|person|episode)s$/],
  ['no-pair-of-units', /^no pair of rows from different /],
  ['nothing-coincides', /^no two rows coincide/],
  ['one-mode-codebook', /^(a codebook of one class|too few episodes to fit two modes)$/],
  ['no-simulator', /^no simulator$/],
  ['fewer-than-2-simulators', /^fewer than 2 simulators$/],
  ['fewer-than-3k-rows', /^a simulator with fewer than 3 K rows$/],
  ['too-few-paired-rows', /^too few paired rows/],
  ['undefined-without-some-units', /^not defined without some /],
  ['no-rows', /^no (rows|policy turn|rewarded row)$/],
  ['cannot-draw', /^(no two \w+ can be drawn|fewer \w+ than are drawn|fewer than 2 \w+ to draw)/],
  ['nothing-covered', /^nothing is covered/],
  ['no-reference', /^no reference people$/],
  ['no-base-checkpoint', /^no base checkpoint$/],
  ['panels-differ', /^the panels of the (two )?checkpoints differ$/],
  ['empty-panel', /^no (training|held-out) simulator$/],
  ['no-shared-context', /^no context (was played by every|is shared)/],
  ['fewer-than-2-steps', /^fewer than 2 (checkpoints|epochs)$/],
  ['no-history', /^no history with 2 resamples$/],
  ['too-few-resamples', /resamples at too many histories/],
  ['no-nested-seeds', /^no context simulated again/],
  ['no-group', /^no group of 2 rollouts/],
  ['no-shared-place', /with two simulators of two rows each$/],
  ['too-few-rows', /^fewer than (2 rows|\d+ reference rows|5 d = )/],
  ['no-context-with-2-rows', /^no context with 2 rows/],
  ['nothing-varies', /^the rows to compare with do not vary$/],
  ['too-few-dimensions', /^vectors of fewer than 2 dimensions$/],
];

/** @throws Error for a reason that has no category yet. */
export function categoryOf(reason) {
  const found = CATEGORIES.find(([, pattern]) => pattern.test(reason));
  if (found === undefined) throw new Error(`a reason without a category: ${reason}`);
  return found[0];
}

export const REASONS = CATEGORIES.map(([name]) => name);

/** value, low, high, the standard error where there is an interval, and the category of the reason where one is given. */
export function putFigure(answers, path, figure) {
  answers[`${path}.value`] = figure.value;
  answers[`${path}.low`] = figure.low;
  answers[`${path}.high`] = figure.high;
  if (figure.se !== undefined) answers[`${path}.se`] = figure.se;
  if (figure.reason !== undefined) answers[`${path}.reason`] = categoryOf(figure.reason);
}

/** A figure that never has an interval. */
export function putPoint(answers, path, figure) {
  answers[`${path}.value`] = figure.value;
  if (figure.reason !== undefined) answers[`${path}.reason`] = categoryOf(figure.reason);
}

/** Rows of a table `{fields, rows}` as objects. */
export function recordsOf({ fields, rows }) {
  return rows.map((row) => Object.fromEntries(fields.map((field, at) => [field, row[at]])));
}

/** Rows by the value of one field, values ascending. */
export function byField(records, field) {
  const groups = new Map();
  for (const record of records) {
    const list = groups.get(record[field]);
    if (list === undefined) groups.set(record[field], [record]);
    else list.push(record);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const column = (records, field) => records.map((record) => record[field]);
