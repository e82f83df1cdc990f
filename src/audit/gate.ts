import type { BreakerActions, BreakerLevel } from '../diagnosis/index.ts';
import type { Figure } from '../metrics/index.ts';
import { type MonitorState, shownActions, shownLevel, trainingOf } from './monitor.ts';

export const GATE_SCHEMA = 'collapse-aware/gate@1';

/** What a trainer polls (docs/watch.md): may training go on? Field names are stable. */
export interface Gate {
  readonly schema: typeof GATE_SCHEMA;
  /** The answer: `hold` at red and half-open, else `go`. */
  readonly training: 'go' | 'hold';
  /** The operator's where an override stands, else the rules'. */
  readonly level: BreakerLevel;
  readonly rules: BreakerLevel;
  /** Last step measured; null before the first. */
  readonly step: number | null;
  /** When the rules' level began. */
  readonly since: { readonly step: number | null; readonly at: string };
  /** One sentence each, with figures: why the level is what it is, and what the last step adds. */
  readonly reasons: readonly string[];
  readonly figures: {
    readonly scd2: Figure;
    readonly scd: Figure;
    readonly mci: Figure;
    readonly zeroVariance: Figure;
    readonly psod: Figure;
    readonly psodRise: Figure;
  } | null;
  readonly actions: BreakerActions;
  /** When this file was last known to be true: a trainer that finds it too old should go on without it. */
  readonly updated: string;
  readonly override: {
    readonly level: 'green' | 'yellow' | 'red';
    readonly by: string;
    readonly reason: string;
    readonly until: string | null;
  } | null;
}

const isoTime = (at: number) => new Date(at).toISOString();

/** `at`: milliseconds. */
export function gateOf(state: Omit<MonitorState, 'recent' | 'base'>, at: number): Gate {
  const { breaker, latest } = state;
  const { override } = breaker;
  const actions = shownActions(state);
  const news = (latest?.notes ?? []).filter((note) => !state.reasons.includes(note));
  const reasons = [...state.reasons, ...news];
  if (override !== null) reasons.unshift(`${override.by} set ${override.level}: ${override.reason}`);
  if (latest === null) reasons.push('no step was measured yet');
  return {
    schema: GATE_SCHEMA,
    training: trainingOf(actions),
    level: shownLevel(state),
    rules: breaker.level,
    step: state.last,
    since: { step: state.sinceStep, at: isoTime(breaker.since) },
    reasons,
    figures:
      latest === null
        ? null
        : {
            scd2: latest.scd2,
            scd: latest.scd,
            mci: latest.mci.figure,
            zeroVariance: latest.zeroVariance,
            psod: latest.psod,
            psodRise: latest.psodRise,
          },
    actions,
    updated: isoTime(at),
    override:
      override === null
        ? null
        : { ...override, until: override.until === null ? null : isoTime(override.until) },
  };
}
