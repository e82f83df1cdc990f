import { setImmediate as breath } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import {
  type Check,
  FULL_RUNS,
  type LabCheck,
  type LabCheckOptions,
  labCheckSteps,
  QUICK_RUNS,
} from '../lab/check/index.ts';
import { alignedTable, numberText, readWorldName } from '../lab/stage-zero/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { failOnMet } from './exit.ts';
import { positiveNumber } from './input.ts';
import { interruptSignal } from './interrupt.ts';
import { namesArgument, seedArgument } from './lab-options.ts';
import { followStages } from './progress.ts';
import { show } from './terminal.ts';

const LEAST_RUNS = 20;

interface CheckFlags {
  readonly worlds?: string[];
  readonly runs?: number;
  readonly quick?: boolean;
  readonly seed: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Examples:
  $ collapse-aware lab check --quick
  $ collapse-aware lab check --json

Exit status: 0 all inside of their intervals, 1 some are not, 2 wrong usage.`;

export function labCheckCommand(): Command {
  return new Command('check')
    .description('Hold the estimators and the breaker to truths of the lab that are known exactly.')
    .option('--worlds <names>', 'by comma (default: all, at their usual horizons)', namesArgument)
    .option('--runs <number>', `simulated runs of a scenario (default: ${FULL_RUNS})`, runsArgument)
    .option('--quick', `${QUICK_RUNS} runs`)
    .option('--seed <number>', 'seed of every draw', seedArgument, 0)
    .option('--json', 'print every check to standard output as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(runCheck);
}

function runsArgument(text: string): number {
  const runs = positiveNumber(text);
  if (runs < LEAST_RUNS) throw new InvalidArgumentError(`give ${LEAST_RUNS} or more`);
  return runs;
}

async function runCheck(flags: CheckFlags): Promise<void> {
  const signal = interruptSignal();
  const worlds = flags.worlds?.map((name) => {
    const { world, horizon } = readWorldName(name);
    return worldOf(world, horizon);
  });
  const runs = flags.runs ?? (flags.quick === true ? QUICK_RUNS : FULL_RUNS);
  const found = await followStages(
    { check: 'Check' },
    (progress) =>
      finish({
        seed: flags.seed,
        runs,
        signal,
        ...(worlds === undefined ? {} : { worlds }),
        onProgress: (part, done, total) => progress('check', done, total, part),
      }),
    flags.quiet,
  );
  if (flags.json === true) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else show(checkSummary(found));
  if (!found.passed) failOnMet();
}

async function finish(options: LabCheckOptions): Promise<LabCheck> {
  const steps = labCheckSteps(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breath();
  }
}

function checkSummary({ checks, passed, runs, seed }: LabCheck): string {
  const rows = (list: readonly Check[]) =>
    alignedTable([
      ['check', 'claim', 'exact', 'estimate', 'interval'],
      ...list.map(({ id, claim, exact, estimate }) => [
        id,
        claim,
        numberText(exact),
        numberText(estimate.value),
        `[${numberText(estimate.low)}, ${numberText(estimate.high)}]`,
      ]),
    ]);
  const outside = checks.filter(({ verdict }) => verdict === 'outside');
  const inside = checks.filter(({ verdict }) => verdict === 'inside');
  const reported = checks.filter(({ verdict }) => verdict === 'reported');
  return [
    `${inside.length} checks inside of their intervals, ${outside.length} outside, ${reported.length} reported without a claim (seed ${seed}, ${runs} runs)`,
    ...(passed
      ? []
      : ['', 'Outside:', rows(outside), ...outside.map(({ id, statement }) => `${id}: ${statement}`)]),
    '',
    'Inside:',
    rows(inside),
    ...(reported.length === 0 ? [] : ['', 'Reported:', rows(reported)]),
  ].join('\n');
}
