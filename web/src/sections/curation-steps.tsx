import type { CurationManifest } from '../../../src/curation/manifest.ts';
import { count, setting } from '../format.ts';
import { Name } from '../number.tsx';

/** Rows read, passed, selected, trained on, one line: each step has its own word on the whole page. */
export function RowSteps({ manifest }: { manifest: CurationManifest }) {
  const { batches, beforeAfter, funnel, selection, weights } = manifest;
  const left = (stage: string) => funnel.find((one) => one.stage === stage)?.left ?? null;
  const entered = funnel[0]?.entered ?? beforeAfter.rows.before;
  const read = left('read') ?? entered;
  const trained = funnel.at(-1)?.left ?? batches?.rows ?? read;
  const how = [...(batches === null ? [] : ['in batches']), ...(weights === null ? [] : ['by weight'])];
  const steps: readonly (readonly [number | null, string])[] = [
    ...(entered === read ? [] : [[entered, 'rows in the files'] as const]),
    [read, entered === read ? 'rows read' : 'read'],
    [left('gate'), 'passed the gate'],
    [selection === null ? null : left('selection'), 'selected'],
    [trained, ['trained on', ...how].join(', ')],
  ];
  const { scd2, bdi, mass, realism } = beforeAfter;
  const rough = [scd2, bdi, mass, realism].some(({ before, after, difference }) =>
    [before, after, difference].some(({ value, approximate }) => value !== null && approximate === true),
  );
  return (
    <>
      <ol class="row-steps" aria-label="Rows">
        {steps.map(
          ([rows, word]) =>
            rows !== null && (
              <li key={word}>
                <b>{count(rows)}</b> {word}
              </li>
            ),
        )}
      </ol>
      <p class="fine">
        Before: {count(beforeAfter.rows.before)} rows. After: <Name>{beforeAfter.after}</Name>
        {beforeAfter.g0 === null ? '' : `; both stated at g₀ = ${setting(beforeAfter.g0)}`}. Brackets are 95 %
        intervals{rough && '; ≈ is approximate, outside the range in which the interval was tested'}.
      </p>
    </>
  );
}
