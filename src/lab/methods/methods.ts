import { nearestName } from '../../curation/recipe-fault.ts';
import { CollapseAwareError } from '../../errors.ts';
import { base } from './base.ts';
import { coTrainingAdversarial, coTrainingCooperative, coTrainingCurriculum } from './co-training.ts';
import { collapseAware } from './collapse-aware.ts';
import { curation, curationNoPeople } from './curated.ts';
import { domainRandomisation } from './domain-randomisation.ts';
import { ensemble } from './ensemble.ts';
import { humanFitted } from './human-fitted.ts';
import type { Method } from './method.ts';
import { persona } from './persona.ts';
import { populationCoTraining } from './population-co-training.ts';
import { single } from './single.ts';
import { verbalizedProb, verbalizedRandom } from './verbalized.ts';

/** In the order of the tables. */
export const METHODS: readonly Method[] = [
  base,
  single,
  persona,
  ensemble,
  verbalizedProb,
  verbalizedRandom,
  coTrainingCurriculum,
  coTrainingAdversarial,
  coTrainingCooperative,
  populationCoTraining(1),
  populationCoTraining(3),
  populationCoTraining(5),
  populationCoTraining(10),
  domainRandomisation,
  humanFitted,
  curation,
  curationNoPeople,
  collapseAware({ id: 'collapse-aware', title: 'Closed loop', without: null }),
  collapseAware({ id: 'collapse-aware-no-people', title: 'Closed loop without people', without: 'people' }),
  collapseAware({ id: 'collapse-aware-no-gate', title: 'Closed loop without gate', without: 'gate' }),
  collapseAware({
    id: 'collapse-aware-no-weights',
    title: 'Closed loop without weights',
    without: 'weights',
  }),
  collapseAware({ id: 'collapse-aware-no-gaps', title: 'Closed loop without gaps', without: 'gaps' }),
  collapseAware({
    id: 'collapse-aware-no-paths',
    title: 'Closed loop without interpolation',
    without: 'paths',
  }),
  collapseAware({
    id: 'collapse-aware-no-adversary',
    title: 'Closed loop without adversary',
    without: 'adversary',
  }),
  collapseAware({
    id: 'collapse-aware-no-breaker',
    title: 'Closed loop without breaker',
    without: 'breaker',
  }),
  collapseAware({
    id: 'collapse-aware-no-consistency',
    title: 'Closed loop without consistency',
    without: 'consistency',
  }),
];

/** What the others are compared with. */
export const COMPARISON = 'population-co-training-5';

/** Throws CA_USAGE for a name that is none. */
export function methodOf(id: string): Method {
  const found = METHODS.find((method) => method.id === id);
  if (found !== undefined) return found;
  const names = METHODS.map((method) => method.id);
  const near = nearestName(id, names);
  throw new CollapseAwareError('CA_USAGE', `unknown method "${id}"`, {
    todo: `${near === null ? '' : `Did you mean "${near}"? `}Methods: ${names.join(', ')}.`,
  });
}
