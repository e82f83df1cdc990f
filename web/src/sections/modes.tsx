import { useMemo, useState } from 'preact/hooks';
import type { AuditPage } from '../../../src/audit/report-data.ts';
import { FigureBlock, LegendItem } from '../chart.tsx';
import { figureText, percent } from '../format.ts';
import { labeller } from '../labels.ts';
import { Missing, Name, Quote } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

interface Strip {
  readonly id: string;
  readonly human: boolean;
  readonly n: number;
  readonly shares: readonly number[];
  readonly note: string;
}

type Mode = AuditPage['modes'][number];
const GALLERY = 9;
const HEIGHT = 40;
/** Above this many modes their numbers would touch. */
const NUMBERED = 24;

/** How often each simulator shows each mode, against people; and what the modes are. */
export function ModesSection({ page, focus }: { page: AuditPage; focus: string | null }) {
  const { report, modes } = page;
  const label = useMemo(() => labeller(modes), [modes]);
  const strips = useMemo(() => stripsOf(page), [page]);
  // The commonest mode of people (or of the pool) first, in every strip alike.
  const order = useMemo(() => orderOf(strips, report.space.k), [strips, report.space.k]);
  const pool = report.reference?.shares ?? poolShares(strips, report.space.k);
  const highest = Math.max(0.05, ...strips.flatMap(({ shares }) => shares), ...pool);
  const who = report.reference === null ? 'all simulators together' : 'people';
  return (
    <Section
      id="modes"
      title="Modes"
      lead={
        <>
          A mode is one recurring way of behaving; this space has {report.space.k}. Each strip shows how often
          one simulator takes each, with {who} as the outline. A collapsed simulator is one tall bar.
        </>
      }
    >
      {strips.length === 0 || report.space.k === 0 ? (
        <Missing>There are no mode shares: too few episodes.</Missing>
      ) : (
        <FigureBlock
          legend={
            <>
              <LegendItem tone="simulator">simulator</LegendItem>
              <LegendItem tone={report.reference === null ? 'pool' : 'people'} shape="outline">
                {who}
              </LegendItem>
            </>
          }
          table={<SharesTable strips={strips} order={order} label={label} />}
        >
          <ul class="strips">
            {strips.map((strip) => (
              <li
                key={strip.id}
                class={focus !== null && !strip.human && strip.id !== focus ? 'strip dimmed' : 'strip'}
              >
                <div class="strip-name">
                  <Name>{strip.id}</Name>
                  <span class="fine">{strip.note}</span>
                </div>
                <Bars
                  strip={strip}
                  order={order}
                  pool={pool}
                  highest={highest}
                  peopled={report.reference !== null}
                  label={label}
                />
              </li>
            ))}
          </ul>
          {order.length <= NUMBERED && (
            <div class="strip strip-numbers" aria-hidden="true">
              <span class="fine">mode</span>
              <ol>
                {order.map((mode) => (
                  <li key={mode}>{mode + 1}</li>
                ))}
              </ol>
            </div>
          )}
          <p class="fine">
            Modes from left to right by how often {who} show them. Bars share one scale; the highest is{' '}
            {percent(highest)}.
          </p>
        </FigureBlock>
      )}
      <Gallery modes={modes} label={label} order={order} strips={strips} />
    </Section>
  );
}

function Bars({
  strip,
  order,
  pool,
  highest,
  peopled,
  label,
}: {
  strip: Strip;
  order: readonly number[];
  pool: readonly number[];
  highest: number;
  /** The outline is people's; else the pool's. */
  peopled: boolean;
  label: (mode: number) => string;
}) {
  const step = 100 / order.length;
  const height = (share: number) => (HEIGHT * share) / highest;
  const outline = order
    .map(
      (mode, at) =>
        `${at === 0 ? 'M' : 'L'}${at * step} ${HEIGHT - height(pool[mode] ?? 0)}H${(at + 1) * step}`,
    )
    .join('');
  const top = order
    .map((mode) => ({ mode, share: strip.shares[mode] ?? 0 }))
    .sort((a, b) => b.share - a.share)[0];
  return (
    <svg
      class={strip.human ? 'bars tone-people' : 'bars tone-simulator'}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={
        top === undefined
          ? 'no shares'
          : `most often mode ${top.mode + 1} (${label(top.mode)}), ${percent(top.share)}; all shares in the table below`
      }
    >
      {order.map((mode, at) => {
        const share = strip.shares[mode] ?? 0;
        return (
          <rect
            key={mode}
            x={at * step + step * 0.1}
            y={HEIGHT - height(share)}
            width={step * 0.8}
            height={height(share)}
            fill="currentColor"
          >
            <title>
              {`mode ${mode + 1}, ${label(mode)}: ${percent(share)}, outline ${percent(pool[mode] ?? 0)}`}
            </title>
          </rect>
        );
      })}
      {!strip.human && <path class={peopled ? 'outline' : 'outline outline-pool'} d={outline} />}
      <path class="base" d={`M0 ${HEIGHT}H100`} />
    </svg>
  );
}

