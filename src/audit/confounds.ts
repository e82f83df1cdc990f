import type { AuditReport, ModeInformation, SimulatorReport } from './report-data.ts';
import type { Samples } from './samples.ts';

/** Above this, modes tell the task apart and so, partly, measure it. */
const TOPIC_LIMIT = 0.15;

/** What else could explain the figures; shown with the verdict, never behind it. */
export function confoundsOf(
  { view }: Samples,
  simulators: readonly SimulatorReport[],
  after: ModeInformation,
): AuditReport['confounds'] {
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
  const label = labelled(view);
  if (label > 0)
    found.push({
      kind: 'label-contexts',
      simulator: null,
      text: `${Math.round(100 * label)} % of the rows are told apart by a bare task label: files that number different tasks alike would be mixed up`,
    });
  return found;
}

function labelled(view: Samples['view']): number {
  let count = 0;
  for (let row = 0; row < view.rows.size; row++)
    if (view.profile.peek(view.rows.profileRow[row]!).contextFrom === 'label') count += 1;
  return view.rows.size === 0 ? 0 : count / view.rows.size;
}
