/** Equal within the tolerance: numbers by |a - b| <= absolute + relative |b|, lists item by item, the rest exactly. */
export function agrees(answer, expected, { absolute, relative }) {
  if (Array.isArray(expected))
    return (
      Array.isArray(answer) &&
      answer.length === expected.length &&
      expected.every((item, at) => agrees(answer[at], item, { absolute, relative }))
    );
  if (typeof expected !== 'number') return answer === expected;
  return (
    typeof answer === 'number' && Math.abs(answer - expected) <= absolute + relative * Math.abs(expected)
  );
}

/** Whether a path may be left unanswered: why a value is missing is told by category, and telling it is optional. */
export const isOptional = (path) => path.endsWith('.reason');

/**
 * Answers against one case: `differ` and `missing` list paths; agreed = neither. `partial` takes unanswered paths as
 * not asked.
 */
export function compareCase({ expected, tolerance }, answers, fileTolerance, partial) {
  const differ = [];
  const missing = [];
  let answered = 0;
  for (const [path, value] of Object.entries(expected)) {
    if (answers === undefined || !Object.hasOwn(answers, path)) {
      if (!isOptional(path)) missing.push(path);
      continue;
    }
    answered++;
    if (!agrees(answers[path], value, tolerance ?? fileTolerance))
      differ.push({ path, answer: answers[path], expected: value });
  }
  const unknown = Object.keys(answers ?? {}).filter((path) => !Object.hasOwn(expected, path));
  return {
    differ,
    missing,
    unknown,
    agreed: differ.length === 0 && (partial || missing.length === 0),
    answered,
  };
}