function SharesTable({
  strips,
  order,
  label,
}: {
  strips: readonly Strip[];
  order: readonly number[];
  label: (mode: number) => string;
}) {
  const columns = useMemo<Column<Strip>[]>(
    () => [
      { id: 'who', header: 'Who', text: ({ id }) => id },
      { id: 'n', header: 'n', number: ({ n }) => n },
      ...order.map(
        (mode): Column<Strip> => ({
          id: `m${mode}`,
          header: `M${mode + 1}`,
          hint: label(mode),
          node: ({ shares, human }) => <Share share={shares[mode] ?? 0} human={human} />,
        }),
      ),
    ],
    [order, label],
  );
  return (
    <Table
      caption="Share of episodes in each mode"
      columns={columns}
      rows={strips}
      tone={({ human }) => (human ? 'row-people' : undefined)}
    />
  );
}

/** A share as a small bar behind its number: the number keeps the page's own contrast. */
function Share({ share, human }: { share: number; human: boolean }) {
  return (
    <span class={human ? 'share tone-people' : 'share tone-simulator'}>
      <svg viewBox="0 0 10 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={10 * Math.min(1, share)} height="4" fill="currentColor" />
      </svg>
      {share === 0 ? <span class="zero">0</span> : percent(share)}
    </span>
  );
}

function Gallery({
  modes,
  label,
  order,
  strips,
}: {
  modes: readonly Mode[];
  label: (mode: number) => string;
  order: readonly number[];
  strips: readonly Strip[];
}) {
  const [all, setAll] = useState(false);
  if (modes.length === 0) return null;
  const sorted = order.flatMap((mode) => modes.find((candidate) => candidate.mode === mode) ?? []);
  const shown = all ? sorted : sorted.slice(0, GALLERY);
  return (
    <>
      <h3>What the modes are</h3>
      <ul class="gallery">
        {shown.map((mode) => (
          <li key={mode.mode}>
            <h4>
              <span class="mode-number">{mode.mode + 1}</span> <Name>{label(mode.mode)}</Name>
            </h4>
            <p class="fine">
              {mode.people === null
                ? 'share of people: no reference; '
                : `${percent(mode.people)} of people (n ${strips.find(({ human }) => human)?.n ?? 0}); `}
              {topOf(mode.mode, strips)}
            </p>
            {mode.exemplars.length === 0 ? (
              <p class="absent">No example.</p>
            ) : (
              <Quote>{mode.exemplars[0] ?? ''}</Quote>
            )}
            {mode.exemplars.length > 1 && (
              <details class="inline">
                <summary>{mode.exemplars.length - 1} more</summary>
                {mode.exemplars.slice(1).map((text, at) => (
                  <Quote key={at}>{text}</Quote>
                ))}
              </details>
            )}
          </li>
        ))}
      </ul>
      {sorted.length > GALLERY && (
        <button type="button" class="button" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? 'Show fewer modes' : `Show all ${sorted.length} modes`}
        </button>
      )}
    </>
  );
}

function topOf(mode: number, strips: readonly Strip[]) {
  const top = strips
    .filter(({ human }) => !human)
    .map(({ id, n, shares }) => ({ id, n, share: shares[mode] ?? 0 }))
    .sort((a, b) => b.share - a.share)[0];
  if (top === undefined || top.share === 0) return 'no simulator shows it';
  return (
    <>
      most in <Name>{top.id}</Name> ({percent(top.share)}, n {top.n})
    </>
  );
}

function stripsOf({ report }: AuditPage): Strip[] {
  const people: Strip[] =
    report.reference === null
      ? []
      : [
          {
            id: report.reference.id,
            human: true,
            n: report.reference.n,
            shares: report.reference.shares,
            note: `MCI ${figureText(report.reference.mci)}, n ${report.reference.n}`,
          },
        ];
  const simulators = report.simulators
    .filter(({ shares }) => shares.length > 0)
    .map(
      (simulator): Strip => ({
        id: simulator.id,
        human: false,
        n: simulator.n,
        shares: simulator.shares,
        note:
          simulator.mci.value === null
            ? `n ${simulator.n}`
            : `MCI ${figureText(simulator.mci)}, n ${simulator.n}`,
      }),
    );
  return [...people, ...simulators];
}

function poolShares(strips: readonly Strip[], k: number): number[] {
  return Array.from({ length: k }, (_, mode) =>
    strips.length === 0
      ? 0
      : strips.reduce((sum, { shares }) => sum + (shares[mode] ?? 0), 0) / strips.length,
  );
}

function orderOf(strips: readonly Strip[], k: number): number[] {
  const people = strips.filter(({ human }) => human);
  const weight = poolShares(people.length > 0 ? people : strips, k);
  return Array.from({ length: k }, (_, mode) => mode).sort(
    (a, b) => (weight[b] ?? 0) - (weight[a] ?? 0) || a - b,
  );
}
