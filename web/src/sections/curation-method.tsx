import { useMemo } from 'preact/hooks';
import type { CurationManifest } from '../../../src/curation/manifest.ts';
import { setting } from '../format.ts';
import { Name } from '../number.tsx';
import { recipeText } from '../recipe-text.ts';
import { Section } from '../shell.tsx';
import { Fact } from './method.tsx';

/** The recipe, every default filled in, and how before and after were measured. */
export function CurationMethodSection({ manifest }: { manifest: CurationManifest }) {
  const { beforeAfter, recipe, space } = manifest;
  const text = useMemo(() => recipeText(recipe), [recipe]);
  const methods = [
    ...new Set(
      [beforeAfter.scd2, beforeAfter.bdi, beforeAfter.mass, beforeAfter.realism].flatMap(
        ({ before, after, difference }) => [before, after, difference].map(({ method }) => method),
      ),
    ),
  ].filter((method) => method !== 'none');
  return (
    <Section id="method" title="Recipe and method">
      <h3>Recipe</h3>
      <p class="fine">
        As YAML, every default filled in; false is switched off. The same text in a file is a recipe again.
      </p>
      {/* A region that scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section class="recipe" aria-label="Recipe" tabIndex={0}>
        <pre>{text}</pre>
      </section>
      <h3>How it was computed</h3>
      <dl class="facts">
        <Fact term="Space">
          <code>{space.id}</code>, K = {space.k} modes, fitted on{' '}
          {space.fittedOn === 'people' ? 'episodes of people' : 'a sample of these episodes'}. Before and
          after lie in one space.
        </Fact>
        <Fact term="Embedder">
          <Name>{space.embedder}</Name>
        </Fact>
        <Fact term="Control">
          <Name>{space.control}</Name>: <Name>{space.controlReason}</Name>
        </Fact>
        <Fact term="Unit">
          {space.unit}: intervals leave out one at a time; nothing is drawn with replacement.
        </Fact>
        <Fact term="After">
          <Name>{beforeAfter.after}</Name>
        </Fact>
        <Fact term="Size g₀">
          {beforeAfter.g0 === null
            ? 'none: nothing was stated at a size'
            : `${setting(beforeAfter.g0)}: BDI is stated at this size on both sides, since more rows always cover more`}
        </Fact>
        <Fact term="Intervals">{methods.length === 0 ? 'none' : `95 %, ${methods.join(', ')}`}</Fact>
        <Fact term="Reproduce">
          collapse-aware {manifest.version}, schema <code>{manifest.schema}</code>, seed {recipe.seed}. The
          order of rows and files decides nothing.
        </Fact>
      </dl>
    </Section>
  );
}
