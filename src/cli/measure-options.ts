import { type Command, InvalidArgumentError } from 'commander';
import type { AuditOptions } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { names, wholeNumber } from './input.ts';

/** Flags that steer the figures; shared by every command that measures. */
export interface MeasureFlags {
  readonly heldOut?: string[];
  readonly k?: number;
  /** Absent: that of a space that was given, else 0. */
  readonly seed?: number;
  readonly by?: number;
  readonly rewardRange?: readonly [number, number];
  readonly baseCheckpoint?: string;
  readonly classes?: 'act';
}

export function withMeasureOptions(command: Command): Command {
  return command
    .option('--held-out <simulators>', 'simulators the policy did not train on, by comma (for PSOD)', names)
    .option(
      '--reward-range <low,high>',
      'lowest and highest possible reward (default: as seen)',
      rangeArgument,
    )
    .option('--base-checkpoint <name>', 'checkpoint that the rise of PSOD is measured from')
    .option('--classes <which>', 'act: take annotated acts as the classes', classesArgument)
    .option('--k <number>', 'number of modes (default: n_fit / 15, at most 64)', wholeNumber)
    .option('--seed <number>', 'seed of every draw (default: that of --space, else 0)', wholeNumber);
}

/** @throws CA_USAGE: a saved space has its modes. */
export function refuseModesOfSpace(flags: { readonly k?: number; readonly space?: string }): void {
  if (flags.k !== undefined && flags.space !== undefined)
    throw new CollapseAwareError('CA_USAGE', `--k ${flags.k}: the modes of a saved space are fixed`, {
      todo: 'leave out --k or --space',
    });
}

export function auditOptions(flags: MeasureFlags): AuditOptions {
  return {
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.k === undefined ? {} : { k: flags.k }),
    ...(flags.heldOut === undefined ? {} : { heldOut: flags.heldOut }),
    ...(flags.rewardRange === undefined ? {} : { rewardRange: flags.rewardRange }),
    ...(flags.by === undefined ? {} : { epochBucket: flags.by }),
    ...(flags.baseCheckpoint === undefined ? {} : { baseCheckpoint: flags.baseCheckpoint }),
    ...(flags.classes === undefined ? {} : { classes: flags.classes }),
  };
}

export function bucketArgument(text: string): number {
  if (text === 'epoch') return 1;
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('give epoch, or a number of steps above 0');
}

/** As people write numbers: `Number` takes nothing, blanks and hexadecimal too. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

export function rangeArgument(text: string): [number, number] {
  const parts = text.split(',').map((part) => (NUMBER.test(part) ? Number(part) : Number.NaN));
  const [low, high] = parts;
  if (parts.length !== 2 || !Number.isFinite(low) || !Number.isFinite(high) || low! >= high!)
    throw new InvalidArgumentError('give two numbers, the lower first: 0,1');
  return [low!, high!];
}

export function classesArgument(text: string): 'act' {
  if (text !== 'act') throw new InvalidArgumentError('give act');
  return text;
}
