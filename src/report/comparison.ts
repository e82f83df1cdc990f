import {
  type AuditReport,
  COMPARISON_SCHEMA,
  type Comparison,
  comparedFigures,
  comparisonHeadline,
  type FigureKey,
  type Labels,
  type Pair,
  policyConfound,
  populationFigures,
  type SimulatorReport,
  sideOf,
  simulatorFigures,
} from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { type Figure, figureDifference, missing } from '../metrics/index.ts';
import { VERSION } from '../version.ts';

const NEEDS_ROWS = 'needs the rows: compare the rollout files or the saved profiles';

const FIGURES: readonly (readonly [FigureKey, (report: AuditReport) => Figure])[] = [
  ['scd.pooled2', (r) => r.scd.pooled2],
  ['scd.pooled', (r) => r.scd.pooled],
  ['scd.pooled2Within', (r) => r.scd.pooled2Within],
  ['scd.pooled2Alike', (r) => r.scd.pooled2Alike],
  ['scd.conditional', (r) => r.scd.conditional],
  ['bdi.headline', (r) => r.bdi.headline],
  ['bdi.mass', (r) => r.bdi.mass],
  ['bdi.covered', () => missing(NEEDS_ROWS)],
  ['bdi.realism', (r) => r.bdi.realism],
  ['psod.value', (r) => r.psod],
  ['psod.rise', (r) => r.psod.rise],
  ['epsilon.member', (r) => r.epsilon.member],
  ['health.zeroVariance', (r) => r.health.zeroVariance.share],
];

/**
 * Two audits of one behaviour space. Numbers of two spaces, or of two controls of one, mean different things. The
 * reports do not say which units they share, so variances add (`compare` on the rows does better).
 * @throws CA_SPACE_MISMATCH
 */
export function compareReports(
  a: AuditReport,
  b: AuditReport,
  labels: Labels = { a: 'A', b: 'B' },
): Comparison {
  checkComparable(a, b, labels);
  // Mass is stated at a size; two sizes make two figures of it.
  const sized = a.bdi.g0 === b.bdi.g0;
  const sizes = `stated at different sizes (g0 ${a.bdi.g0} and ${b.bdi.g0}): ${NEEDS_ROWS}`;
  const pair = (x: Figure, y: Figure, comparable = true): Omit<Pair, 'key'> => ({
    a: x,
    b: y,
    difference:
      comparable || x.value === null || y.value === null
        ? figureDifference(y, x)
        : missing(sizes, Math.min(x.n, y.n)),
  });
  const { bdi, ...populations } = populationFigures(
    FIGURES.map(([key, read]) => ({ key, ...pair(read(a), read(b), sized || !OF_SIZE.has(key)) })),
  );
  const ids = [...new Set([...a.simulators, ...b.simulators].map((simulator) => simulator.id))].sort();
  const simulators = simulatorFigures(
    ids.map((id) => {
      const of = (read: (s: SimulatorReport) => Figure, comparable = true) =>
        pair(figureOf(a, labels.a, id, read), figureOf(b, labels.b, id, read), comparable);
      return {
        id,
        mci: of((s) => s.mci),
        // Without people each audit has its own pool, and spreads over two pools are two things.
        spread:
          a.reference === null || b.reference === null ? unpooled(of((s) => s.spread)) : of((s) => s.spread),
        bdi: of((s) => s.bdi.mass, sized),
        outside: of((s) => s.outside),
      };
    }),
  );
  const policy = policyConfound(policiesOf(a), policiesOf(b), labels);
  const comparison: Comparison = {
    schema: COMPARISON_SCHEMA,
    version: VERSION,
    headline: '',
    space: {
      id: a.space.id,
      k: a.space.k,
      control: a.space.control,
      controlReason: a.space.controlReason,
      unit: a.space.unit,
      unitReason: a.space.unitReason,
    },
    basis: 'reports',
    method: `two reports do not say which ${a.space.unit}s they share: variances add, and intervals are wider than need be where some are shared`,
    units: null,
    a: sideOf(a, labels.a),
    b: sideOf(b, labels.b),
    ...populations,
    bdi: { ...bdi, relative: missing(NEEDS_ROWS), g0: sized ? a.bdi.g0 : null },
    simulators,
    confounds: policy === null ? [] : [policy],
  };
  return { ...comparison, headline: comparisonHeadline(comparedFigures(comparison), labels) };
}

const OF_SIZE: ReadonlySet<FigureKey> = new Set<FigureKey>(['bdi.headline', 'bdi.mass']);

function checkComparable(a: AuditReport, b: AuditReport, labels: Labels): void {
  const todo =
    'compare the rollout files themselves, or audit both in one saved space (`--space space.json`) and compare again';
  if (a.space.id !== b.space.id)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `${labels.a} was measured in space ${a.space.id}, ${labels.b} in ${b.space.id}`,
      { todo },
    );
  if (a.space.control !== b.space.control || a.space.unit !== b.space.unit || a.space.k !== b.space.k)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `${labels.a} compares rows by control "${a.space.control}" and unit "${a.space.unit}", ${labels.b} by ` +
        `"${b.space.control}" and "${b.space.unit}"`,
      {
        todo: 'compare the rollout files or the saved profiles: both sides then have one control and one unit',
      },
    );
}

function unpooled(pair: Omit<Pair, 'key'>): Omit<Pair, 'key'> {
  const { a, b } = pair;
  if (a.value === null || b.value === null) return pair;
  return { a, b, difference: missing(`over two different pools: ${NEEDS_ROWS}`, Math.min(a.n, b.n)) };
}

function figureOf(
  report: AuditReport,
  label: string,
  id: string,
  read: (s: SimulatorReport) => Figure,
): Figure {
  const simulator = report.simulators.find((candidate) => candidate.id === id);
  return simulator === undefined ? missing(`not in ${label}`) : read(simulator);
}

function policiesOf({ simulators }: AuditReport): Set<string> {
  return new Set(simulators.flatMap(({ policies }) => policies));
}
