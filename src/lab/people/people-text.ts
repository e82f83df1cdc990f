import { PERSUADEE_ACTS } from './acts.ts';
import { DONATION_GRID, wilson } from './donation.ts';
import type { Estimate, PeopleTable } from './people-table.ts';

/** The fit as Markdown tables, line by line: what docs/people.md shows. */
export function describePeople(table: PeopleTable): string[] {
  const { n, donation, link, types } = table;
  return [
    `${n.dialogues} dialogues of ${n.people} persuadees, ${n.turns} turns; seed "${table.seed}"`,
    '',
    '| act | early | middle | late |',
    '|---|---|---|---|',
    ...PERSUADEE_ACTS.map(
      (act, i) => `| ${act} | ${table.thirds.map((third) => of(third, i)).join(' | ')} |`,
    ),
    `| n | ${table.thirds.map(total).join(' | ')} |`,
    '',
    '| law | log-likelihood per turn | gain over frequencies |',
    '|---|---|---|',
    ...table.goodness.map(({ model, perTurn, gain }) => `| ${model} | ${shown(perTurn)} | ${shown(gain)} |`),
    '',
    `strengths: user ${table.smoothing.user}, agent ${table.smoothing.agent}, both ${table.smoothing.both}`,
    '',
    '| types | kappa | log-likelihood per turn | gain over one type |',
    '|---|---|---|---|',
    ...table.typeCounts.map(
      (one) => `| ${one.types} | ${one.shrink} | ${shown(one.perTurn)} | ${shown(one.gain)} |`,
    ),
    '',
    `| | ${types.map((_, i) => `type ${i + 1}`).join(' | ')} |`,
    `|---|${types.map(() => '---|').join('')}`,
    `| share | ${types.map(({ share }) => share.toFixed(2)).join(' | ')} |`,
    ...PERSUADEE_ACTS.map(
      (act, i) => `| ${act} | ${types.map(({ tilts }) => tilts[i]!.toFixed(2)).join(' | ')} |`,
    ),
    `| donated | ${types.map(({ donated }) => shown(donated, 2)).join(' | ')} |`,
    '',
    `| donation | share of ${donation.n} (${donation.people} people) | said (n = ${donation.both}) | gave (same) |`,
    '|---|---|---|---|',
    ...donation.counts.map(
      (count, i) =>
        `| ${bin(i)} | ${share(count, donation.n)} | ${donation.intended[i]} | ${donation.actual[i]} |`,
    ),
    '',
    `of ${donation.keptOfPromised.promised} who said more than 0, ${donation.keptOfPromised.kept} gave: ${share(
      donation.keptOfPromised.kept,
      donation.keptOfPromised.promised,
    )}`,
    '',
    `| donation above 0 (${link.donated} of ${link.n}) | alone | together |`,
    '|---|---|---|',
    ...Object.keys(link.alone).map(
      (name) => `| ${name} | ${shown(link.alone[name] ?? null)} | ${shown(link.together[name] ?? null)} |`,
    ),
    ...link.types.map((one, i) => `| type ${i + 2} against type 1 | ${shown(one)} | |`),
  ];
}

function shown(value: Estimate | null, digits = 3): string {
  if (value === null) return 'no maximum';
  const [estimate, low, high] = [value.estimate, value.low, value.high].map((one) => one.toFixed(digits));
  return `${estimate} [${low}, ${high}]`;
}

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const of = (values: readonly number[], i: number) => (values[i]! / total(values)).toFixed(3);

function share(count: number, n: number): string {
  const [low, high] = wilson(count, n);
  return `${(count / n).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

function bin(i: number): string {
  if (i === 0) return '0';
  if (i === DONATION_GRID.length) return `above ${DONATION_GRID.at(-1)}`;
  return `above ${DONATION_GRID[i - 1]}, up to ${DONATION_GRID[i]}`;
}
