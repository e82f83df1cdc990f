import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import { LevelTag } from '../breaker-level.tsx';
import { count, figureText } from '../format.ts';
import { Missing } from '../number.tsx';
import { type Column, Table } from '../table.tsx';
import { type CurveBar, type CurveHandle, type CurvePoint, curvePlot } from './curve-plot.ts';

const COLUMNS: readonly Column<CurvePoint>[] = [
  { id: 'epoch', header: 'Epoch', number: ({ epoch }) => epoch, format: (value) => String(value) },
  { id: 'value', header: 'Value', figure: ({ figure }) => figure },
  { id: 'level', header: 'Breaker', node: ({ level }) => <LevelTag level={level} /> },
];

/** One figure over epochs, what stands under the cursor, and the same numbers as a table. */
export function Curve({
  title,
  asks,
  points,
  bars,
  range,
  joined,
}: {
  title: string;
  asks: string;
  points: readonly CurvePoint[];
  bars: readonly CurveBar[];
  range: readonly [number, number];
  joined: boolean;
}) {
  const [cursor, setCursor] = useState<number | null>(null);
  const known = points.filter(({ figure }) => figure.value !== null);
  const [first, last] = [known[0], known.at(-1)];
  const read = points.find(({ epoch }) => epoch === cursor) ?? (joined ? last : points.at(-1));
  const label =
    first === undefined || last === undefined
      ? `${title}: not measured`
      : `${title}: from ${figureText(first.figure)} at epoch ${first.epoch} to ${figureText(last.figure)} at epoch ${last.epoch}`;
  return (
    <div class="multiple curve">
      <h3>{title}</h3>
      <p class="fine">{asks}</p>
      {first === undefined ? (
        <Missing>Not measured: {points.at(-1)?.figure.reason ?? 'no reason given'}</Missing>
      ) : (
        <Drawing
          points={points}
          bars={bars}
          range={range}
          joined={joined}
          label={label}
          onCursor={setCursor}
        />
      )}
      <p class="fine curve-read">
        {read === undefined || first === undefined
          ? ''
          : `epoch ${read.epoch}: ${figureText(read.figure)}${read.figure.value === null ? '' : `, n ${count(read.figure.n)}`}; ${read.level}`}
      </p>
      <details class="as-table">
        <summary>Show as a table</summary>
        <Table caption={`${title} by epoch`} columns={COLUMNS} rows={points} />
      </details>
    </div>
  );
}

function Drawing({
  points,
  bars,
  range,
  joined,
  label,
  onCursor,
}: {
  points: readonly CurvePoint[];
  bars: readonly CurveBar[];
  range: readonly [number, number];
  joined: boolean;
  label: string;
  onCursor: (epoch: number | null) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<CurveHandle | null>(null);
  const given = useRef(points);
  given.current = points;
  const [width, setWidth] = useState(0);
  const few = points.length <= 60;
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null || width < 80) return;
    const made = curvePlot(element, given.current, { width, bars, range, joined, onCursor });
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [width, bars, range, joined, onCursor, few]);
  useEffect(() => {
    plot.current?.set(points);
  }, [points]);
  useEffect(() => onColours(() => plot.current?.redraw()), []);
  return <div class="curve-host" ref={host} role="img" aria-label={label} />;
}

/** Canvases do not follow the page's colours by themselves. */
function onColours(redraw: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(redraw);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  scheme.addEventListener('change', redraw);
  return () => {
    chosen.disconnect();
    scheme.removeEventListener('change', redraw);
  };
}
