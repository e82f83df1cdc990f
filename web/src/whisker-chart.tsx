import { Chart } from './chart.tsx';
import { Missing } from './number.tsx';
import { type WhiskerRow, whiskerLabel } from './whiskers.ts';

/** Dots and whiskers, or, where nothing was measured, the reasons instead of an empty frame. */
export function WhiskerChart({
  title,
  rows,
  draw,
}: {
  title: string;
  rows: readonly WhiskerRow[];
  draw: (width: number) => SVGSVGElement | HTMLElement;
}) {
  if (rows.some(({ figure }) => figure.value !== null))
    return <Chart draw={draw} label={whiskerLabel(title, rows)} />;
  const reasons = [...new Set(rows.map(({ figure }) => figure.reason ?? 'no reason given'))];
  return <Missing>Not measured: {reasons.length === 0 ? 'nothing to measure' : reasons.join('; ')}.</Missing>;
}
