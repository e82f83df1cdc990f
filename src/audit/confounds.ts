import { FEATURES } from '../embedding/index.ts';
import type { BehaviourSpace } from '../space/index.ts';
import type { AuditReport, ModeInformation, SimulatorReport } from './report-data.ts';
import type { Sample, Samples } from './samples.ts';

/** Above this, modes tell the task apart and so, partly, measure it. */
const TOPIC_LIMIT = 0.15;
/** Codebooks of three seeds that agree less than this leave close verdicts to the seed. */
const STABLE = 0.5;
/** From here on, rows in other languages are named: fewer are slips of the rule that tells languages apart. */
const LANGUAGE_LIMIT = 0.1;

/** What else could explain the figures; shown with the verdict, never behind it. */
export function confoundsOf(
  samples: Samples,
  space: BehaviourSpace,
  simulators: readonly SimulatorReport[],
  after: ModeInformation,
): AuditReport['confounds'] {
  const { view } = samples;
  const found: AuditReport['confounds'][number][] = [];
  if (simulators.length === 1)
    found.push({
      kind: 'one-simulator',
      simulator: simulators[0]!.id,
      text: 'only one simulator: nothing can be said about what several have in common, and topic cannot be controlled for',
    });
  for (const { id, policies } of simulators)
    if (policies.length === 1)
      found.push({
        kind: 'one-policy',
        simulator: id,
        text: `${id} was seen with one policy only (${policies[0]}): what it does cannot be told from what that policy draws out of it`,
      });
  if (after.context !== null && after.context > TOPIC_LIMIT)
    found.push({
      kind: 'topic',
      simulator: null,
      text: `modes still tell the task apart (adjusted mutual information ${after.context.toFixed(2)} after control): part of the figures is topic`,
    });
  if (view.control === 'interaction' && view.reason.startsWith('style'))
    found.push({
      kind: 'style',
      simulator: null,
      text: `compared by how users interact, not by their wording (${view.reason})`,
    });
  for (const { id, verdict, outside } of simulators)
    if (verdict === 'off support')
      found.push({
        kind: 'off-support',
        simulator: id,
        text: `${Math.round(100 * (outside.value ?? 0))} % of the rows of ${id} lie outside the support: it is not judged, and enters figures of the whole population by its nearest modes`,
      });
  const { people } = samples;
  for (const [sample, who] of [
    ...samples.simulators.map((sample) => [sample, sample.id] as const),
    ...(people === null ? [] : [[people.ceiling, null] as const]),
  ]) {
    const share = otherLanguage(sample, space.features);
    if (share >= LANGUAGE_LIMIT)
      found.push({
        kind: 'language',
        simulator: who,
        text: `${Math.round(100 * share)} % of the rows of ${who ?? 'people'} are not in English: ${ENGLISH.size} of ${FEATURES.length} interaction features are unknown there and count as average, which makes rows look alike that may not be`,
      });
  }
  const stability = view.classes === null ? space[view.codebook as 'episode'].stability : null;
  if (stability !== null && stability < STABLE)
    found.push({
      kind: 'codebook',
      simulator: null,
      text: `other seeds cut the modes differently (adjusted Rand ${stability.toFixed(2)}): intervals hold the modes fixed, so see with --seed whether a close verdict stands`,
    });
  const label = labelled(view);
  if (label > 0)
    found.push({
      kind: 'label-contexts',
      simulator: null,
      text: `${Math.round(100 * label)} % of the rows are told apart by a bare task label: files that number different tasks alike would be mixed up`,
    });
  return found;
}

const ENGLISH: ReadonlySet<string> = new Set(
  FEATURES.filter(({ english }) => english).map(({ name }) => name),
);

/** Share of the rows that speak and in which every English-only feature is missing; 0 where no row can tell. */
function otherLanguage({ reservoir }: Sample, features: readonly string[]): number {
  const english = features.flatMap((name, at) => (ENGLISH.has(name) ? [at] : []));
  const turns = features.indexOf('user-turns');
  if (english.length === 0 || turns < 0) return 0;
  const known = (row: Sample['reservoir'][number], at: number) =>
    !Number.isNaN(row.features[at] ?? Number.NaN);
  const spoke = reservoir.filter((row) => known(row, turns));
  if (spoke.length === 0) return 0;
  return spoke.filter((row) => !english.some((at) => known(row, at))).length / spoke.length;
}

function labelled(view: Samples['view']): number {
  let count = 0;
  for (let row = 0; row < view.rows.size; row++)
    if (view.profile.peek(view.rows.profileRow[row]!).contextFrom === 'label') count += 1;
  return view.rows.size === 0 ? 0 : count / view.rows.size;
}
