import { audit, type MonitorPlan, type MonitorState, newMonitor } from '../../../src/audit/index.ts';
import type { BucketedSession } from '../../../src/gateway/live/closed-session.ts';
import type { Look } from '../../../src/gateway/live/live.ts';
import { type CoreOptions, LiveCore, type MonitorLight } from '../../../src/gateway/live/live-core.ts';
import type { BehaviourSpace } from '../../../src/space/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import type { TrainingRun } from '../../audit/training-run.ts';
import { recordsOf } from '../../data.ts';
import { sessionsOf } from './sessions.ts';

export const RUN: TrainingRun = {
  seed: 3,
  prompts: 14,
  group: 4,
  steps: 30,
  collapsed: (step) => Math.min(1, Math.max(0, (step - 2) / 11)),
};

export interface Kept {
  space: BehaviourSpace | null;
  plan: MonitorPlan | null;
  base: MonitorState['base'];
}

export function coreOf(options: Partial<CoreOptions> = {}): { core: LiveCore; kept: Kept } {
  const kept: Kept = { space: null, plan: null, base: null };
  const core = new LiveCore({
    seed: 0,
    warmUp: 56,
    window: 1,
    rewardRange: null,
    monitor: {
      seed: 0,
      window: options.window ?? 1,
      heldOut: [],
      rewardRange: null,
      bars: 'people',
      control: null,
      plannedSteps: 50,
      baseline: 20,
      timeLimit: null,
    },
    people: [],
    space: null,
    plan: null,
    base: null,
    ended: [],
    keep: {
      space: async (space) => {
        kept.space = space;
      },
      plan: async (plan) => {
        kept.plan = plan;
      },
      base: async (base) => {
        kept.base = base;
      },
    },
    ...options,
  });
  return { core, kept };
}

export const lightOf = (at: number): MonitorLight => {
  const { recent, base, ...light } = newMonitor(at);
  return light;
};

export async function play(core: LiveCore, run: TrainingRun, from: number, to: number, before: MonitorLight) {
  let monitor = before;
  const looks: Look[] = [];
  for (let epoch = from; epoch <= to; epoch++) {
    await core.add(sessionsOf(run, epoch));
    const looked = await core.endEpoch(epoch, 1000 * epoch, monitor);
    monitor = looked.monitor;
    looks.push(looked.look);
  }
  return { looks, monitor };
}

export async function audited(
  sessions: readonly BucketedSession[],
  space: BehaviourSpace,
  people: Trajectory[] = [],
) {
  const { report } = await audit({
    records: recordsOf(sessions.map(({ trajectory }) => trajectory)),
    space,
    ...(people.length === 0 ? {} : { people: recordsOf(people) }),
  });
  return report;
}
