import type { AuditReport, SimulatorReport } from '../audit/report-data.ts';
import { CollapseAwareError } from '../errors.ts';
import { type Figure, missing } from '../metrics/figure.ts';

/** One number in both reports. `difference` is b - a. */
export interface ComparedFigure {
  readonly key: string;
  readonly label: string;
  readonly a: Figure;
  readonly b: Figure;
  readonly difference: Figure;
  /** Which way is better; `none` where neither is in itself. */
  readonly better: 'lower' | 'higher' | 'none';
}

export interface ComparedSide {
  readonly label: string;
  readonly headline: string;
  readonly version: string;
  readonly kept: number;
  readonly simulators: number;
  readonly diagnosis: AuditReport['diagnosis'];
  readonly confounds: AuditReport['confounds'];
}

export interface Comparison {
  readonly space: { readonly id: string; readonly k: number; readonly control: string };
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly figures: readonly ComparedFigure[];
  /** Simulators in either report; one that only one side has keeps its reason on the other. */
  readonly simulators: readonly {
    readonly id: string;
    readonly mci: ComparedFigure;
    readonly spread: ComparedFigure;
    readonly bdi: ComparedFigure;
    readonly outside: ComparedFigure;
  }[];
}

type Better = ComparedFigure['better'];
const FIGURES: readonly (readonly [string, string, Better, (report: AuditReport) => Figure])[] = [
  ['scd.pooled2', 'SCD2, collapse of the population', 'lower', (r) => r.scd.pooled2],
  ['scd.pooled', 'SCD (entropy)', 'lower', (r) => r.scd.pooled],
  ['scd.pooled2Within', 'SCD2 part: each simulator narrow', 'lower', (r) => r.scd.pooled2Within],
  ['scd.pooled2Alike', 'SCD2 part: all simulators alike', 'lower', (r) => r.scd.pooled2Alike],
  ['scd.conditional', 'Conditional collapse at a visited history', 'lower', (r) => r.scd.conditional],
  ['bdi.headline', "BDI, share of people's diversity", 'higher', (r) => r.bdi.headline],
  ['bdi.mass', 'BDI mass', 'higher', (r) => r.bdi.mass],
  ['bdi.realism', "Realism (rows inside people's support)", 'higher', (r) => r.bdi.realism],
  ['psod.value', 'PSOD, seen minus held-out reward', 'lower', (r) => r.psod.value],
  ['psod.rise', 'PSOD rise over the base checkpoint', 'lower', (r) => r.psod.rise],
  ['epsilon.member', 'Per-turn collapse error (member)', 'lower', (r) => r.epsilon.member],
  ['health.zeroVariance', 'Groups without reward variance', 'lower', (r) => r.health.zeroVariance.share],
];

/**
 * Two audits of one behaviour space. Numbers of two spaces, or of two controls of one, mean different things.
 * @throws CA_SPACE_MISMATCH
 */
export function compareReports(
  a: AuditReport,
  b: AuditReport,
  labels: { readonly a: string; readonly b: string } = { a: 'A', b: 'B' },
): Comparison {
  const todo = 'audit both with one saved space (`--space space.json`), then compare';
  if (a.space.id !== b.space.id)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `${labels.a} was measured in space ${a.space.id}, ${labels.b} in ${b.space.id}`,
      { todo },
    );
  if (a.space.control !== b.space.control || a.space.unit !== b.space.unit)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `${labels.a} compares rows by control "${a.space.control}" and unit "${a.space.unit}", ${labels.b} by ` +
        `"${b.space.control}" and "${b.space.unit}"`,
      { todo },
    );
  const ids = [...new Set([...a.simulators, ...b.simulators].map((simulator) => simulator.id))].sort();
  return {
    space: { id: a.space.id, k: a.space.k, control: a.space.control },
    a: side(a, labels.a),
    b: side(b, labels.b),
    figures: FIGURES.map(([key, label, better, read]) => compared(key, label, better, read(a), read(b))),
    simulators: ids.map((id) => {
      const pair = (key: string, label: string, better: Better, read: (s: SimulatorReport) => Figure) =>
        compared(key, label, better, of(a, labels.a, id, read), of(b, labels.b, id, read));
      return {
        id,
        mci: pair('mci', 'MCI', 'lower', (s) => s.mci),
        spread: pair('spread', 'Spread', 'higher', (s) => s.spread),
        bdi: pair('bdi', 'BDI mass', 'higher', (s) => s.bdi.mass),
        outside: pair('outside', 'Outside', 'lower', (s) => s.outside),
      };
    }),
  };
}

function side(report: AuditReport, label: string): ComparedSide {
  return {
    label,
    headline: report.headline,
    version: report.version,
    kept: report.input.kept,
    simulators: report.simulators.length,
    diagnosis: report.diagnosis,
    confounds: report.confounds,
  };
}

function of(report: AuditReport, label: string, id: string, read: (s: SimulatorReport) => Figure): Figure {
  const simulator = report.simulators.find((candidate) => candidate.id === id);
  return simulator === undefined ? missing(`not in ${label}`) : read(simulator);
}

function compared(key: string, label: string, better: Better, a: Figure, b: Figure): ComparedFigure {
  return { key, label, a, b, difference: difference(a, b), better };
}

/**
 * b - a. Two reports do not say which contexts they share, so their variances add; where they share contexts
 * the interval is wider than need be, where the runs differ in size it is still honest: `approximate`.
 */
export function difference(a: Figure, b: Figure): Figure {
  const n = Math.min(a.n, b.n);
  if (a.value === null || b.value === null) {
    const reason = a.value === null ? a.reason : b.reason;
    return missing(reason ?? 'one side has no value', n, 'difference');
  }
  const value = b.value - a.value;
  if (a.low === null || a.high === null || b.low === null || b.high === null)
    return { value, low: null, high: null, n, method: 'difference of points' };
  return {
    value,
    low: value - Math.hypot(b.value - b.low, a.high - a.value),
    high: value + Math.hypot(b.high - b.value, a.value - a.low),
    n,
    method: 'difference, variances add',
    approximate: true,
  };
}
