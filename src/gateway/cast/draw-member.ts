import {
  type CoverageCounts,
  groupDraw,
  hashShare,
  leastCoveredDraw,
  type Member,
  type PanelName,
} from '../../population/index.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Route } from './route.ts';

/** All that a draw looks at. */
export interface DrawFacts {
  /** The session's id. */
  readonly session: string;
  /** Key of its group (groupKey): rollouts that are compared with one another share it; null = it stands alone. */
  readonly group: string | null;
  /** Who was drawn for the group before (GroupMembers), `member` null = no longer to be had; absent or null = nobody yet. */
  readonly groupMember?: { readonly id: string; readonly member: Member | null } | null;
  readonly seed: string;
  /** Of the seen panel (`weightsAtGreen`), as raised by the breaker's level. */
  readonly weights: ReadonlyMap<string, number>;
  /** Anti-collapse members, where the level has more sessions go to them; none at green. `weights` say so already. */
  readonly raised: ReadonlySet<string>;
  /** Members that are left alone for now, since their upstream keeps failing. */
  readonly resting: ReadonlySet<string>;
  /** What is covered so far, for `least-covered`; null = not known yet. */
  readonly coverage: CoverageCounts | null;
}

/**
 * The member of a new session: a function of its arguments alone. Under `group` (the default) one of a GRPO group, by
 * weight; a panel's members each alike, a session at a time. Everything is drawn by hash, so that a restart or another
 * order of requests changes nothing.
 * @throws ApiError 503 where everybody rests.
 */
export function drawMember(population: PopulationSettings, route: Route, facts: DrawFacts): Member {
  const { session, seed, resting, coverage } = facts;
  if (route.pinned !== null) {
    if (resting.has(route.pinned.id)) throw allRest(route.panel, `member '${route.pinned.id}'`);
    return route.pinned;
  }
  const before = facts.groupMember ?? null;
  if (before !== null && route.panel === 'seen' && keepsGroups(population)) {
    // Another would mix the group, so that its rollouts wait for it. One that was removed meanwhile, or made anew under
    // its id, goes on as the one it was: the change concerns groups that begin from now on.
    if (before.member === null)
      throw new ApiError(503, `member '${before.id}' of this group can no longer be had`, {
        code: 'no_simulator_available',
        retryAfter: 60,
      });
    if (resting.has(before.id)) throw allRest('seen', `member '${before.id}' of this group`);
    return before.member;
  }
  const awake = population.panels[route.panel].filter(({ id }) => !resting.has(id));
  if (awake.length === 0) throw allRest(route.panel, 'every member');
  if (route.panel !== 'seen') return groupDraw(awake, session, seed);
  const able = awake.filter(({ id }) => (facts.weights.get(id) ?? 1) > 0);
  if (able.length === 0) throw allRest(route.panel, 'every member of a weight above 0');
  const weights = new Map(able.map(({ id }) => [id, facts.weights.get(id) ?? 1]));
  const group = facts.group ?? session;
  switch (population.draw) {
    case 'uniform':
    case 'weighted':
      return groupDraw(able, session, seed, weights);
    case 'group':
      return groupDraw(able, group, seed, weights);
    case 'least-covered':
      return coverage === null
        ? groupDraw(able, group, seed, weights)
        : leastCoveredDraw(moved(able, facts.raised, group, seed), coverage, group, seed).member;
  }
}

/** Share of the others' groups that goes to anti-collapse members where they are raised (live/anti-collapse.ts). */
export const MOVED = 1 / 2;

/**
 * Whom a group is drawn from where what is covered decides, and weights do not: half of the groups among anti-collapse
 * members alone. With s their share at green they then have s + (1 - s) / 2, whatever s is, as weights would give them.
 */
function moved(
  able: readonly Member[],
  raised: ReadonlySet<string>,
  group: string,
  seed: string,
): readonly Member[] {
  const anti = able.filter(({ id }) => raised.has(id));
  return anti.length > 0 && hashShare(seed, `${group} raised`, '') < MOVED ? anti : able;
}

/** What the seen panel is drawn by at green, by id: under `uniform` each alike, but whoever has weight 0. */
export function weightsAtGreen({ panels, weights, draw }: PopulationSettings): Map<string, number> {
  return new Map(
    panels.seen.map(({ id }) => {
      const weight = weights[id] ?? 1;
      return [id, draw === 'uniform' ? Math.sign(weight) : weight];
    }),
  );
}

/** Whether rollouts of one group meet one member. */
export function keepsGroups({ draw }: Pick<PopulationSettings, 'draw'>): boolean {
  return draw === 'group' || draw === 'least-covered';
}

function allRest(panel: PanelName, who: string): ApiError {
  return new ApiError(503, `${who} of the ${panel} panel rests: its upstream keeps failing`, {
    code: 'no_simulator_available',
    retryAfter: 5,
  });
}
