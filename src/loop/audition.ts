import type { Figure } from '../metrics/index.ts';
import type { PlacedRow } from '../synthesis/index.ts';
import { learnability, verifyGap } from '../synthesis/index.ts';
import type { Candidate } from './candidates.ts';
import type { MemberRecord } from './member-record.ts';

export interface AuditionRule {
  /** Realism below this, by its lower bound, refuses. */
  readonly realismFloor: number;
  readonly rewardRange: readonly [number, number];
  /** Share of the population's episodes in each mode: what a candidate made for it must exceed. */
  readonly shown: ArrayLike<number>;
  /** Why nothing came from a candidate, by id. */
  readonly lost?: ReadonlyMap<string, string>;
}

/**
 * What an audition showed of a candidate, and whether it may join: it must be realistic, and one that was made for a mode
 * must land there. Paths and adversaries were meant for no mode.
 */
export function judgeAudition(
  { member, origin }: Candidate,
  rows: readonly PlacedRow[],
  round: number,
  { realismFloor, rewardRange, shown, lost }: AuditionRule,
): MemberRecord {
  const own = rows.filter(({ simulator }) => simulator === member.id);
  const [learned] = learnability(own, rewardRange, { played: true });
  if (learned === undefined)
    return {
      member,
      origin,
      round,
      audition: null,
      kept: false,
      reason: `none of its episodes could be played${lost?.has(member.id) ? ` (${lost.get(member.id)})` : ''}`,
    };
  const landing: Figure | null =
    origin.kind === 'gap'
      ? verifyGap({ mode: origin.mode, member: member.id, mass: origin.mass }, own, { realismFloor }).yield
      : null;
  const audition = {
    n: own.length,
    yield: landing,
    realism: learned.realism,
    learnability: learned.learnability,
    turns: own.reduce((sum, { turns }) => sum + turns, 0),
  };
  const real = learned.realism.low ?? learned.realism.value;
  if (real === null || real < realismFloor)
    return {
      ...{ member, origin, round, audition, kept: false },
      reason:
        real === null
          ? `its realism is not known (${learned.realism.reason ?? 'no reason given'})`
          : `not realistic enough: ${real.toFixed(2)} is surely inside the support, ${realismFloor} is asked for`,
    };
  if (origin.kind === 'gap' && landing !== null) {
    const before = shown[origin.mode] ?? 0;
    if (!(landing.value !== null && landing.value > before))
      return {
        ...{ member, origin, round, audition, kept: false },
        reason: `missed its mode: ${inShare(landing.value)} of its episodes are in it, of the population's ${inShare(before)}`,
      };
  }
  return {
    member,
    origin,
    round,
    audition,
    kept: true,
    reason: origin.kind === 'gap' ? 'landed where it was meant to, inside the support' : 'inside the support',
  };
}

const inShare = (value: number | null) => (value === null ? 'unknown' : `${(100 * value).toFixed(0)} %`);
