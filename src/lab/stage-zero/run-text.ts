import type { Method } from '../methods/index.ts';
import { panelMean } from '../trainer/index.ts';
import type { Cell } from './cell.ts';
import { cellFigure, WINDOW, windowMean } from './cell-figures.ts';
import { worldName } from './cell-place.ts';
import { numberText } from './number-text.ts';
import { alignedTable } from './text-table.ts';

/** What came of one run, in words. One seed has no interval, and the text says so. */
export function runAccount(cell: Cell, { title, trains }: Pick<Method, 'title' | 'trains'>): string {
  const lines = [`${title} in ${worldName(cell)}, seed ${cell.seed}`, ''];
  if (cell.diverged !== null)
    lines.push(
      `Diverged at step ${cell.diverged.step} (${cell.diverged.side}: ${cell.diverged.reason}). A table counts this run and does not average it.`,
      '',
    );
  lines.push(
    alignedTable([
      ['mean reward with', 'base', `selected (step ${cell.selected.step})`, `last (step ${cell.last.step})`],
      ...(
        [
          ['those trained against', 'population'],
          ['the held-out panel', 'test'],
        ] as const
      ).map(([who, panel]) => [
        who,
        ...[cell.base, cell.selected, cell.last].map((at) => numberText(panelMean(at[panel]))),
      ]),
      ['people', ...[cell.base, cell.selected, cell.last].map(({ people }) => numberText(people.reward))],
    ]),
    '',
  );
  if (trains && cell.history.length > 0) {
    const steps = cell.history.length;
    // Windows that overlap would show the same steps twice.
    const ends = steps < 2 * WINDOW ? (['last'] as const) : (['first', 'last'] as const);
    const column = (name: string, of: Parameters<typeof windowMean>[2]) => [
      name,
      ...ends.map((end) => numberText(windowMean(cell, end, of).value)),
    ];
    lines.push(
      alignedTable([
        ['training', ...ends.map((end) => `${end} ${Math.min(WINDOW, steps)} steps`)],
        column('reward', ({ reward }) => reward),
        column('zero-variance groups', ({ zeroVariance }) => zeroVariance),
        column('policy entropy, nats', ({ entropy }) => entropy),
      ]),
      '',
    );
  }
  const figures = ['scdPooled2', 'bdi', 'realism', 'psodRise', 'epsilonMember'].map(cellFigure);
  lines.push(
    alignedTable(
      figures.map(({ title: name, of }) => {
        const { value, reason } = of(cell);
        return [name, value === null ? `- (${reason})` : numberText(value)];
      }),
    ),
    '',
    'One seed has no interval: `collapse-aware lab table` says what can be told apart.',
  );
  return lines.join('\n');
}
