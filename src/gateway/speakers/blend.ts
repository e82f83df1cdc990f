/** In whole percents, but never 0 or 100 where something is left of the other. */
const percent = (share: number): number => Math.min(99, Math.max(1, Math.round(100 * share)));

/** Stands for a part of which nothing is described. */
const ANYBODY = 'Nothing is known of this person but the instructions that follow.';

/**
 * One description between two, in words; null = a part without one. `lambda` 0 is exactly `a` and 1 exactly `b`, so
 * that the ends of the path are the members themselves.
 */
export function blendedPersona(a: string | null, b: string | null, lambda: number): string | null {
  if (lambda <= 0) return a;
  if (lambda >= 1) return b;
  return [
    'You are one person, and two descriptions come near to you.',
    `The first:\n${a ?? ANYBODY}`,
    `The second:\n${b ?? ANYBODY}`,
    `You are about ${percent(1 - lambda)} % like the first and about ${percent(lambda)} % like the second. Take this share from each: of temper, patience, wishes, knowledge and way of speaking. Where they contradict each other, stand between them, as near to each as its share says. Be one consistent person all along, and never mention the descriptions.`,
  ].join('\n\n');
}

/** On the line between two numbers; null where one is not known. */
export function between(a: number | null, b: number | null, lambda: number): number | null {
  return a === null || b === null ? null : a + (b - a) * lambda;
}
