import { describe, expect, it } from 'vitest';
import { epsilonChecks } from '../../../src/lab/check/epsilon-checks.ts';
import { type HistoryPool, poolErrors } from '../../../src/lab/check/history-pool.ts';
import { memberPool } from '../../../src/lab/check/member-epsilon.ts';
import { disjointEpsilon } from '../../../src/lab/check/population-epsilon.ts';
import { DEFAULT_FAMILIES, familySimulator } from '../../../src/lab/simulators/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';
import { seeded } from '../../../src/math/index.ts';

const world = persuasion(6);
const family = DEFAULT_FAMILIES.seen[0]!;
const poolAt = (gamma: number): HistoryPool =>
  memberPool(world, familySimulator(world, family, { gamma }), 200, seeded('pool'));
const checksOf = (pool: HistoryPool, truth = poolErrors(pool), dataSets = 20) =>
  epsilonChecks({
    id: 'e',
    where: 'here',
    law: 'member',
    pool,
    truth,
    units: 60,
    dataSets,
    random: seeded('data sets'),
  });

describe('epsilon of a served family', () => {
  it('is found by the estimators, in play and in drawn data sets', () => {
    const checks = checksOf(poolAt(2));
    expect(checks.map(({ id }) => id)).toEqual([
      'e.disagreement',
      'e.epsilon',
      'e.disagreement.coverage',
      'e.epsilon.coverage',
    ]);
    expect(checks.map(({ verdict }) => verdict)).toEqual(['inside', 'inside', 'inside', 'inside']);
  });

  it('falls as the family collapses', () => {
    const errors = [1, 2, 4, 8].map((gamma) => poolErrors(poolAt(gamma)).disagreement);
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
  });

  it('is outside where the law is another than the one that answers', () => {
    const checks = checksOf(poolAt(2), poolErrors(poolAt(4)));
    expect(checks.map(({ verdict }) => verdict)).toEqual(['outside', 'outside', 'outside', 'outside']);
  });
});

describe('epsilon of users who share no reply', () => {
  it('is 1 - 1/K drawn per turn and at first turns, and 0 later and of each by itself', () => {
    const checks = disjointEpsilon(20, seeded('disjoint'));
    expect(checks.filter(({ verdict }) => verdict !== 'inside')).toEqual([]);
    const exact = (id: string) =>
      checks.find((check) => check.id === `epsilon.population.disjoint-5.${id}`)!.exact;
    expect(exact('per-turn.disagreement')).toBe(0.8);
    expect(exact('first-turn.epsilon')).toBe(0.8);
    expect(exact('later.disagreement')).toBe(0);
    expect(exact('member.epsilon')).toBe(0);
  });
});
