import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { AuditPage } from '../../../src/audit/report-data.ts';
import { Chart, FigureBlock, LegendItem } from '../chart.tsx';
import { count, percent } from '../format.ts';
import { labeller } from '../labels.ts';
import { type MapPoint, mapPlot } from '../map-plot.ts';
import { Missing, Name, Quote } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { SimulatorSelect } from './simulator-select.tsx';

interface Props {
  page: AuditPage;
  focus: string | null;
  setFocus: (id: string | null) => void;
}

type Scales = { apply(value: number): number };

export function MapSection({ page, focus, setFocus }: Props) {
  const { map } = page;
  const [people, setPeople] = useState(true);
  const [onlyOutside, setOnlyOutside] = useState(false);
  const hasPeople = useMemo(() => map.points.some(({ human }) => human), [map]);
  const shown = useMemo(
    () =>
      map.points
        .filter((point) => (people || !point.human) && (!onlyOutside || point.outside))
        .sort((a, b) => a.mode - b.mode || a.x - b.x || a.y - b.y),
    [map, people, onlyOutside],
  );
  const reachable = useMemo(
    () =>
      focus === null
        ? shown
        : [
            ...shown.filter((point) => point.simulator === focus && !point.human),
            ...shown.filter(({ human }) => human),
          ],
    [shown, focus],
  );
  return (
    <Section
      id="map"
      title="Map of behaviours"
      lead={
        <>
          One mark is one episode, placed by how its user behaves. Where simulators crowd into a few places
          that people do not, they have collapsed; where only people stand, nobody plays that user.
        </>
      }
    >
      {map.points.length === 0 ? (
        <Missing>There is no map: too few episodes to place.</Missing>
      ) : (
        <FigureBlock
          legend={
            <>
              {hasPeople && <LegendItem tone="people">people</LegendItem>}
              <LegendItem tone="simulator">
                {focus === null ? 'simulators' : 'the chosen simulator'}
              </LegendItem>
              {focus !== null && <LegendItem tone="quiet">other simulators</LegendItem>}
              <LegendItem tone="simulator" shape="cross">
                outside the support
              </LegendItem>
              <span class="legend-item">
                <b>1</b> number of a mode
              </span>
            </>
          }
          table={<MapTable points={shown} page={page} />}
        >
          <div class="controls">
            <SimulatorSelect simulators={page.report.simulators} focus={focus} setFocus={setFocus} />
            {hasPeople && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={people}
                  onChange={(event) => setPeople(event.currentTarget.checked)}
                />
                People
              </label>
            )}
            <label class="check">
              <input
                type="checkbox"
                checked={onlyOutside}
                onChange={(event) => setOnlyOutside(event.currentTarget.checked)}
              />
              Outside rows only
            </label>
          </div>
          <Explorer page={page} shown={shown} reachable={reachable} focus={focus} />
          <p class="fine">
            {count(map.sampled.shown)} of {count(map.sampled.of)} episodes (seed {map.sampled.seed}). Two axes
            of the behaviour space, {percent(map.explained)} of its variance: distances are only partly seen.
          </p>
        </FigureBlock>
      )}
    </Section>
  );
}

