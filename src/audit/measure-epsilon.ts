import {
  conditionalCollapse,
  type Epsilon,
  type Figure,
  missing,
  type ResampledHistory,
  turnCollapse,
} from '../metrics/index.ts';
import { type BehaviourSpace, compareView, type Profile } from '../space/index.ts';
import type { AuditReport, TurnErrors } from './report-data.ts';
import { type Samples, samplesOf } from './samples.ts';

const NO_RESAMPLES = 'needs replies drawn again at one visited history, which these records do not carry';
const NO_ACTS =
  'needs the acts of replies drawn again at one visited history, which these records do not carry';

/**
 * Per-turn collapse error at the histories the policy visited, where the records hold replies drawn again. Classes are
 * the cells of the turn codebook, or the annotated acts where those are compared.
 */
export function measureEpsilon(
  samples: Samples,
  space: BehaviourSpace,
): { epsilon: AuditReport['epsilon']; conditional: Figure } {
  const acts = samples.view.classes === null ? null : new Map<string, number>();
  const none = missing(acts === null ? NO_RESAMPLES : NO_ACTS);
  const member = errorsOf(samples, 'member', acts);
  const population = errorsOf(samples, 'population', acts);
  // The population's own law says most of what a policy can meet; one member's where it was not probed.
  const law = population ?? member;
  return {
    epsilon: {
      member: turnErrors(member, none),
      population: turnErrors(population, none),
    },
    conditional:
      law === null
        ? none
        : withLaw(conditionalCollapse(law.disagreement, acts?.size ?? space.turn.centroids.rows), law.law),
  };
}

function turnErrors(errors: Epsilon | null, none: Figure): TurnErrors {
  if (errors === null)
    return {
      ...none,
      disagreement: none,
      bracket: { plugIn: none, leaveOneOut: none },
      bounds: { low: none, high: none },
    };
  const { epsilon, disagreement, bracket, bounds } = errors;
  return { ...epsilon, disagreement, bracket, bounds };
}

/** With `acts`, the classes are the acts by name, numbered there as they are met. */
function errorsOf(
  { view, simulators, interval }: Samples,
  law: 'member' | 'population',
  acts: Map<string, number> | null,
): Epsilon | null {
  const histories = probedHistories({ view, simulators }, law, acts).map(({ history }) => history);
  return histories.length === 0 ? null : turnCollapse(histories, law, interval);
}

/** The same by simulator, and by the user's turn from 0. */
export interface EpsilonTables {
  readonly byMember: readonly {
    readonly simulator: string;
    readonly member: Epsilon;
    readonly population: Epsilon | null;
  }[];
  readonly byDepth: readonly {
    readonly depth: number;
    readonly member: Epsilon;
    readonly population: Epsilon | null;
  }[];
}

/**
 * Per-turn collapse error of every simulator and every depth of a profile, over the rows of its report; null where
 * none carries replies drawn again.
 */
export function epsilonTables(profile: Profile, space: BehaviourSpace): EpsilonTables | null {
  if (!carriesHistories(profile)) return null;
  const samples = samplesOf(compareView(profile, space), space);
  const acts = samples.view.classes === null ? null : new Map<string, number>();
  const member = probedHistories(samples, 'member', acts);
  const population = probedHistories(samples, 'population', acts);
  const all = [...member, ...population];
  if (all.length === 0) return null;
  const errors = (keep: (one: ProbedHistory) => boolean) => {
    const of = (list: readonly ProbedHistory[]) => list.filter(keep).map(({ history }) => history);
    const redrawn = of(population);
    return {
      member: turnCollapse(of(member), 'member', samples.interval),
      population: redrawn.length === 0 ? null : turnCollapse(redrawn, 'population', samples.interval),
    };
  };
  return {
    byMember: [...new Set(all.map(({ simulator }) => simulator))]
      .sort()
      .map((simulator) => ({ simulator, ...errors((one) => one.simulator === simulator) })),
    byDepth: [...new Set(all.map(({ depth }) => depth))]
      .sort((a, b) => a - b)
      .map((depth) => ({ depth, ...errors((one) => one.depth === depth) })),
  };
}

interface ProbedHistory {
  readonly simulator: string;
  readonly depth: number;
  readonly history: ResampledHistory;
}

function probedHistories(
  { view, simulators }: Pick<Samples, 'view' | 'simulators'>,
  law: 'member' | 'population',
  acts: Map<string, number> | null,
): ProbedHistory[] {
  const found: ProbedHistory[] = [];
  // Which member would answer a later turn depends on what was said before, and the records do not say how.
  for (const sample of simulators)
    for (const row of sample.rows)
      for (const history of view.profile.peek(sample.columns.profileRow[row]!).histories ?? [])
        if (history.law === law && (law === 'member' || history.depth === 0)) {
          const classes = acts === null ? history.classes : history.acts?.map((act) => numbered(act, acts));
          if (classes !== undefined)
            found.push({
              simulator: sample.id,
              depth: history.depth,
              history: { unit: sample.columns.unit[row]!, classes, probability: history.probability },
            });
        }
  return found;
}

function carriesHistories(profile: Profile): boolean {
  for (let i = 0; i < profile.size; i++) if (profile.peek(i).histories !== undefined) return true;
  return false;
}

function numbered(name: string, numbers: Map<string, number>): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(name, number);
  }
  return number;
}

function withLaw(figure: Figure, law: string): Figure {
  return { ...figure, method: `${figure.method}, ${law} law` };
}
