import { type CoverageCounts, leastCovered, type Member, type PanelName } from '../../population/index.ts';
import type { PopulationSettings } from '../settings/settings.ts';
import { type DrawFacts, MOVED } from './draw-member.ts';

type ShareFacts = Pick<DrawFacts, 'weights' | 'raised' | 'resting'> & {
  readonly coverage: CoverageCounts | null;
};

/** Chance with which each member of a panel is drawn for a new group or session, by id: the law of `drawMember`. */
export function memberShares(
  population: PopulationSettings,
  panel: PanelName,
  { weights, raised, resting, coverage }: ShareFacts,
): Map<string, number> {
  const members = population.panels[panel];
  const awake = members.filter(({ id }) => !resting.has(id));
  if (panel !== 'seen') return over(members, (id) => (resting.has(id) ? 0 : 1));
  const weight = (id: string) => (resting.has(id) ? 0 : (weights.get(id) ?? 1));
  const able = awake.filter(({ id }) => weight(id) > 0);
  if (population.draw !== 'least-covered' || coverage === null || able.length === 0)
    return over(members, weight);
  const among = (some: readonly Member[]) => {
    const ids = new Set(leastCovered(some, coverage).members.map(({ id }) => id));
    return over(members, (id) => (ids.has(id) ? 1 : 0));
  };
  const all = among(able);
  const anti = able.filter(({ id }) => raised.has(id));
  if (anti.length === 0) return all;
  const moved = among(anti);
  return new Map([...all].map(([id, share]) => [id, (1 - MOVED) * share + MOVED * moved.get(id)!]));
}

function over(members: readonly Member[], weight: (id: string) => number): Map<string, number> {
  const total = members.reduce((sum, { id }) => sum + weight(id), 0);
  return new Map(members.map(({ id }) => [id, total === 0 ? 0 : weight(id) / total]));
}
