import {
  type Audit,
  type AuditOptions,
  auditProfile,
  embedderOf,
  type MonitorPlan,
  measure,
  place,
  stepFigures,
} from '../../audit/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { type Figure, missing } from '../../metrics/index.ts';
import { type BehaviourSpace, mergeProfiles, type Profile } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { BucketedSession } from './closed-session.ts';
import type { TrainingFigures } from './live.ts';
import type { PlacedSession, WindowRows } from './window-rows.ts';

/** A space, and what was placed in it. */
export interface Placing {
  readonly space: BehaviourSpace;
  readonly rows: WindowRows;
  /** The reference that was given. */
  readonly people: Profile | null;
  readonly peopleRows: number;
  readonly plan: MonitorPlan;
  readonly audit: AuditOptions;
}

export interface Window {
  readonly placing: Placing;
  readonly profile: Profile;
  readonly sessions: number;
  readonly people: number;
}

/** Rows of the report; null without one. People among the records are the reference where none was given, as in `audit`. */
export async function windowOf(placing: Placing): Promise<Window | null> {
  const { space, rows, people, peopleRows } = placing;
  const sessions = rows.which(isCounted);
  if (sessions.length === 0) return null;
  const persons = sessions.flatMap(({ person }) => (person === null ? [] : [person]));
  const mixed = people === null && persons.length > 0 && persons.length < sessions.length;
  const reference = mixed ? await placePeople(persons, space) : people;
  const own = rows.profile(mixed ? sessions.filter(({ person }) => person === null) : sessions);
  return {
    placing,
    profile: reference === null ? own : mergeProfiles([reference, own]),
    sessions: sessions.length,
    people: mixed ? persons.length : peopleRows,
  };
}

/** What `audit` says of the window's records in the same space. @throws what `measure` throws. */
export function auditWindow({ placing, profile, sessions, people }: Window, created: string): Audit {
  return auditProfile(profile, placing.space, placing.audit, {
    title: 'Live',
    created,
    account: () => ({
      files: [],
      rows: sessions,
      kept: sessions,
      dropped: [],
      reference: people > 0 ? { rows: people, kept: people } : null,
    }),
  });
}

const NO_INPUT = { files: [], rows: 0, kept: 0, duplicates: 0, dropped: [], reference: null };

/** Figures of a look that the monitor has not, of its sessions without panels. */
export function furtherFigures(
  { space, rows, people, audit }: Placing,
  sessions: readonly PlacedSession[],
): { readonly bdi: Figure; readonly epsilonMember: Figure } {
  const own = sessions.filter(({ purpose }) => purpose !== 'panel');
  const { value, reason } =
    own.length === 0
      ? { value: null, reason: 'no session of a simulator in training' }
      : judged(() => {
          const placed = rows.profile(own);
          const profile = people === null ? placed : mergeProfiles([people, placed]);
          return measure(profile, space, NO_INPUT, audit).report;
        });
  if (value === null) return { bdi: missing(reason!), epsilonMember: missing(reason!) };
  const { disagreement, bracket, bounds, ...epsilonMember } = value.epsilon.member;
  return { bdi: value.bdi.headline, epsilonMember };
}

/** What the monitor says of the window. `ended`: epochs that were looked at, ascending. */
export function trainingFigures({ space, rows, plan }: Placing, ended: readonly number[]): TrainingFigures {
  const sessions = rows.which(isLookedAt);
  const n = sessions.filter(({ purpose }) => purpose === 'training').length;
  const steps = new Map<number, PlacedSession[]>();
  for (const session of sessions) {
    // The epoch at whose end it is looked at.
    const step = ended.find((one) => one >= session.epoch) ?? session.epoch;
    const one = steps.get(step);
    if (one === undefined) steps.set(step, [session]);
    else one.push(session);
  }
  const { value, reason } =
    steps.size === 0
      ? { value: null, reason: 'no session of the window is over yet' }
      : judged(() => {
          const profiles = [...steps].map(([step, sessions]) => rows.stepProfile(sessions, step));
          return stepFigures(mergeProfiles(profiles), space, plan, plan.rewardRange);
        });
  if (value === null) {
    const none = missing(reason!, n);
    return { scd2: none, scd: none, mci: { simulator: null, figure: none }, leftOut: [], n };
  }
  const { scd2, scd, mci, leftOut } = value;
  return { scd2, scd, mci, leftOut, n };
}

/** Rows that a look is given. The test panel is for the end: it steers nothing. */
export function isLookedAt({ purpose, row }: PlacedSession): boolean {
  return isCounted({ purpose }) && row.split !== 'test';
}

/** Training and panels; probes and nested re-simulation stand beside. */
export function isCounted({ purpose }: Pick<BucketedSession, 'purpose'>): boolean {
  return purpose === 'training' || purpose === 'panel';
}

export function placePeople(people: readonly Trajectory[], space: BehaviourSpace): Promise<Profile> {
  return place(null, people, space, embedderOf(space));
}

export function recordsOf(rows: readonly Trajectory[]) {
  return async function* () {
    yield* rows;
  };
}

/** Rows that cannot be measured together (a reward outside the range, a member in two panels) cost the figure, not the server. */
export function judged<Value>(make: () => Value): { value: Value | null; reason: string | null } {
  try {
    return { value: make(), reason: null };
  } catch (error) {
    if (!(error instanceof CollapseAwareError)) throw error;
    return { value: null, reason: error.message };
  }
}
