import { holmFamily } from '../../dist/metrics/index.js';
import { FIGURES, pairedDifference } from './arm-figures.mjs';
import { OURS } from './arms.mjs';

export const TABLE_SCHEMA = 'collapse-aware/stage-zero-table@1';

/**
 * The table of stage zero as plain data: an arm a row, every figure with n, interval and method, and the difference of
 * this project's arm to each other one on the same contexts, adjusted by Holm over the comparisons.
 * @param arms arm -> what `armFigures` gave
 * @param measured false for a dry run: then heading and every row say so
 */
export function stageZeroTable({ benchmark, arms, measured, space, notes }) {
  const ours = arms.get(OURS);
  const others = [...arms].filter(([arm]) => arm !== OURS);
  const differences =
    ours === undefined ? [] : others.map(([, one]) => pairedDifference(ours.byContext, one.byContext));
  const adjusted = holmFamily(differences);
  return {
    schema: TABLE_SCHEMA,
    benchmark: benchmark.id,
    title: benchmark.plan.title,
    measured,
    heading: measured
      ? `Stage zero of ${benchmark.plan.title}: measured`
      : `Stage zero of ${benchmark.plan.title}: measured: false - a dry run with a random policy and made-up users; no number below says anything about a method or a model`,
    space,
    notes,
    rows: [...arms].map(([arm, { figures, sessions, seeds }]) => ({
      arm,
      measured,
      sessions,
      seeds,
      figures,
    })),
    comparisons: others.map(([against], at) => ({
      arm: OURS,
      against,
      measured,
      figure: 'testReward',
      difference: differences[at],
      pHolm: adjusted[at],
    })),
  };
}

export function tableMarkdown(table) {
  const lines = [`# ${table.heading}`, ''];
  lines.push(
    `Each figure: value [95 % interval] (n); "-" where there is none, with the reason below. Intervals of rewards: Student's t over contexts; of SCD, BDI, PSOD: docs/metrics.md. Space ${table.space.id.slice(0, 12)}, K = ${table.space.k}, fitted on ${table.space.fittedOn}.`,
    '',
  );
  for (const note of table.notes) lines.push(`- ${note}`);
  const head = ['arm', 'measured', 'sessions', ...FIGURES.map(({ title }) => title)];
  lines.push('', row(head), row(head.map(() => '---')));
  for (const { arm, measured, sessions, figures } of table.rows)
    lines.push(
      row([arm, `measured: ${measured}`, sessions, ...FIGURES.map(({ key }) => shown(figures[key]))]),
    );
  lines.push(
    '',
    `## ${OURS} minus each other arm: reward with the test panel, paired on contexts`,
    '',
    row(['against', 'measured', 'difference', 'p (Holm)']),
    row(['---', '---', '---', '---']),
  );
  for (const { against, measured, difference, pHolm } of table.comparisons)
    lines.push(
      row([against, `measured: ${measured}`, shown(difference), pHolm === null ? '-' : pHolm.toFixed(3)]),
    );
  lines.push('', '## Seeds: reward with the test panel', '', row(['arm', 'measured', 'seed', 'reward']));
  lines.push(row(['---', '---', '---', '---']));
  for (const { arm, measured, seeds } of table.rows)
    for (const { seed, testReward } of seeds)
      lines.push(row([arm, `measured: ${measured}`, seed, shown(testReward)]));
  const reasons = new Map();
  for (const { arm, figures } of table.rows)
    for (const { key, title } of FIGURES)
      if (figures[key].value === null) {
        const reason = `${title}: ${figures[key].reason}`;
        reasons.set(reason, [...(reasons.get(reason) ?? []), arm]);
      }
  lines.push('', '## What is missing', '');
  for (const [reason, arms] of reasons) lines.push(`- ${reason} (${arms.join(', ')})`);
  return `${lines.join('\n')}\n`;
}

const row = (cells) => `| ${cells.join(' | ')} |`;

function shown({ value, low, high, n, approximate }) {
  if (value === null) return '-';
  const interval = low === null ? '' : ` [${number(low)}, ${number(high)}]${approximate ? '~' : ''}`;
  return `${number(value)}${interval} (${n})`;
}

/** Three places, without the zero in front. */
const number = (value) => value.toFixed(3).replace(/^(-?)0\./, '$1.');
