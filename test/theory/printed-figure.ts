/**
 * A figure that docs/theory.md quotes: printed where CA_FIGURES is set, so that `CA_FIGURES=1 npx vitest run test/theory`
 * prints them all.
 */
export function printFigure(statement: string, figure: string): void {
  if (process.env.CA_FIGURES !== undefined) console.log(`${statement}: ${figure}`);
}

/** How often something is simulated: what the page quotes comes from more than a test needs. */
export const many = (inTests: number, forFigures: number): number =>
  process.env.CA_FIGURES === undefined ? inTests : forFigures;

export const share = (count: number, of: number): string => `${((100 * count) / of).toFixed(1)} % of ${of}`;
