import type { AdvantageAccount, CurationManifest, SelectionAccount } from '../../../src/curation/manifest.ts';
import { count, plural } from '../format.ts';
import { Section } from '../shell.tsx';
import { Consistency } from './curation-consistency.tsx';
import { Fact } from './method.tsx';

const DESIGNS: Record<SelectionAccount['design'], string> = {
  'conditional-poisson':
    'Conditional Poisson: a fixed number of every group, with exact chances for each row and each pair.',
  poisson: 'Poisson: every row is drawn by itself, so a group may be left with too few.',
};
const BASELINES: Record<AdvantageAccount['baseline'], string> = {
  weighted: 'the weighted mean of the group: it sums to 0 under the weights.',
  simulator: 'the mean of the same simulator inside the group: a hard user does not punish the policy.',
};

/** What the trainer needs beside the weight of a row: its chance to be here, and what its reward is compared with. */
export function RowTermsSection({ manifest }: { manifest: CurationManifest }) {
  const { selection, advantage, consistency } = manifest;
  return (
    <Section id="terms" title="Selection and advantages">
      <dl class="facts">
        {selection !== null && (
          <>
            <Fact term="Design">{DESIGNS[selection.design]}</Fact>
            <Fact term="Selected">
              {count(selection.keep)} of every group that has more: {plural(selection.kept, 'row')} of{' '}
              {plural(selection.groups, 'group')}. Chances of rows and pairs stand in the data; the pair
              weight 1/π
              <sub>ij</sub> keeps the gradient unbiased.
            </Fact>
            {(selection.short > 0 || selection.design === 'poisson') && (
              <Fact term="Short groups">
                {plural(selection.short, 'group')} left with fewer than 2 rows: they count 0.
              </Fact>
            )}
          </>
        )}
        {advantage !== null && (
          <>
            <Fact term="Baseline">
              {BASELINES[advantage.baseline]} {plural(advantage.groups, 'group')}.
            </Fact>
            <Fact term="Alone">
              {plural(advantage.lone, 'row')} without a comparison: advantage 0, counted here.
            </Fact>
            <Fact term="Missing">
              {plural(advantage.missing, 'row')} without a reward or a group: advantage missing, never 0.
            </Fact>
          </>
        )}
      </dl>
      {consistency != null && <Consistency consistency={consistency} />}
    </Section>
  );
}
