import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Figure } from '../../../src/metrics/figure.ts';
import type {
  LabCurve,
  LabCurvePoint,
  LabMethod,
  LabTable,
  LabWorld,
} from '../../../src/report/lab-payload.ts';
import { standingOf } from '../../../src/report/lab-standing.ts';
import { Chart, FigureBlock } from '../chart.tsx';
import { number } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';
import { type CurveSeries, curves, SLOTS } from './lab-curve-plot.ts';
import { type Highlights, MethodPicker, toggled } from './lab-method-picker.tsx';
import { type WorldChoice, WorldSwitch } from './lab-world-choice.tsx';

const SHOWN: readonly { readonly curve: LabCurve; readonly title: string }[] = [
  { curve: 'trainReward', title: 'Training reward' },
  { curve: 'selection', title: 'Reward with the selection panel' },
  { curve: 'entropy', title: 'Policy entropy, nats' },
  { curve: 'zeroVariance', title: 'Share of zero-variance groups' },
  { curve: 'simulatorReward', title: 'Reward of a simulator that learns' },
];
/** Highlighted before the reader chooses. */
const FIRST = 4;

/** How each method trained. */
export function LabCurvesSection({ table, choice }: { table: LabTable; choice: WorldChoice }) {
  const { world } = choice;
  // By the first world, so that a method has one colour in all of them.
  const [highlights, setHighlights] = useState(() => usual(table));
  return (
    <Section
      id="curves"
      title="Training curves"
      lead="Means over seeds; bands are 95 % intervals, none below three seeds. Reward that rises in training and not with the selection panel is overfitting; entropy that falls and zero-variance groups that rise are collapse of the policy."
    >
      <WorldSwitch choice={choice} name="curves" />
      {world !== undefined && (
        <>
          <MethodPicker
            methods={world.methods}
            highlights={highlights}
            choose={(method) => setHighlights(toggled(highlights, method))}
          />
          <FigureBlock
            title={`Training in ${world.name}`}
            lead="Quiet lines are the other methods. Diverged runs are left out."
            table={<CurveTable world={world} highlights={highlights} />}
          >
            <div class="multiples">
              {SHOWN.map(({ curve, title }) => (
                <Curve key={curve} curve={curve} title={title} world={world} highlights={highlights} />
              ))}
            </div>
          </FigureBlock>
        </>
      )}
    </Section>
  );
}

/** One simulator, what the others are held against, this project's own, then the best. */
function usual(table: LabTable): Highlights {
  const world = table.worlds[0];
  if (world === undefined) return SLOTS.map(() => null);
  const { order } = standingOf(table, world);
  const there = new Set(world.methods.map(({ method }) => method));
  const wanted = ['single', table.comparison, 'curation', ...order.map(({ method }) => method), ...there];
  const first = [...new Set(wanted)].filter((method) => there.has(method)).slice(0, FIRST);
  return SLOTS.map((_, slot) => first[slot] ?? null);
}

function Curve({
  curve,
  title,
  world,
  highlights,
}: {
  curve: LabCurve;
  title: string;
  world: LabWorld;
  highlights: Highlights;
}) {
  const series = useMemo(
    () =>
      world.methods
        .map(({ method, curves: own }): CurveSeries => {
          const slot = highlights.indexOf(method);
          return { slot: slot < 0 ? null : slot, points: own[curve] };
        })
        .filter(({ points }) => points.some(({ value }) => value !== null)),
    [curve, world, highlights],
  );
  const steps = useMemo(() => stepsOf(world), [world]);
  const draw = useCallback((width: number) => curves(series, { width, steps }), [series, steps]);
  const label = useMemo(
    () =>
      `${title} in ${world.name}: ${
        world.methods
          .filter(({ method }) => highlights.includes(method))
          .map((method) => courseText(method, curve))
          .join('; ') || 'no method highlighted'
      }`,
    [title, world, highlights, curve],
  );
  return (
    <div class="multiple">
      <h4>{title}</h4>
      {series.length === 0 ? (
        <Missing>{reasonOf(world, curve)}</Missing>
      ) : (
        <Chart draw={draw} label={label} />
      )}
    </div>
  );
}

function stepsOf({ methods }: LabWorld): readonly [number, number] {
  const all = methods.flatMap(({ curves: own }) =>
    SHOWN.flatMap(({ curve }) => own[curve].map(({ step }) => step)),
  );
  return [Math.min(...all), Math.max(...all)];
}

function reasonOf({ methods }: LabWorld, curve: LabCurve): string {
  if (methods.every(({ seeds }) => seeds.done.length === 0)) return 'No run is done yet.';
  return curve === 'simulatorReward' ? 'No method here has a simulator that learns.' : 'No run has a value.';
}

function courseText({ title, curves: own }: LabMethod, curve: LabCurve): string {
  const known = own[curve].filter(({ value }) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return `${title} not measured`;
  return `${title} from ${number(first.value!)} at step ${first.step} to ${number(last.value!)} at step ${last.step}`;
}

interface CurveRow {
  readonly title: string;
  readonly step: number;
  readonly points: ReadonlyMap<LabCurve, LabCurvePoint>;
}

const COLUMNS: readonly Column<CurveRow>[] = [
  { id: 'title', header: 'Method', text: ({ title }) => title },
  { id: 'step', header: 'Step', number: ({ step }) => step },
  ...SHOWN.map(
    ({ curve, title }): Column<CurveRow> => ({
      id: curve,
      header: title,
      figure: ({ points }) => {
        const point = points.get(curve);
        return point === undefined || point.value === null ? null : asFigure(point);
      },
    }),
  ),
];

function asFigure({ value, low, high, n }: LabCurvePoint): Figure {
  return { value, low, high, n, method: `t-seed(n=${n})` };
}

/** Of the highlighted methods: with all of them the table would be longer than the page. */
function CurveTable({ world, highlights }: { world: LabWorld; highlights: Highlights }) {
  const rows = useMemo(
    () =>
      world.methods
        .filter(({ method }) => highlights.includes(method))
        .flatMap(({ title, curves: own }): CurveRow[] => {
          const steps = new Map<number, Map<LabCurve, LabCurvePoint>>();
          for (const { curve } of SHOWN)
            for (const point of own[curve])
              steps.set(
                point.step,
                (steps.get(point.step) ?? new Map<LabCurve, LabCurvePoint>()).set(curve, point),
              );
          return [...steps].sort(([a], [b]) => a - b).map(([step, points]) => ({ title, step, points }));
        }),
    [world, highlights],
  );
  return (
    <Table
      caption={`Training of the highlighted methods, ${world.name}`}
      columns={COLUMNS}
      rows={rows}
      empty="No method is highlighted."
    />
  );
}
