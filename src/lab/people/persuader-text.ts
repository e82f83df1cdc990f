import { PERSUADER_ACTS } from './acts.ts';
import type { Estimate } from './people-table.ts';
import type { PersuaderTable } from './persuader-table.ts';

/** The fit as Markdown tables, line by line: what docs/people.md shows. */
export function describePersuaders(table: PersuaderTable): string[] {
  const { n, closed, lengths, smoothing } = table;
  const stages = byStage(table);
  return [
    `${n.dialogues} dialogues, ${n.turns} turns of the persuader up to the closing one; ${closed} were closed; ` +
      `turns: median ${quantile(lengths, 0.5)}, a tenth below ${quantile(lengths, 0.1)}, a tenth above ${quantile(lengths, 0.9)}; seed "${table.seed}"`,
    '',
    '| strategy | early | middle | late |',
    '|---|---|---|---|',
    ...PERSUADER_ACTS.map(
      (act, i) => `| ${act} | ${stages.map((stage) => (stage[i]! / total(stage)).toFixed(3)).join(' | ')} |`,
    ),
    `| n | ${stages.map(total).join(' | ')} |`,
    '',
    '| law of strategies | log-likelihood per turn | gain over frequencies |',
    '|---|---|---|',
    ...table.goodness.map(({ model, perTurn, gain }) => `| ${model} | ${shown(perTurn)} | ${shown(gain)} |`),
    '',
    `strengths: one ${smoothing.one}, all ${smoothing.all}`,
  ];
}

function byStage({ followed }: PersuaderTable): number[][] {
  const stages = [0, 1, 2].map(() => new Array<number>(PERSUADER_ACTS.length).fill(0));
  for (const [context, counts] of followed)
    counts.forEach((count, act) => {
      stages[context % 3]![act]! += count;
    });
  return stages;
}

function quantile(counts: readonly number[], share: number): number {
  let seen = 0;
  const n = total(counts);
  return counts.findIndex((count) => {
    seen += count;
    return seen >= share * n;
  });
}

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const shown = ({ estimate, low, high }: Estimate) =>
  `${estimate.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
