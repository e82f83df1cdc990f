import { axisX, axisY, plot, rectY } from '@observablehq/plot';
import { useCallback, useMemo } from 'preact/hooks';
import { ORIGINS, type OriginKind, sharesByOrigin } from '../../../src/report/evolve-lineage.ts';
import type { EvolveView } from '../../../src/report/evolve-payload.ts';
import { Chart, FigureBlock } from '../chart.tsx';
import { percent } from '../format.ts';
import { type Column, Table } from '../table.tsx';
import { ORIGIN_LOOKS, OriginTag } from './evolve-origin.tsx';

interface Moment {
  readonly when: string;
  readonly at: number;
  readonly shares: Readonly<Record<OriginKind, number>>;
}

/** How much of the population came from where, over rounds. */
export function EvolveOriginsBlock({ view }: { view: EvolveView }) {
  const { members, rounds } = view;
  const moments = useMemo(
    () =>
      sharesByOrigin(members).map(
        (shares, at): Moment => ({
          when: at === 0 ? 'start' : `after ${rounds[at - 1]?.round ?? at}`,
          at: at === 0 ? (rounds[0]?.round ?? 1) - 1 : (rounds[at - 1]?.round ?? at),
          shares,
        }),
      ),
    [members, rounds],
  );
  const kinds = useMemo(
    () => ORIGINS.filter((kind) => moments.some(({ shares }) => shares[kind] > 0)),
    [moments],
  );
  const draw = useCallback((width: number) => originPlot(moments, kinds, width), [moments, kinds]);
  const columns = useMemo<readonly Column<Moment>[]>(
    () => [
      { id: 'when', header: 'Round', text: ({ when }) => when },
      ...kinds.map(
        (kind): Column<Moment> => ({
          id: kind,
          header: ORIGIN_LOOKS[kind].word,
          number: ({ shares }) => shares[kind],
          format: percent,
        }),
      ),
    ],
    [kinds],
  );
  if (moments.length < 2) return null;
  const last = moments.at(-1)!;
  return (
    <FigureBlock
      title="Where the population comes from"
      lead="Share of the members in service by what they were made from; all of them together are 100 %."
      legend={kinds.map((kind) => (
        <span class="legend-item" key={kind}>
          <OriginTag kind={kind} />
        </span>
      ))}
      table={<Table caption="Share of the population by origin" columns={columns} rows={moments} />}
    >
      <Chart
        draw={draw}
        label={`Share of the population by origin, from the bottom up; at the end ${kinds.map((kind) => `${ORIGIN_LOOKS[kind].word} ${percent(last.shares[kind])}`).join(', ')}`}
      />
    </FigureBlock>
  );
}

/** A block a moment, origins one on the other. */
function originPlot(moments: readonly Moment[], kinds: readonly OriginKind[], width: number) {
  const blocks = moments.flatMap(({ at, shares }) => {
    let below = 0;
    return kinds.map((kind) => {
      const y1 = below;
      below += shares[kind];
      return { at, kind, y1, y2: below };
    });
  });
  type Block = (typeof blocks)[number];
  const [first, last] = [moments[0]!.at, moments.at(-1)!.at];
  return plot({
    className: 'plot',
    width,
    height: 170,
    marginTop: 8,
    marginRight: 12,
    marginBottom: 36,
    marginLeft: 44,
    style: { background: 'none', fontSize: '12px', overflow: 'visible' },
    color: { type: 'identity' },
    x: { type: 'linear', domain: [first - 0.5, last + 0.5] },
    y: { domain: [0, 1] },
    marks: [
      rectY(blocks, {
        x1: ({ at }: Block) => at - 0.5,
        x2: ({ at }: Block) => at + 0.5,
        y1: 'y1',
        y2: 'y2',
        fill: ({ kind }: Block) => ORIGIN_LOOKS[kind].colour,
        fillOpacity: 0.75,
        insetLeft: 0.5,
        insetRight: 0.5,
        insetTop: 0.5,
        insetBottom: 0.5,
      }),
      axisX({
        ticks: Math.max(2, Math.min(last - first + 1, Math.floor(width / 40))),
        tickFormat: (value: number) =>
          Number.isInteger(value) ? (value === first ? 'start' : String(value)) : '',
        tickSize: 0,
        color: 'var(--muted)',
        label: 'after round',
        labelAnchor: 'center',
        labelArrow: 'none',
      }),
      axisY({ ticks: 4, tickFormat: percent, tickSize: 0, color: 'var(--muted)', label: null }),
    ],
  });
}
