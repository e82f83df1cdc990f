import type { CurationManifest } from '../../../src/curation/manifest.ts';
import { count, number, plural } from '../format.ts';
import { Name } from '../number.tsx';

/** Below this agreement a close verdict may be that of one cut of the modes. */
const STABLE = 0.5;

/** What could turn the verdict, where there is anything. */
export function CurationCaveats({
  manifest: { inputs, sharedWithReference, space },
}: {
  manifest: CurationManifest;
}) {
  const stability = space.stability ?? null;
  const stopped = inputs.filter(({ error }) => error != null);
  if ((stability === null || stability >= STABLE) && stopped.length === 0 && sharedWithReference === 0)
    return null;
  return (
    <section class="confounds" aria-labelledby="caveats-title">
      <h2 id="caveats-title">What could mislead</h2>
      <dl>
        {stability !== null && stability < STABLE && (
          <div>
            <dt>Modes depend on the seed</dt>
            <dd>
              other seeds cut the modes differently (agreement {number(stability, 2)}): intervals hold the
              modes fixed, so see with <code>--seed</code> whether a close verdict stands
            </dd>
          </div>
        )}
        {sharedWithReference > 0 && (
          <div>
            <dt>Rows in the reference</dt>
            <dd>
              {plural(sharedWithReference, 'dialogue')} of the rows stand in the reference too: people cannot
              be compared with themselves, and simulators given as people make everything look like people
            </dd>
          </div>
        )}
        {stopped.length > 0 && (
          <div>
            <dt>Files not whole</dt>
            <dd>
              <Name>{stopped[0]!.path}</Name> was read up to an error only
              {stopped.length > 1 &&
                `, and ${plural(stopped.length - 1, 'more file')} of ${count(inputs.length)}`}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
