import { CollapseAwareError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { canonicalHash, firstDifference } from './canonical-json.ts';
import type { Stage } from './performer.ts';
import type { RunSettings } from './run-settings.ts';
import { checkRunSettings } from './settings-check.ts';

export const STUDY_SCHEMA = 'collapse-aware/run@1';

/** Settings that the first rounds of a forked run went by. */
export interface EarlierSettings {
  /** The last round that went by them. */
  readonly through: number;
  readonly settings: RunSettings;
}

/** Everything that a run hangs on, written once: equal studies give equal summaries. */
export interface RunStudy {
  readonly schema: typeof STUDY_SCHEMA;
  /** Of the program: rounds of two versions are not put together. */
  readonly version: string;
  readonly settings: RunSettings;
  readonly stage: Stage;
  /** Of the rounds that came from another run, in their order; empty where it is no fork. */
  readonly earlier: readonly EarlierSettings[];
  /** The run that the first rounds were taken from. */
  readonly forkedFrom: {
    readonly place: string;
    readonly study: string;
    readonly round: number;
  } | null;
  /** Of all the rest. */
  readonly hash: string;
}

/** @throws CA_USAGE for settings that no run can go by. */
export function runStudy(
  settings: RunSettings,
  stage: Stage,
  fork: Pick<RunStudy, 'earlier' | 'forkedFrom'> = { earlier: [], forkedFrom: null },
): RunStudy {
  checkRunSettings(settings);
  if (typeof stage?.kind !== 'string')
    throw new CollapseAwareError('CA_USAGE', 'the stage of a run has no kind', {
      todo: 'Give plain data with a kind, which says who can perform it.',
    });
  const content = { schema: STUDY_SCHEMA, version: VERSION, settings, stage, ...fork } as const;
  return { ...content, hash: hashOf(content) };
}

/** Where a run was forked from does not make it another run for who gives the same command again. */
const hashOf = ({ schema, version, settings, stage, earlier, forkedFrom }: Omit<RunStudy, 'hash'>): string =>
  canonicalHash({ schema, version, settings, stage, earlier, forkedFrom });

/** As it was written, and by a version that may go on with it. @param file names it in errors. Errors: CA_FORMAT_INVALID. */
export function readStudy(text: string, file: string): RunStudy {
  let study: Partial<RunStudy> | null = null;
  try {
    study = JSON.parse(text) as Partial<RunStudy> | null;
  } catch {
    // Told below.
  }
  if (typeof study !== 'object' || study?.schema !== STUDY_SCHEMA)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'not a run of `evolve`', {
      place: { file },
      todo: 'Name another place, or restore what was written.',
    });
  if (hashOf(study as RunStudy) !== study.hash)
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'changed since it was written', {
      place: { file },
      todo: 'Put back what was written; to go on with other settings, fork the run.',
    });
  return study as RunStudy;
}

/**
 * Holds the study that is kept to the one that is asked for.
 * @throws CA_CONFIG_INVALID, naming the first difference.
 */
export function checkSameStudy(kept: RunStudy, asked: RunStudy, file: string): void {
  if (kept.hash === asked.hash) return;
  const difference = firstDifference(kept, { ...asked, hash: kept.hash }) ?? 'it has another hash';
  throw new CollapseAwareError('CA_CONFIG_INVALID', `another run is kept there: ${difference}`, {
    place: { file },
    todo: 'Name another place, give the settings of that run, or fork it.',
  });
}

/** A run ends in the version that it began in. @throws CA_CONFIG_INVALID */
export function checkVersion(study: RunStudy, file: string): void {
  if (study.version === VERSION) return;
  throw new CollapseAwareError(
    'CA_CONFIG_INVALID',
    `begun with version ${study.version} of collapse-aware; this is ${VERSION}`,
    { place: { file }, todo: `Go on with it in that version: npx collapse-aware@${study.version}.` },
  );
}

/**
 * The settings of a run as they are in force: while rounds of another run are replayed, those that they went by.
 * `passed` is told of every round that is over.
 */
export function settingsInForce(study: Pick<RunStudy, 'settings' | 'earlier'>): {
  readonly settings: RunSettings;
  passed(round: number): void;
} {
  let over = 0;
  const now = () => study.earlier.find(({ through }) => over < through)?.settings ?? study.settings;
  const settings = {};
  for (const key of Object.keys(study.settings) as (keyof RunSettings)[])
    Object.defineProperty(settings, key, { enumerable: true, get: () => now()[key] });
  return {
    settings: settings as RunSettings,
    passed: (round) => {
      over = Math.max(over, round);
    },
  };
}
