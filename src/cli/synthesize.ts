import { Command, InvalidArgumentError, Option } from 'commander';
import { positiveNumber, upTo } from './input.ts';
import type { AdversaryFlags } from './synthesize-adversary.ts';
import type { GapFlags } from './synthesize-gaps.ts';
import { basesOption, shareArgument, withSynthesisOptions } from './synthesize-options.ts';
import type { PathFlags } from './synthesize-path.ts';

export function synthesizeCommand(): Command {
  return new Command('synthesize')
    .description('Make simulators that a population lacks, and verify where their episodes land.')
    .addCommand(gapsCommand())
    .addCommand(pathCommand())
    .addCommand(adversaryCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ collapse-aware synthesize gaps --world persuasion
  $ collapse-aware synthesize gaps rollouts/*.jsonl --reference people.jsonl -g gateway.yaml --dry-run
  $ collapse-aware synthesize path rollouts/*.jsonl -g gateway.yaml --from plain --to broad --how mixture --agent-url http://127.0.0.1:8000/v1 --agent-model policy
  $ collapse-aware synthesize adversary rollouts/*.jsonl -g gateway.yaml --reward-command 'python score.py' --agent-url http://127.0.0.1:8000/v1 --agent-model policy

Exit status: 0 done, 2 wrong usage, 3 input that cannot be used. What was played is kept: the same command goes on.`,
    );
}

function gapsCommand(): Command {
  const command = new Command('gaps').description(
    'Members for modes that people show and the rollouts do not: persons described, never quoted.',
  );
  return basesOption(withSynthesisOptions(command))
    .option('--gaps <n>', 'plan for the so many largest gaps', positiveNumber, 4)
    .option('--per-gap <n>', 'members made for one gap', upTo(1000), 3)
    .option('--candidates <n>', 'of Verbalized Sampling, 2 to 20', positiveNumber, 5)
    .addHelpText(
      'after',
      `
Examples:
  $ collapse-aware synthesize gaps rollouts/*.jsonl --reference people.jsonl -g gateway.yaml --dry-run
  $ collapse-aware synthesize gaps rollouts/*.jsonl --reference people.jsonl -g gateway.yaml --bases plain --agent-url http://127.0.0.1:8000/v1 --agent-model policy -o gaps`,
    )
    .action(async (paths: string[], flags: GapFlags) => {
      const [{ runSynthesis }, { gapsKind }] = [
        await import('./synthesize-run.ts'),
        await import('./synthesize-gaps.ts'),
      ];
      await runSynthesis(gapsKind, paths, flags);
    });
}

function pathCommand(): Command {
  const command = new Command('path').description(
    'Members between two, by a grid of lambda, and whether they land between them.',
  );
  return withSynthesisOptions(command)
    .requiredOption('--from <member>', 'the member at lambda 0')
    .requiredOption('--to <member>', 'the member at lambda 1')
    .addOption(
      new Option('--how <way>', 'one blended prompt, sampling parameters between, or a mixture of turns')
        .choices(['prompt', 'sampling', 'mixture'])
        .default('mixture'),
    )
    .option('--lambdas <list>', 'numbers from 0 to 1, by comma', lambdasArgument, [0, 0.25, 0.5, 0.75, 1])
    .option(
      '--tolerance <share>',
      'a fall of a step that is no matter, as a share of the way',
      shareArgument,
      0.1,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ collapse-aware synthesize path rollouts/*.jsonl -g gateway.yaml --from plain --to broad --dry-run
  $ collapse-aware synthesize path rollouts/*.jsonl -g gateway.yaml --from plain --to broad --how mixture --agent-url http://127.0.0.1:8000/v1 --agent-model policy -o path`,
    )
    .action(async (paths: string[], flags: PathFlags) => {
      const [{ runSynthesis }, { pathKind }] = [
        await import('./synthesize-run.ts'),
        await import('./synthesize-path.ts'),
      ];
      await runSynthesis(pathKind, paths, flags);
    });
}

function adversaryCommand(): Command {
  const command = new Command('adversary').description(
    'The realistic simulator on which the policy has most to learn, by search over recipes.',
  );
  return basesOption(withSynthesisOptions(command))
    .option('--generations <n>', 'of the search', upTo(1000), 4)
    .option('--per-generation <n>', 'candidates of a generation', upTo(1000), 8)
    .addOption(
      new Option('--score <which>', 'what candidates are ranked by')
        .choices(['learnability', 'regret'])
        .default('learnability'),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ collapse-aware synthesize adversary rollouts/*.jsonl -g gateway.yaml --reward-command 'python score.py' --agent-url http://127.0.0.1:8000/v1 --agent-model policy -o adversary`,
    )
    .action(async (paths: string[], flags: AdversaryFlags) => {
      const [{ runSynthesis }, { adversaryKind }] = [
        await import('./synthesize-run.ts'),
        await import('./synthesize-adversary.ts'),
      ];
      await runSynthesis(adversaryKind, paths, flags);
    });
}

/** Each is a member that is played. */
const MOST_LAMBDAS = 1000;

function lambdasArgument(text: string): number[] {
  const all = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (all.some((lambda) => !(lambda >= 0 && lambda <= 1)))
    throw new InvalidArgumentError('give numbers from 0 to 1, by comma');
  if (all.length > MOST_LAMBDAS) throw new InvalidArgumentError(`give at most ${MOST_LAMBDAS}`);
  if (new Set(all).size < all.length) throw new InvalidArgumentError('give every number once');
  return all;
}
