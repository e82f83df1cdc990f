import { embedderOf } from '../../../src/audit/index.ts';
import type { FoundSession, Ground, SessionSource } from '../../../src/gateway/steering/index.ts';
import { openSteering, type SteeringServices } from '../../../src/gateway/steering/index.ts';
import type { BehaviourSpace } from '../../../src/space/index.ts';
import type { Trajectory } from '../../../src/trajectory/index.ts';

export interface Shelf {
  readonly source: SessionSource;
  /** The most sessions that were asked for at once. */
  largest(): number;
}

/** Sessions on record; `names`: other ids by which a trainer knows them. */
export function shelf(
  rows: readonly Trajectory[],
  more: Readonly<Record<string, Partial<FoundSession>>> = {},
  names: Readonly<Record<string, string>> = {},
): Shelf {
  const known = new Map(
    rows.map((trajectory): [string, FoundSession] => [
      trajectory.id,
      {
        trajectory,
        state: 'closed',
        rewarded: trajectory.reward !== null,
        ...more[trajectory.id],
      },
    ]),
  );
  let largest = 0;
  return {
    source: async (ids) => {
      largest = Math.max(largest, ids.length);
      return new Map(
        ids.flatMap((id) => {
          const found = known.get(names[id] ?? id);
          return found === undefined ? [] : [[id, found] as const];
        }),
      );
    },
    largest: () => largest,
  };
}

export function groundOf(space: BehaviourSpace, people: readonly Trajectory[] = []): Ground {
  return { space, embedder: embedderOf(space), people };
}

export function steering(source: SessionSource, ground: Ground | null, more: Partial<SteeringServices> = {}) {
  return openSteering({
    source,
    ground: async () => ground,
    window: null,
    isServed: () => false,
    append: async () => ({ accepted: 1, rejected: [] }),
    ...more,
  });
}
