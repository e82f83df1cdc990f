/** Interaction features by name; null = missing. */
export function features(input, { embedding, trajectory }) {
  const record = trajectory.composeTrajectory({
    turns: input.turns,
    simulator: trajectory.simulatorFacts({ id: 's' }),
    source: { file: 'case', line: 1 },
  });
  const values = embedding.interactionFeatures(record);
  return Object.fromEntries(
    embedding.FEATURES.map(({ name }, at) => [name, Number.isNaN(values[at]) ? null : values[at]]),
  );
}

export function tokens(input, { embedding }) {
  return { tokens: embedding.tokens(input.text, input.marks ?? false) };
}
