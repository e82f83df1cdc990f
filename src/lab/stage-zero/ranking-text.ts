import { differenceText, figureText } from './number-text.ts';
import type { RankedPair, Ranking } from './ranking.ts';
import { alignedTable, markdownTable } from './text-table.ts';

const AHEAD = { first: '>', second: '<', 'not told apart': '=' } as const;

/** `>`: the first is ahead, `<`: the second, `=`: not told apart, `?`: no interval. */
function pairRows({ points, pairs }: Ranking): string[][] {
  return [
    ['first against second', ...points.map(({ id }) => id), 'flips'],
    ...pairs.map((pair) => [
      `${pair.first} - ${pair.second}`,
      ...pair.points.map(({ ahead }) => (ahead === null ? '?' : AHEAD[ahead])),
      pair.flips ? 'yes' : 'no',
    ]),
  ];
}

const LEGEND =
  '> the first is ahead, < the second (the 95 % interval of the paired difference leaves out 0), = not told apart, ? no interval';

function flipLines(pairs: readonly RankedPair[]): string[] {
  const flipping = pairs.filter(({ flips }) => flips);
  if (flipping.length === 0) return ['No order of two methods flips on this grid.'];
  return flipping.map(({ first, second, points }) => {
    const where = (side: 'first' | 'second') =>
      points
        .filter(({ ahead }) => ahead === side)
        .map(({ point, difference }) => `${point} (${differenceText(difference)})`)
        .join(', ');
    return `Flips: ${first} is ahead of ${second} at ${where('first')}, and behind at ${where('second')}.`;
  });
}

export function rankingMarkdown(ranking: Ranking): string {
  const { world, seeds, methods, points } = ranking;
  return `${[
    `# Order of methods over assumptions, ${world}`,
    '',
    `Held-out success, mean over seeds ${seeds.join(', ')} with 95 % interval. One factor is moved at a time; gamma and kappa are those of the first seen family, the others move in proportion.`,
    '',
    markdownTable([
      ['method', ...points.map(({ id }) => id)],
      ...methods.map((method) => [method, ...points.map(({ heldOut }) => figureText(heldOut[method]!))]),
    ]),
    '',
    LEGEND,
    '',
    markdownTable(pairRows(ranking)),
    '',
    ...flipLines(ranking.pairs),
  ].join('\n')}\n`;
}

export function rankingSummary(ranking: Ranking): string {
  return [
    `${ranking.world}: order of methods by held-out success`,
    alignedTable(pairRows(ranking)),
    LEGEND,
    '',
    ...flipLines(ranking.pairs),
  ].join('\n');
}
