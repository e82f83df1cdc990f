import { seeded } from '../../../math/random.ts';
import { PERSUADEE_ACTS } from '../../people/acts.ts';
import { wilson } from '../../people/donation.ts';
import { P4G_PEOPLE } from '../../people/p4g.ts';
import { P4G_PERSUADERS } from '../../people/p4g-persuaders.ts';
import type { Estimate } from '../../people/people-table.ts';
import { AMOUNTS } from './acts.ts';
import { associations } from './association.ts';
import { amountShares, type Met } from './calibration.ts';
import { writeDecisions } from './decision.ts';

/** How close the world's people under its persuader are to those of P4G. Total variations are of shares, 0..1. */
export interface Goodness {
  /** Shares of replies by third of the dialogue, in PERSUADEE_ACTS' order. */
  readonly thirds: readonly (readonly number[])[];
  readonly thirdsApart: readonly number[];
  /** Of pairs of successive replies; and of the next reply given the last, weighted by P4G's last. */
  readonly pairsApart: number;
  readonly nextApart: number;
  /** Of AMOUNTS, those who walked out giving nothing. */
  readonly amounts: readonly number[];
  readonly left: number;
  readonly meanReward: number;
  readonly meanTurns: number;
}

/** Dialogues that the associations rest on. */
const DRAWN = 20_000;

const WIDTH = PERSUADEE_ACTS.length;

export function goodnessOf(met: readonly Met[], cuts: readonly number[]): Goodness {
  const thirds = [0, 1, 2].map(() => new Array<number>(WIDTH).fill(0));
  const pairs = new Array<number>(WIDTH * WIDTH).fill(0);
  const amounts = new Array<number>(AMOUNTS.length).fill(0);
  const one = new Float64Array(AMOUNTS.length);
  let stayed = 0;
  let turns = 0;
  for (const { weight, resolve, replies, turns: taken } of met) {
    replies.forEach((act, i) => {
      thirds[Math.floor((3 * i) / replies.length)]![act]! += weight;
      if (i > 0) pairs[replies[i - 1]! * WIDTH + act]! += weight;
    });
    writeDecisions(resolve, cuts, one, 0);
    one.forEach((share, k) => {
      amounts[k]! += weight * share;
    });
    stayed += weight;
    turns += weight * taken;
  }
  amounts[0]! += 1 - stayed;
  const { replies } = P4G_PERSUADERS;
  return {
    thirds: thirds.map(shares),
    thirdsApart: thirds.map((third, i) => apart(third, replies.thirds[i]!)),
    pairsApart: apart(pairs, replies.pairs),
    nextApart: nextApart(pairs, replies.pairs),
    amounts,
    left: 1 - stayed,
    meanReward: amounts.reduce((sum, share, k) => sum + share * Math.min(1, AMOUNTS[k]! / 2), 0),
    meanTurns: turns / stayed,
  };
}

/** As Markdown tables, line by line: what docs/people.md shows. */
export function describeGoodness(met: readonly Met[], cuts: readonly number[]): string[] {
  const good = goodnessOf(met, cuts);
  const { thirds } = P4G_PERSUADERS.replies;
  const { counts, n } = P4G_PEOPLE.donation;
  const due = amountShares(counts);
  return [
    '| reply, world / P4G | early | middle | late |',
    '|---|---|---|---|',
    ...PERSUADEE_ACTS.map((act, i) => {
      const cells = good.thirds.map((third, t) => `${fixed(third[i]!)} / ${fixed(shares(thirds[t]!)[i]!)}`);
      return `| ${act} | ${cells.join(' | ')} |`;
    }),
    `| total variation | ${good.thirdsApart.map(fixed).join(' | ')} |`,
    `| P4G's n | ${thirds.map(total).join(' | ')} |`,
    '',
    '| total variation of | |',
    '|---|---|',
    `| pairs of successive replies | ${fixed(good.pairsApart)} |`,
    `| the next reply given the last | ${fixed(good.nextApart)} |`,
    '',
    `| gave | world | P4G (n = ${n}) |`,
    '|---|---|---|',
    ...AMOUNTS.map((amount, k) => {
      const [low, high] = wilson(Math.round(due[k]! * n), n);
      return `| ${amount} | ${fixed(good.amounts[k]!)} | ${fixed(due[k]!)} [${fixed(low)}, ${fixed(high)}] |`;
    }),
    '',
    '| donation above 0 | world | P4G |',
    '|---|---|---|',
    ...Object.entries(associations(met, cuts, DRAWN, seeded('associations'))).map(
      ([name, one]) => `| ${name} | ${interval(one)} | ${interval(P4G_PEOPLE.link.alone[name])} |`,
    ),
    '',
    `walked out ${fixed(good.left)}, mean reward ${fixed(good.meanReward)}, turns of the persuader ${good.meanTurns.toFixed(1)}`,
  ];
}

function nextApart(pairs: readonly number[], due: readonly number[]): number {
  let sum = 0;
  for (let last = 0; last < WIDTH; last++) {
    const [from, to] = [last * WIDTH, (last + 1) * WIDTH];
    const row = due.slice(from, to);
    if (total(row) > 0) sum += total(row) * apart(pairs.slice(from, to), row);
  }
  return sum / total(due);
}

function apart(a: readonly number[], b: readonly number[]): number {
  const [p, q] = [shares(a), shares(b)];
  return p.reduce((sum, value, i) => sum + Math.abs(value - q[i]!), 0) / 2;
}

function shares(values: readonly number[]): number[] {
  const sum = total(values);
  return values.map((value) => value / sum);
}

function interval(one: Estimate | null | undefined): string {
  if (one === null || one === undefined) return 'no maximum';
  return `${fixed(one.estimate)} [${fixed(one.low)}, ${fixed(one.high)}]`;
}

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const fixed = (value: number) => value.toFixed(3);
