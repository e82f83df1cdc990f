import type { AuditPage, MonitorPlan } from '../../audit/index.ts';
import type { Code, Place } from '../../errors.ts';
import type { BreakerGatewaySettings, LiveSettings } from '../settings/settings.ts';
import type { BucketedSession } from './closed-session.ts';
import type { LiveCoverage } from './coverage.ts';
import type { LiveMetrics } from './live.ts';
import type { Looked, MonitorLight } from './live-core.ts';

/** What a core begins with; given once, before all requests. */
export interface LiveInit {
  readonly folder: string;
  readonly seed: string;
  readonly live: LiveSettings;
  readonly breaker: BreakerGatewaySettings;
  /** Whether the panel `selection` has members: PSOD's rise is then watched from the start. */
  readonly panels: boolean;
  /** Epochs that were looked at, ascending. */
  readonly ended: readonly number[];
}

export type LiveRequest =
  | { readonly kind: 'open'; readonly init: LiveInit }
  | { readonly kind: 'add'; readonly sessions: readonly BucketedSession[] }
  | { readonly kind: 'look'; readonly epoch: number; readonly at: number; readonly monitor: MonitorLight }
  | {
      readonly kind: 'probe';
      readonly epoch: number;
      readonly ids: readonly string[];
      readonly at: number;
      readonly monitor: MonitorLight;
    }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'page'; readonly created: string }
  | { readonly kind: 'coverage' }
  | { readonly kind: 'profile' };

export interface LiveAnswers {
  /** The plan, where there is one: looks can be made. */
  readonly open: MonitorPlan | null;
  readonly add: MonitorPlan | null;
  /** Null: there is no space yet. Empty: no training session is of the epoch, and no look was made. */
  readonly look: Looked | 'empty' | null;
  readonly probe: Looked | null;
  readonly metrics: LiveMetrics;
  readonly page: AuditPage | null;
  readonly coverage: LiveCoverage | null;
  /** The text of a profile's file. */
  readonly profile: string | null;
}

export interface ToLive {
  readonly id: number;
  readonly request: LiveRequest;
}

export type FromLive =
  | { readonly id: number; readonly value: LiveAnswers[keyof LiveAnswers] }
  | { readonly id: number; readonly fault: LiveFault };

/** A CollapseAwareError on its way between threads, where an error loses its class. */
export interface LiveFault {
  readonly code: Code;
  readonly found: string;
  readonly place: Place;
  readonly todo: string | null;
}
