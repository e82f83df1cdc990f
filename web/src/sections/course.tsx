import { useCallback, useMemo } from 'preact/hooks';
import type { AuditReport, EpochRow } from '../../../src/audit/report-data.ts';
import { Chart, FigureBlock } from '../chart.tsx';
import { figureText } from '../format.ts';
import { type LinePoint, lines } from '../lines.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

type Depth = AuditReport['depth'][number];
type Trend = AuditReport['trend'][number];

const EPOCHS: readonly Column<EpochRow>[] = [
  { id: 'epoch', header: 'Epoch', number: ({ epoch }) => epoch },
  { id: 'scd2', header: 'SCD2', figure: ({ scd2 }) => scd2 },
  { id: 'scd', header: 'SCD, entropy', figure: ({ scd }) => scd },
  { id: 'bdi', header: 'BDI', figure: ({ bdi }) => bdi },
  { id: 'psod', header: 'PSOD', figure: ({ psod }) => psod },
  { id: 'mci', header: 'MCI', figure: ({ mci }) => mci },
  { id: 'n', header: 'n', number: ({ n }) => n },
];
const TRENDS: readonly Column<Trend>[] = [
  { id: 'metric', header: 'Figure', text: ({ metric }) => metric },
  { id: 'slope', header: 'Slope', figure: ({ slope }) => slope },
  { id: 'method', header: 'Method', text: ({ slope }) => slope.method },
];
const DEPTHS: readonly Column<Depth>[] = [
  { id: 'depth', header: 'User turn', number: ({ depth }) => depth + 1 },
  { id: 'scd2', header: 'SCD2', figure: ({ scd2 }) => scd2 },
  { id: 'mci', header: 'MCI', figure: ({ mci }) => mci },
  { id: 'n', header: 'n', number: ({ n }) => n },
];

/** Figures over epochs, and over the depth of a dialogue. */
export function CourseSection({ report }: { report: AuditReport }) {
  const { epochs, trend, depth } = report;
  const series = useMemo(
    () =>
      [
        { title: 'SCD2', points: epochs.map((row) => ({ at: row.epoch, figure: row.scd2 })) },
        { title: 'BDI', points: epochs.map((row) => ({ at: row.epoch, figure: row.bdi })) },
        { title: 'PSOD', points: epochs.map((row) => ({ at: row.epoch, figure: row.psod })) },
        { title: 'MCI', points: epochs.map((row) => ({ at: row.epoch, figure: row.mci })) },
      ] as const,
    [epochs],
  );
  const deep = useMemo(
    () =>
      [
        { title: 'SCD2 by turn', points: depth.map((row) => ({ at: row.depth + 1, figure: row.scd2 })) },
        { title: 'MCI by turn', points: depth.map((row) => ({ at: row.depth + 1, figure: row.mci })) },
      ] as const,
    [depth],
  );
  if (epochs.length + trend.length + depth.length === 0) return null;
  return (
    <Section
      id="course"
      title="Over time and depth"
      lead="All in one space, so that the numbers compare. Bands are 95 % intervals; gaps were not measured."
    >
      {epochs.length > 0 && (
        <FigureBlock
          title="By epoch"
          table={<Table caption="Figures by epoch" columns={EPOCHS} rows={epochs} />}
        >
          <div class="multiples">
            {series.map(({ title, points }) => (
              <Series key={title} title={title} points={points} axis="epoch" />
            ))}
          </div>
        </FigureBlock>
      )}
      {trend.length > 0 && (
        <Table caption="Trend: slope per epoch or checkpoint" columns={TRENDS} rows={trend} />
      )}
      {depth.length > 0 && (
        <FigureBlock
          title="By depth of the dialogue"
          lead="Classes of single user turns. Alike first turns are common; alike later turns are collapse."
          table={<Table caption="Figures by user turn" columns={DEPTHS} rows={depth} />}
        >
          <div class="multiples">
            {deep.map(({ title, points }) => (
              <Series key={title} title={title} points={points} axis="user turn" />
            ))}
          </div>
        </FigureBlock>
      )}
    </Section>
  );
}

function Series({ title, points, axis }: { title: string; points: readonly LinePoint[]; axis: string }) {
  const draw = useCallback((width: number) => lines(points, { width, label: axis, from: 0 }), [points, axis]);
  const known = points.filter(({ figure }) => figure.value !== null);
  const [first, last] = [known[0], known.at(-1)];
  return (
    <div class="multiple">
      <h4>{title}</h4>
      {first === undefined || last === undefined ? (
        <Missing>Not measured: {points[0]?.figure.reason ?? 'no reason given'}</Missing>
      ) : (
        <Chart
          draw={draw}
          label={`${title}: from ${figureText(first.figure)} at ${axis} ${first.at} to ${figureText(last.figure)} at ${axis} ${last.at}`}
        />
      )}
    </div>
  );
}
