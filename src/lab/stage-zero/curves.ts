import { mean } from '../../math/summary.ts';
import type { StepRecord } from '../trainer/index.ts';
import type { Cell } from './cell.ts';
import { seedFigure } from './seed-figure.ts';

/** Most points of a training curve. */
const POINTS = 50;

export interface CurvePoint {
  /** Last step of the point's stretch; 0 = before training. */
  readonly step: number;
  readonly value: number | null;
  /** Student's t over seeds; null below three. */
  readonly low: number | null;
  readonly high: number | null;
  /** Seeds with a value. */
  readonly n: number;
}

/** Means over seeds; a seed's value of a stretch of steps is its mean over them. Diverged seeds are left out. */
export interface Curves {
  /** Steps of a stretch. */
  readonly every: number;
  readonly trainReward: readonly CurvePoint[];
  readonly zeroVariance: readonly CurvePoint[];
  readonly entropy: readonly CurvePoint[];
  /** Reward of a simulator that learns; empty where none does. */
  readonly simulatorReward: readonly CurvePoint[];
  /** Mean on the selection panel, at every look. */
  readonly selection: readonly CurvePoint[];
}

export function curvesOf(cells: readonly Cell[]): Curves {
  const done = cells.filter(({ status }) => status === 'done');
  const steps = Math.max(0, ...done.map(({ history }) => history.length));
  const every = Math.max(1, Math.ceil(steps / POINTS));
  const training = (of: (record: StepRecord) => number | null): CurvePoint[] => {
    const points: CurvePoint[] = [];
    for (let from = 0; from < steps; from += every) {
      const values = done.map(({ history }) => {
        const own = history
          .slice(from, from + every)
          .map(of)
          .filter((x): x is number => x !== null && Number.isFinite(x));
        return own.length === 0 ? null : mean(own);
      });
      points.push(pointOf(Math.min(steps, from + every), values));
    }
    return points.every(({ n }) => n === 0) ? [] : points;
  };
  const looks = [...new Set(done.flatMap((cell) => cell.looks.map(({ step }) => step)))].sort(
    (a, b) => a - b,
  );
  return {
    every,
    trainReward: training(({ reward }) => reward),
    zeroVariance: training(({ zeroVariance }) => zeroVariance),
    entropy: training(({ entropy }) => entropy),
    simulatorReward: training(({ simulator }) => simulator?.reward ?? null),
    selection: looks.map((step) =>
      pointOf(
        step,
        done.map((cell) => cell.looks.find((look) => look.step === step)?.selection ?? null),
      ),
    ),
  };
}

function pointOf(step: number, values: readonly (number | null)[]): CurvePoint {
  const { value, low, high, n } = seedFigure(values.filter((x): x is number => x !== null));
  return { step, value, low, high, n };
}
