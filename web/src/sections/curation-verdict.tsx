import type { BeforeAfter, CurationManifest, SearchResult } from '../../../src/curation/manifest.ts';
import { type Change, changeOf, type Judged, judged } from '../change.ts';
import { count, intervalText, number, plural, pointText } from '../format.ts';
import { Long, Name } from '../number.tsx';
import { type Column, Table } from '../table.tsx';
import { CurationCaveats } from './curation-caveats.tsx';
import { RowSteps } from './curation-steps.tsx';
import { LevelMark } from './verdict.tsx';

const VERDICTS = {
  improved: { level: 'absent', text: 'improved' },
  unchanged: { level: 'undecided', text: 'unchanged' },
  'limited-by-data': { level: 'present', text: 'limited by the data: no gain' },
  'not-judged': { level: 'undecided', text: 'not judged: too little to compare' },
} as const satisfies Record<BeforeAfter['verdict'], object>;

const LEVELS = {
  better: 'absent',
  worse: 'present',
  'no change shown': 'undecided',
  'not measured': 'undecided',
} as const satisfies Record<Change, string>;

/** The first screen: one sentence, four figures before and after, the rows, and what else the data could give. */
export function CurationVerdict({ manifest }: { manifest: CurationManifest }) {
  const { beforeAfter, headline } = manifest;
  const { level, text } = VERDICTS[beforeAfter.verdict];
  return (
    <section class="verdict" id="verdict" aria-labelledby="headline">
      <p class={`verdict-level level-${level}`}>
        <span class="level">
          <LevelMark level={level} />
          {text}
        </span>
      </p>
      <h1 id="headline" class={headline.length > 150 ? 'long' : undefined}>
        <Long over={340}>{headline}</Long>
      </h1>
      <ul class="changes" aria-label="Figures before and after">
        {judged(manifest).map((one) => (
          <ChangeCard key={one.id} judged={one} />
        ))}
      </ul>
      <RowSteps manifest={manifest} />
      <CurationCaveats manifest={manifest} />
      {beforeAfter.search !== null && <Search search={beforeAfter.search} beforeAfter={beforeAfter} />}
    </section>
  );
}

function ChangeCard({ judged: one }: { judged: Judged }) {
  const { before, after, difference } = one.figure;
  const change = changeOf(one);
  const level = LEVELS[change];
  return (
    <li class={`change level-${level}`}>
      <h2 class="change-name">{one.name}</h2>
      <p class="fine">
        {one.asks}; {one.better} is better
      </p>
      {before.value === null && after.value === null ? (
        <p class="change-reason">
          not measured: <Name>{before.reason ?? after.reason ?? 'no reason given'}</Name>
        </p>
      ) : (
        <>
          <div class="change-values">
            <Side name="before" figure={before} />
            <span class="change-arrow" aria-hidden="true">
              →
            </span>
            <Side name="after" figure={after} />
          </div>
          <p class="level">
            <LevelMark level={level} />
            {change}
          </p>
          <p class="change-difference">
            {difference.value === null ? (
              <span class="fine">
                <Name>{difference.reason ?? 'no reason given'}</Name>
              </span>
            ) : (
              <span class="value change-by">
                {signed(difference)} <span class="fine">{intervalText(difference) ?? 'no interval'}</span>
              </span>
            )}
          </p>
        </>
      )}
    </li>
  );
}

function Side({ name, figure }: { name: string; figure: Judged['figure']['before'] }) {
  return (
    <p class="change-side">
      <span class="fine">{name}</span>
      <span class="change-point" title={figure.reason}>
        {figure.value !== null && figure.approximate === true && (
          <abbr title="approximate: outside the range in which the interval was tested">≈</abbr>
        )}
        {pointText(figure)}
      </span>
      <span class="fine value">
        {figure.value === null ? 'not measured' : (intervalText(figure) ?? 'no interval')}
      </span>
    </p>
  );
}

function signed(figure: Judged['figure']['difference']): string {
  const text = pointText(figure);
  return (figure.value ?? 0) > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

interface Reached {
  readonly what: string;
  readonly scd2: number | null;
  readonly bdi: number | null;
  readonly realism: number | null;
}

const plain = (value: number) => number(value, 3);
const REACHED: readonly Column<Reached>[] = [
  { id: 'what', header: 'Rows', text: ({ what }) => what },
  { id: 'scd2', header: 'SCD2', number: ({ scd2 }) => scd2, format: plain },
  { id: 'bdi', header: 'BDI', number: ({ bdi }) => bdi, format: plain },
  { id: 'realism', header: 'Realism', number: ({ realism }) => realism, format: plain },
];

/** What no subset surpassed, so that nobody blames the recipe for the data. */
function Search({ search, beforeAfter }: { search: SearchResult; beforeAfter: BeforeAfter }) {
  const { scd2, bdi, realism } = beforeAfter;
  const own = (side: 'before' | 'after') => ({
    scd2: scd2[side].value,
    bdi: bdi[side].value,
    realism: realism[side].value,
  });
  return (
    <section class="confounds search" aria-labelledby="search-title">
      <h2 id="search-title">What any subset of these rows reached</h2>
      <p>
        Best of {plural(search.evaluations, 'subset')} of {count(search.rows)} rows that passed the gate:{' '}
        <Long>{search.method}</Long>, seed {search.seed}. A search is no proof, but a recipe that beats it
        would be news.
      </p>
      <Table
        caption="Figures reached"
        columns={REACHED}
        rows={[
          { what: 'rows read', ...own('before') },
          { what: 'this curation', ...own('after') },
          { what: 'subset with the lowest SCD2', ...search.bestScd2 },
          { what: 'subset with the highest BDI', ...search.bestBdi },
        ]}
      />
    </section>
  );
}