/** The map and, beside it, the dialogue under the pointer or reached with the two buttons. */
function Explorer({
  page,
  shown,
  reachable,
  focus,
}: {
  page: AuditPage;
  shown: readonly MapPoint[];
  reachable: readonly MapPoint[];
  focus: string | null;
}) {
  const [chosen, setChosen] = useState<MapPoint | null>(null);
  const label = useMemo(() => labeller(page.modes), [page]);
  const scales = useRef<{ x: Scales; y: Scales; svg: SVGSVGElement } | null>(null);
  const point = chosen !== null && reachable.includes(chosen) ? chosen : null;
  const draw = useCallback(
    (width: number) =>
      mapPlot({ points: shown, all: page.map.points, centroids: page.map.centroids, focus, width }),
    [shown, page, focus],
  );
  const mark = useCallback((target: MapPoint | null) => {
    const now = scales.current;
    if (now === null) return;
    now.svg.querySelector('.ring')?.remove();
    if (target === null) return;
    const ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    for (const [name, value] of Object.entries({
      class: 'ring',
      cx: now.x.apply(target.x),
      cy: now.y.apply(target.y),
      r: 8,
    }))
      ring.setAttribute(name, String(value));
    now.svg.append(ring);
  }, []);
  const choose = (target: MapPoint | null) => {
    setChosen(target);
    mark(target);
  };
  const step = (by: number) => {
    if (reachable.length === 0) return;
    const at = point === null ? (by > 0 ? -1 : 0) : reachable.indexOf(point);
    choose(reachable[(at + by + reachable.length) % reachable.length] ?? null);
  };
  const onDrawn = useCallback((node: unknown) => {
    const svg = node as SVGSVGElement & { scale(name: string): Scales };
    scales.current = { x: svg.scale('x'), y: svg.scale('y'), svg };
  }, []);
  const onPointer = (event: PointerEvent) => {
    const now = scales.current;
    if (now === null) return;
    const box = now.svg.getBoundingClientRect();
    // The drawing may be scaled by the page's zoom or by max-width.
    const zoom = now.svg.viewBox.baseVal.width / box.width;
    const [x, y] = [(event.clientX - box.left) * zoom, (event.clientY - box.top) * zoom];
    const found = nearest(reachable, x, y, now);
    if (found !== null && found !== point) choose(found);
  };
  return (
    <div class="explorer">
      {/* Pointer only: the same points are reached with the buttons beside. */}
      <div class="explorer-map" onPointerMove={onPointer} onPointerDown={onPointer}>
        <Chart
          draw={draw}
          onDrawn={onDrawn}
          label={`Map of ${count(shown.length)} episodes in two dimensions; the counts per simulator are in the table below, single dialogues in the panel beside.`}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys add to the two buttons inside */}
      <div
        class="explorer-panel"
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1);
          if (event.key === 'ArrowLeft') step(-1);
        }}
      >
        <div class="explorer-steps">
          <button type="button" class="button" onClick={() => step(-1)} aria-label="Previous dialogue">
            ←
          </button>
          <button type="button" class="button" onClick={() => step(1)} aria-label="Next dialogue">
            →
          </button>
          <span class="fine">
            {point === null
              ? 'Dialogues'
              : `${count(reachable.indexOf(point) + 1)} of ${count(reachable.length)}`}
          </span>
        </div>
        <div aria-live="polite" class="explorer-text">
          {point === null ? (
            <p class="fine">
              Point at a mark, or step through with the arrows, to read the dialogue behind it.
            </p>
          ) : (
            <>
              <p class="explorer-who">
                <span class={point.human ? 'tag tag-people' : 'tag tag-simulator'}>
                  {point.human ? 'person' : 'simulator'}
                </span>
                {point.outside && <span class="tag tag-outside">outside</span>}
                <Name>{point.simulator}</Name>
              </p>
              <p class="fine">
                Mode {point.mode + 1}: <Name>{label(point.mode)}</Name>
              </p>
              <Quote>{point.excerpt}</Quote>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

const REACH = 24;

function nearest(
  points: readonly MapPoint[],
  x: number,
  y: number,
  scales: { x: Scales; y: Scales },
): MapPoint | null {
  let best: MapPoint | null = null;
  let least = REACH ** 2;
  for (const point of points) {
    const distance = (scales.x.apply(point.x) - x) ** 2 + (scales.y.apply(point.y) - y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

interface Tally {
  readonly simulator: string;
  readonly human: boolean;
  n: number;
  outside: number;
  readonly modes: Set<number>;
}

const TALLY: readonly Column<Tally>[] = [
  { id: 'who', header: 'Who', text: ({ simulator }) => simulator },
  { id: 'kind', header: 'Kind', text: ({ human }) => (human ? 'people' : 'simulator') },
  { id: 'n', header: 'Marks shown', number: ({ n }) => n },
  { id: 'outside', header: 'Outside', number: ({ outside }) => outside },
  { id: 'modes', header: 'Modes touched', number: ({ modes }) => modes.size },
];

const POINTS: readonly Column<MapPoint>[] = [
  { id: 'who', header: 'Who', text: ({ simulator }) => simulator },
  { id: 'mode', header: 'Mode', number: ({ mode }) => mode + 1 },
  { id: 'outside', header: 'Outside', text: ({ outside }) => (outside ? 'outside' : 'inside') },
  { id: 'x', header: 'x', number: ({ x }) => x, format: (value) => value.toFixed(2) },
  { id: 'y', header: 'y', number: ({ y }) => y, format: (value) => value.toFixed(2) },
  {
    id: 'excerpt',
    header: 'Dialogue',
    node: ({ excerpt }) => (
      <span class="excerpt" dir="auto">
        {excerpt}
      </span>
    ),
  },
];

function MapTable({ points, page }: { points: readonly MapPoint[]; page: AuditPage }) {
  const [rows, setRows] = useState(20);
  const tallies = useMemo(() => {
    const found = new Map<string, Tally>();
    for (const { simulator, human, outside, mode } of points) {
      const tally = found.get(simulator) ?? { simulator, human, n: 0, outside: 0, modes: new Set<number>() };
      tally.n += 1;
      if (outside) tally.outside += 1;
      tally.modes.add(mode);
      found.set(simulator, tally);
    }
    return [...found.values()].sort(
      (a, b) => Number(b.human) - Number(a.human) || (a.simulator < b.simulator ? -1 : 1),
    );
  }, [points]);
  return (
    <>
      <Table
        caption={`Marks on the map by simulator, K = ${page.report.space.k}`}
        columns={TALLY}
        rows={tallies}
        sortable
      />
      <Table
        caption={`Dialogues on the map, first ${count(Math.min(rows, points.length))} of ${count(points.length)}`}
        columns={POINTS}
        rows={points.slice(0, rows)}
      />
      {rows < points.length && (
        <button type="button" class="button" onClick={() => setRows(rows + 100)}>
          Show 100 more dialogues
        </button>
      )}
    </>
  );
}
