import type { GateView, MetricsView } from '../gateway/api/control.ts';

/** A figure as it is sent: whatever is not a finite number is missing. */
interface Sent {
  readonly value?: number | null;
  readonly low?: number | null;
  readonly high?: number | null;
}

const LEVELS: Readonly<Record<string, number>> = { green: 0, yellow: 1, red: 2, 'half-open': 2 };
const PREFIX = 'collapse_aware/';

/**
 * One flat record of numbers for a tracker (Weights & Biases, TensorBoard, ...): `collapse_aware/scd2`, `.../scd2_low`,
 * `.../level` (0 green, 1 yellow, 2 red or half-open), `.../up`. Holds no null: what is missing is left out, and
 * `collapse_aware/<name>_missing` is 1. `scd2`, `scd` and `mci` are those of the training members, as in the breaker's
 * looks; `scd2_all` is that of every member of the window, held-out panels included.
 * @param view null = the service is down
 */
export function flatMetrics(
  view: MetricsView | null,
  gate: GateView | null,
  counts: Readonly<Record<string, number>>,
): Record<string, number> {
  const flat: Record<string, number> = { [`${PREFIX}up`]: view === null ? 0 : 1 };
  const put = (name: string, value: unknown) => {
    if (typeof value === 'number' && Number.isFinite(value)) flat[PREFIX + name] = value;
    else flat[`${PREFIX + name}_missing`] = 1;
  };
  for (const [name, value] of Object.entries(counts)) put(name, value);
  if (view === null) return flat;
  put('level', gate === null ? null : LEVELS[gate.level]);
  put('hold', gate === null ? null : gate.training === 'hold' ? 1 : 0);
  put('epoch', gate?.epoch ?? null);
  put('psod_due', gate === null ? null : gate.psod.due ? 1 : 0);
  put('window_sessions', view.window.sessions);
  const { report, training } = view;
  const figures: Record<string, Sent | undefined> = {
    scd2: training?.scd2,
    scd: training?.scd,
    mci: training?.mci.figure,
    scd2_all: report?.scd.pooled2,
    scd_within: report?.scd.within,
    bdi: report?.bdi.headline,
    realism: report?.bdi.realism,
    psod: report?.psod,
    psod_rise: report?.psod.rise,
    zero_variance: report?.health.zeroVariance.share,
    epsilon_member: report?.epsilon.member,
    epsilon_population: report?.epsilon.population,
    variance_simulator: view.varianceSplit.simulator,
    variance_agent: view.varianceSplit.agent,
  };
  for (const [name, figure] of Object.entries(figures)) {
    put(name, figure?.value ?? null);
    for (const end of ['low', 'high'] as const) {
      const bound = figure?.[end];
      if (typeof bound === 'number' && Number.isFinite(bound)) flat[`${PREFIX + name}_${end}`] = bound;
    }
  }
  return flat;
}
