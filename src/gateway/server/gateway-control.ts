import { seeded } from '../../math/random.ts';
import { VERSION } from '../../version.ts';
import type { NewSession, OpenedSession } from '../api/control.ts';
import { countedEpoch } from '../live/epoch-clock.ts';
import { planNested } from '../probes/index.ts';
import { rewardsFromRows } from '../recorder/dump-rewards.ts';
import { COUNTED } from '../recorder/purpose.ts';
import { sessionIds } from '../sessions/session-id.ts';
import { openSteering } from '../steering/index.ts';
import { ApiError } from '../wire/api-error.ts';
import { checkedRewards } from './checked-rewards.ts';
import type { Control, TrajectoryQuery } from './control.ts';
import type { Parts } from './gateway.ts';
import { populationControl } from './population-control.ts';
import { raisingAt } from './raising.ts';
import { spaceText, steeringGround } from './steering-ground.ts';
import { windowConcentration } from './window-concentration.ts';

/** `.` and `..` would not stay in the path of its base URL. */
const SESSION_ID = /^(?!\.{1,2}$)[^\p{C}\p{Z}]{1,200}$/u;

/** The control API's answers, out of the parts of a running gateway. */
export function gatewayControl(parts: Parts): Control {
  const { settings, recorder, conversations, live, prober, keys, members, clock } = parts;
  const newId = sessionIds(seeded(`${settings.seed}/made/${clock()}`));
  const steering = openSteering({
    source: async (ids) => {
      const found = new Map();
      for (const id of ids) {
        const own = recorder.find(id);
        const session = own === null ? undefined : recorder.session(own);
        const composed = own === null || session === undefined ? null : await recorder.composed(own);
        if (composed === null || session === undefined) continue;
        found.set(id, { trajectory: composed.trajectory, state: session.state, rewarded: composed.rewarded });
      }
      return found;
    },
    ground: steeringGround(settings),
    window: windowConcentration(live, recorder),
    isServed: (id) => recorder.session(id)?.served === true,
    append: (episode) => {
      // On record as it is counted, so that exports by epoch and figures agree.
      const epoch = countedEpoch(settings.live.epochs, live.epochs, episode.epoch);
      return recorder.importEpisodes([{ ...episode, epoch }]);
    },
  });

  const known = (id: string): string => {
    const own = recorder.find(id);
    if (own === null)
      throw new ApiError(404, `no session '${id.slice(0, 200)}' is on record, or several go by this name`, {
        code: 'session_unknown',
      });
    return own;
  };

  async function* lines(query: TrajectoryQuery): AsyncGenerator<string> {
    const { of, epoch, split, member, purposes } = query;
    const window = of === 'window' ? (await live.metrics()).window.epochs : null;
    yield* recorder.exportLines({
      closedOnly: of !== 'all',
      split,
      member,
      epochs: epoch === null ? window : window === null ? [epoch] : window.filter((one) => one === epoch),
      // Probes of the population and nested sessions enter no figure of the window.
      purposes: of === 'window' ? purposes.filter((one) => COUNTED.includes(one)) : purposes,
    });
  }

  return {
    ...populationControl(parts),
    status() {
      const { failing, dropped, pendingRewards, ...recorded } = recorder.status();
      const { waiting, lost } = live.backlog;
      const { note } = raisingAt(members, live.keeper.level, performance.now());
      return {
        version: VERSION,
        startedAt: parts.startedAt,
        now: clock(),
        sessions: recorder.counts(),
        recorder: { ...recorded, failing },
        probes: prober.view(),
        requests: { running: conversations.running, held: live.keeper.held },
        level: live.keeper.level,
        notes: [
          ...(dropped.sessions === 0
            ? []
            : [`${dropped.sessions} sessions were dropped by the rules of retention`]),
          ...(pendingRewards === 0
            ? []
            : [
                `${pendingRewards === 1 ? '1 reward waits' : `${pendingRewards} rewards wait`} for sessions that are not on record`,
              ]),
          ...(lost === 0 ? [] : [`${lost} sessions could not be measured`]),
          ...(waiting < 1000 ? [] : [`${waiting} sessions wait to be measured`]),
          ...(note === null ? [] : [note]),
          ...(settings.probes.share === 0 ? ['probes are off: epsilon is not measured'] : []),
        ],
      };
    },
    async openSession(made: NewSession, baseUrl: string): Promise<OpenedSession> {
      const id = made.id ?? newId();
      if (!SESSION_ID.test(id))
        throw ApiError.invalid(
          'an id has 1 to 200 characters without spaces, and not dots alone',
          'id',
          'invalid_session_id',
        );
      if (recorder.session(id) !== undefined || conversations.announced(id))
        throw new ApiError(409, `a session '${id}' is there already`, {
          param: 'id',
          code: 'session_exists',
        });
      const { facts } = await conversations.open(id, made);
      return {
        id,
        key: keys.issue(id),
        baseUrl: `${baseUrl}/sessions/${encodeURIComponent(id)}/v1`,
        member: facts.simulator.id,
        fingerprint: facts.simulator.fingerprint ?? '',
      };
    },
    sessions: ({ state, member, epoch, text, after, limit }) =>
      recorder.sessions({ state, member, epoch, text }, after, limit),
    async session(id) {
      const view = await recorder.view(known(id));
      if (view === null)
        throw new ApiError(404, `nothing of session '${id.slice(0, 200)}' has arrived yet`, {
          code: 'session_empty',
        });
      return view;
    },
    async endSession(id, termination) {
      const own = known(id);
      if (recorder.session(own)?.state !== 'open') return;
      await recorder.append({ kind: 'close', at: clock(), session: own, termination });
    },
    async rewards(entries) {
      const { sound, rejected } = checkedRewards(entries);
      const receipt = await recorder.addRewards(sound);
      return { ...receipt, rejected: [...rejected, ...receipt.rejected] };
    },
    rewardsFromDump: (rows, format) => rewardsFromRows(rows, format, recorder),
    async beginEpoch(entry) {
      live.beginEpoch(entry);
      return live.keeper.gate(live.now());
    },
    trajectories: lines,
    metrics: () => live.metrics(),
    async map() {
      const page = await live.page();
      return page === null ? null : { map: page.map, modes: page.modes };
    },
    looks(limit) {
      const { looks, ...rest } = live.looks;
      return { ...rest, looks: looks.slice(-limit) };
    },
    evolve: (after) => parts.evolve.read(after),
    setEvolve: (page) => parts.evolve.put(page),
    profile: () => live.profile(),
    space: () => spaceText(settings.store),
    gate: (after, waitMs, signal) => live.keeper.wait(after, waitMs, signal, live.now),
    async override(entry) {
      const now = live.now();
      if ('release' in entry) live.keeper.release(entry.by, now);
      else live.keeper.override(entry, now);
      return live.keeper.gate(now);
    },
    record: (trajectories) => steering.record(trajectories),
    decide: (groups, zeroVariance) => steering.decide(groups, zeroVariance),
    weights: (ids, recipe) => steering.weights(ids, recipe ?? null),
    select: (candidates, n, recipe) => steering.select(candidates, n, recipe ?? null),
    nestedPlan: (query) => planNested({ ...query, seed: settings.seed }),
    questions: () =>
      members.people
        .open()
        .map(({ id, askedAt, conversation }) => ({ id, since: askedAt, messages: conversation })),
    answerQuestion: (id, text) => members.people.answer(id, text),
  };
}
