import { useCallback, useMemo } from 'preact/hooks';
import type { AuditReport, SimulatorReport } from '../../../src/audit/report-data.ts';
import type { Figure } from '../../../src/metrics/figure.ts';
import { FigureBlock } from '../chart.tsx';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { WhiskerChart } from '../whisker-chart.tsx';
import { type Threshold, type WhiskerRow, whiskers } from '../whiskers.ts';
import { SimulatorSelect } from './simulator-select.tsx';

interface Props {
  report: AuditReport;
  focus: string | null;
  setFocus: (id: string | null) => void;
}

interface DriverRow {
  readonly simulator: string;
  readonly feature: string;
  readonly difference: Figure;
}

const COLUMNS: readonly Column<DriverRow>[] = [
  { id: 'simulator', header: 'Simulator', text: ({ simulator }) => simulator },
  { id: 'feature', header: 'Feature', text: ({ feature }) => feature },
  { id: 'difference', header: 'Standardised difference', figure: ({ difference }) => difference },
];
const NONE: SimulatorReport['drivers'] = [];

/** What a simulator does more or less than people (or than the pool). */
export function DriversSection({ report, focus, setFocus }: Props) {
  const able = useMemo(() => report.simulators.filter(({ drivers }) => drivers.length > 0), [report]);
  const chosen = able.find(({ id }) => id === focus) ?? able[0];
  const against = report.reference === null ? 'the other simulators' : 'people';
  const rows = useMemo(
    () =>
      (chosen?.drivers ?? NONE).map(
        ({ feature, difference }): WhiskerRow => ({ label: feature, figure: difference, tone: 'simulator' }),
      ),
    [chosen],
  );
  const thresholds = useMemo<Threshold[]>(
    () => [{ at: 0, label: `as ${against}`, tone: report.reference === null ? 'quiet' : 'people' }],
    [against, report],
  );
  const draw = useCallback((width: number) => whiskers(rows, { width, thresholds }), [rows, thresholds]);
  const all = useMemo(
    () =>
      able.flatMap((simulator) =>
        simulator.drivers.map((driver) => ({ simulator: simulator.id, ...driver })),
      ),
    [able],
  );
  return (
    <Section
      id="drivers"
      title="Drivers"
      lead={`Which habits make the difference to ${against}: right of the line the simulator shows more of it, left less. In standard deviations of ${against}.`}
    >
      {chosen === undefined ? (
        <Missing>No feature could be compared: too few episodes.</Missing>
      ) : (
        <FigureBlock
          table={
            <Table caption={`Standardised differences to ${against}`} columns={COLUMNS} rows={all} sortable />
          }
        >
          <div class="controls">
            <SimulatorSelect simulators={able} focus={chosen.id} setFocus={setFocus} all={null} />
          </div>
          <WhiskerChart title={`Drivers of ${chosen.id}`} rows={rows} draw={draw} />
        </FigureBlock>
      )}
    </Section>
  );
}
