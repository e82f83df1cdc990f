import type { MonitorPlan } from '../../audit/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import { openSource, readFiles } from '../../formats/index.ts';
import { hash32 } from '../../math/index.ts';
import { type BehaviourSpace, decodeSpace } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { LiveCore } from './live-core.ts';
import type { FromLive, LiveAnswers, LiveFault, LiveInit, LiveRequest, ToLive } from './live-messages.ts';
import { LiveStore } from './live-store.ts';

/** Serves one core, a request after the other, in whichever thread this runs. */
export function serveLive(post: (message: FromLive) => void): (message: ToLive) => void {
  let core: LiveCore | null = null;
  let told = false;
  /** Once: it does not change any more. */
  const plan = (): MonitorPlan | null => {
    if (told || core === null || core.plan === null) return null;
    told = true;
    return core.plan;
  };
  const answer = async (request: LiveRequest): Promise<LiveAnswers[keyof LiveAnswers]> => {
    if (request.kind === 'open') {
      core = await openCore(request.init);
      return plan();
    }
    if (core === null) throw new CollapseAwareError('CA_INTERNAL', 'the live figures were not opened');
    switch (request.kind) {
      case 'add':
        await core.add(request.sessions);
        return plan();
      case 'look':
        if (!core.ready) return null;
        if (core.isEmpty(request.epoch)) return 'empty';
        return core.endEpoch(request.epoch, request.at, request.monitor);
      case 'probe':
        return core.ready ? core.probe(request.epoch, request.ids, request.at, request.monitor) : null;
      case 'metrics':
        return core.metrics();
      case 'page':
        return core.page(request.created);
      case 'coverage':
        return core.coverage();
      case 'profile':
        return core.profile();
    }
  };
  let queue = Promise.resolve();
  return ({ id, request }) => {
    queue = queue.then(async () => {
      try {
        post({ id, value: await answer(request) });
      } catch (error) {
        post({ id, fault: faultOf(error) });
      }
    });
  };
}

async function openCore({ folder, seed, live, breaker, panels, ended }: LiveInit): Promise<LiveCore> {
  const store = new LiveStore(folder, {
    seed,
    'breaker.bars': breaker.bars,
    'breaker.plannedEpochs': breaker.plannedEpochs,
    'breaker.baseline': breaker.baseline,
    'live.rewardRange': live.rewardRange,
    'live.reference': live.reference,
  });
  const stored = await store.load();
  const given = live.space === null ? null : await readSpace(live.space);
  if (given !== null && stored !== null && given.id !== stored.space.id)
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      `live.space is the behaviour space ${given.id}, this store was measured in ${stored.space.id}`,
      { todo: 'give another store, or the former space' },
    );
  const people = await readPeople(live.reference);
  const numbers = hash32(seed);
  const timeLimit = breaker.timeLimit === null ? null : 1000 * breaker.timeLimit;
  return new LiveCore({
    seed: numbers,
    warmUp: live.warmUp,
    window: live.window,
    rewardRange: live.rewardRange,
    monitor: {
      seed: numbers,
      window: live.window,
      heldOut: [],
      panels,
      rewardRange: live.rewardRange,
      bars: breaker.bars,
      control: null,
      plannedSteps: breaker.plannedEpochs,
      baseline: breaker.baseline,
      timeLimit,
    },
    people,
    space: given ?? stored?.space ?? null,
    plan:
      stored === null
        ? null
        : { ...stored.plan, window: live.window, breaker: { ...stored.plan.breaker, timeLimit } },
    base: stored?.base ?? null,
    ended,
    keep: {
      space: (space) => store.saveSpace(space),
      plan: (plan) => store.savePlan(plan),
      base: (base) => store.saveBase(base),
    },
  });
}

export async function readSpace(path: string): Promise<BehaviourSpace> {
  return decodeSpace(await (await openSource(path)).text(), path);
}

/** @throws CA_USAGE where files are named and hold nobody; what a file that cannot be read throws. */
export async function readPeople(paths: readonly string[]): Promise<Trajectory[]> {
  const people: Trajectory[] = [];
  if (paths.length === 0) return people;
  const reading = readFiles(paths);
  for await (const row of reading) if (row.kind === 'trajectory') people.push(row.trajectory);
  const failed = reading.files.find(({ error }) => error !== null);
  if (failed?.error != null) throw failed.error;
  if (people.length === 0)
    throw new CollapseAwareError('CA_USAGE', 'live.reference holds no episode of people', {
      todo: 'check the paths of live.reference',
    });
  return people;
}

function faultOf(error: unknown): LiveFault {
  if (error instanceof CollapseAwareError)
    return { code: error.code, found: error.message, place: error.place, todo: error.todo ?? null };
  const found = error instanceof Error ? error.message : String(error);
  return { code: 'CA_INTERNAL', found, place: {}, todo: null };
}
