import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import { familyShares, readLabPanels } from '../lab/simulators/index.ts';
import { type CellPlace, DEFAULT_PANELS, type Panels, type Shard, seedsTo } from '../lab/stage-zero/index.ts';
import { type TrainingSettings, trainingSettings } from '../lab/trainer/index.ts';
import { worldOf } from '../lab/worlds/index.ts';
import { names, positiveNumber, wholeNumber } from './input.ts';
import { readYaml } from './recipe-file.ts';
import { tell } from './terminal.ts';

/** Most seeds that a count may ask for. */
const MOST_SEEDS = 10_000;

/** Room for the most families, with ids of the greatest length. */
const PANELS_FILE = { noun: 'panels file', format: 'JSON', mostBytes: 1_000_000 };

export interface StudyFlags {
  readonly steps?: number;
  readonly panel?: string;
}

export function withStudyOptions(command: Command): Command {
  return command
    .option('--steps <number>', 'steps of training (default: 250)', positiveNumber)
    .option('--panel <file>', 'families of simulators, seen, selection and test (docs/lab-panels.md)');
}

export function settingsOf({ steps }: StudyFlags, base: Partial<TrainingSettings> = {}): TrainingSettings {
  return trainingSettings({ ...base, ...(steps === undefined ? {} : { steps }) });
}

/**
 * The panels of `--panel`, or the default ones; what a reader of results should know of them is told.
 * @throws CA_CONFIG_INVALID, also where a family cannot be in one of `worlds`; CA_PANEL_OVERLAP, CA_FILE_*.
 */
export async function panelsOf(
  { panel }: StudyFlags,
  worlds: readonly Pick<CellPlace, 'world' | 'horizon'>[],
): Promise<Panels> {
  if (panel === undefined) return DEFAULT_PANELS;
  const { notes, ...panels } = readLabPanels(await readYaml(panel, PANELS_FILE), { file: panel });
  for (const { text } of notes) tell(`${panel}: ${text}`);
  checkFamilies(panels, worlds);
  return panels;
}

/** @throws CA_CONFIG_INVALID where a family cannot be in one of the worlds: told before anything is trained. */
export function checkFamilies(panels: Panels, worlds: readonly Pick<CellPlace, 'world' | 'horizon'>[]): void {
  for (const { world, horizon } of worlds)
    for (const family of Object.values(panels).flat()) familyShares(worldOf(world, horizon), family);
}

/** `5`: seeds 1 to 5; `3,7` or `11-20`: those. */
export function seedsArgument(text: string): number[] {
  if (/^\d+$/.test(text.trim())) {
    const count = positiveNumber(text.trim());
    if (count > MOST_SEEDS) throw new InvalidArgumentError(`at most ${MOST_SEEDS} seeds`);
    return seedsTo(count);
  }
  const seeds = names(text).flatMap((part) => {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(part) ?? [];
    if (from === undefined || to === undefined) {
      const seed = wholeNumber(part);
      if (seed < 0) throw new InvalidArgumentError('a seed is 0 or more');
      return [seed];
    }
    const first = wholeNumber(from);
    const count = wholeNumber(to) - first + 1;
    if (count < 1 || count > MOST_SEEDS)
      throw new InvalidArgumentError(`"${part}" is no range of 1 to ${MOST_SEEDS} seeds`);
    return Array.from({ length: count }, (_, i) => first + i);
  });
  if (seeds.length === 0) throw new InvalidArgumentError('no seed: give a number of seeds, or some by comma');
  return seeds;
}

export function seedArgument(text: string): number {
  const seed = wholeNumber(text);
  if (seed < 0) throw new InvalidArgumentError('give 0 or more');
  return seed;
}

export function shardArgument(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (!(shard.index >= 1 && shard.index <= shard.of && Number.isSafeInteger(shard.of)))
    throw new InvalidArgumentError('give i/n with i in 1 .. n, as in 1/4');
  return shard;
}

export function namesArgument(text: string): string[] {
  const list = names(text);
  if (list.length === 0) throw new InvalidArgumentError('no name');
  return list;
}

export const cores = (): number => availableParallelism();
