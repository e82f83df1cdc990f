import { InvalidArgumentError } from 'commander';
import type { AuditOptions } from '../audit/index.ts';
import { type FailCondition, parseFailOn } from './fail-on.ts';

/** Flags that steer the figures; shared by every command that measures. */
export interface MeasureFlags {
  readonly heldOut?: string[];
  readonly k?: number;
  readonly seed: number;
  readonly by?: number;
  readonly rewardRange?: readonly [number, number];
  readonly baseCheckpoint?: string;
  readonly classes?: 'act';
}

export function auditOptions(flags: MeasureFlags): AuditOptions {
  return {
    seed: flags.seed,
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
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('give epoch, or a number of steps above 0');
}

export function rangeArgument(text: string): [number, number] {
  const parts = text.split(',').map(Number);
  const [low, high] = parts;
  if (parts.length !== 2 || !Number.isFinite(low) || !Number.isFinite(high) || low! >= high!)
    throw new InvalidArgumentError('give two numbers, the lower first: 0,1');
  return [low!, high!];
}

export function classesArgument(text: string): 'act' {
  if (text !== 'act') throw new InvalidArgumentError('give act');
  return text;
}

export function collectFailOn(text: string, held: FailCondition[]): FailCondition[] {
  return [...held, parseFailOn(text)];
}
