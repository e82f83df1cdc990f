/**
 * A figure that docs/theory.md quotes: printed where CA_FIGURES is set, so that `CA_FIGURES=1 npx vitest run test/theory`
 * prints them all.
 */
export function printFigure(statement: string, figure: string): void {
  if (process.env.CA_FIGURES !== undefined) console.log(`${statement}: ${figure}`);
}
