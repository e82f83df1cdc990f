import { seeded } from '../../math/random.ts';
import type { World } from '../world/index.ts';
import { WORLD_IDS, worldOf } from '../worlds/index.ts';
import { CHECK_LEVEL, CHECK_SCHEMA, type Check, type LabCheck } from './check-result.ts';
import { detections, falseAlarms, overfittingAlarms } from './detector-power.ts';
import { groupCoverage } from './group-coverage.ts';
import { memberEpsilon } from './member-epsilon.ts';
import { PLANTED, plantedCollapse } from './planted-collapse.ts';
import { disjointEpsilon, mixtureEpsilon } from './population-epsilon.ts';
import { placeOf } from './population-session.ts';
import { checkRuns, FULL_RUNS } from './repetitions.ts';
import { servedLaws } from './served-law.ts';
import { trajectoryVariation } from './trajectory-variation.ts';

export interface LabCheckOptions {
  /** Default 0. */
  readonly seed?: number | string;
  /** Runs of every scenario of the breaker and data sets of every coverage, at least 20. Default `FULL_RUNS`. */
  readonly runs?: number;
  /** Default: every world at its usual horizon. */
  readonly worlds?: readonly World[];
  /** Before each part. */
  readonly onProgress?: (part: string, done: number, total: number) => void;
  /** Looked at between parts. */
  readonly signal?: AbortSignal;
}

interface Part {
  readonly name: string;
  check(): Check[];
}

/**
 * Known truths of the lab against the project's own estimators and detectors. The same options give the same result.
 * @throws RangeError on fewer than 20 runs; what `signal` gives as its reason.
 */
export function labChecks(options: LabCheckOptions = {}): LabCheck {
  const steps = labCheckSteps(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same a part at a time, for callers who have other things to see to in between. */
export function* labCheckSteps(options: LabCheckOptions = {}): Generator<string, LabCheck> {
  const { seed = 0, runs = FULL_RUNS, onProgress, signal } = options;
  checkRuns(runs);
  const parts = partsOf(options.worlds ?? WORLD_IDS.map((id) => worldOf(id)), seed, runs);
  const checks: Check[] = [];
  for (const [done, { name, check }] of parts.entries()) {
    signal?.throwIfAborted();
    onProgress?.(name, done, parts.length);
    checks.push(...check());
    yield name;
  }
  onProgress?.('done', parts.length, parts.length);
  return {
    schema: CHECK_SCHEMA,
    seed,
    runs,
    level: CHECK_LEVEL,
    passed: checks.every(({ verdict }) => verdict !== 'outside'),
    checks,
  };
}

function partsOf(worlds: readonly World[], seed: number | string, runs: number): Part[] {
  const stream = (name: string) => seeded(`lab/check/${seed}/${name}`);
  const detector = (name: string) => ({ runs, seed, random: stream(name) });
  return [
    ...worlds.map((world) => ({
      name: `law ${placeOf(world)}`,
      check: () => servedLaws(world, stream(`law/${placeOf(world)}`)),
    })),
    ...worlds.map((world) => ({
      name: `epsilon.member ${placeOf(world)}`,
      check: () => memberEpsilon(world, runs, stream('epsilon.member')),
    })),
    {
      name: 'epsilon.population',
      check: () => disjointEpsilon(runs, stream('epsilon.population')),
    },
    ...worlds.map((world) => ({
      name: `epsilon.population ${placeOf(world)}`,
      check: () => mixtureEpsilon(world, runs, stream('epsilon.mixture')),
    })),
    ...worlds.map((world) => ({
      name: `group ${placeOf(world)}`,
      check: () => groupCoverage(world, 5 * runs, stream(`group/${placeOf(world)}`)),
    })),
    ...PLANTED.map((planted) => ({
      name: `scd ${planted.id}`,
      check: () => plantedCollapse(planted, runs, stream(`scd/${planted.id}`)),
    })),
    { name: 'breaker false alarms', check: () => falseAlarms(detector('false alarms')) },
    { name: 'breaker detections', check: () => detections(detector('detections')) },
    { name: 'breaker overfitting', check: () => overfittingAlarms(detector('overfitting')) },
    ...worlds.map((world) => ({
      name: `variation ${placeOf(world)}`,
      check: () => trajectoryVariation(world, runs, stream(`variation/${placeOf(world)}`)),
    })),
  ];
}
