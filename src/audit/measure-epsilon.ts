import {
  conditionalCollapse,
  type Epsilon,
  type Figure,
  missing,
  type ResampledHistory,
  turnCollapse,
} from '../metrics/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import type { AuditReport, TurnErrors } from './report-data.ts';
import type { Samples } from './samples.ts';

const NO_RESAMPLES = 'needs replies drawn again at one visited history, which these records do not carry';

/** Per-turn collapse error at the histories the policy visited, where the records hold replies drawn again. */
export function measureEpsilon(
  samples: Samples,
  space: BehaviourSpace,
): { epsilon: AuditReport['epsilon']; conditional: Figure } {
  const member = errorsOf(samples, 'member');
  const population = errorsOf(samples, 'population');
  // The population's own law says most of what a policy can meet; one member's where it was not probed.
  const law = population ?? member;
  return {
    epsilon: {
      member: turnErrors(member),
      population: turnErrors(population),
    },
    conditional:
      law === null
        ? missing(NO_RESAMPLES)
        : withLaw(conditionalCollapse(law.disagreement, space.turn.centroids.rows), law.law),
  };
}

function turnErrors(errors: Epsilon | null): TurnErrors {
  const none = missing(NO_RESAMPLES);
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

function errorsOf({ view, simulators, interval }: Samples, law: 'member' | 'population'): Epsilon | null {
  const histories: ResampledHistory[] = [];
  // Which member would answer a later turn depends on what was said before, and the records do not say how.
  for (const sample of simulators)
    for (const row of sample.rows)
      for (const history of view.profile.peek(sample.columns.profileRow[row]!).histories ?? [])
        if (history.law === law && (law === 'member' || history.depth === 0))
          histories.push({
            unit: sample.columns.unit[row]!,
            classes: history.classes,
            probability: history.probability,
          });
  return histories.length === 0 ? null : turnCollapse(histories, law, interval);
}

function withLaw(figure: Figure, law: string): Figure {
  return { ...figure, method: `${figure.method}, ${law} law` };
}
