import { CollapseAwareError } from '../errors.ts';
import { type Figure, missing } from '../metrics/figure.ts';
import { expectArgument, expectRows } from './argument.ts';
import { distinctRows } from './distinct-rows.ts';
import type { PlacedRow } from './placed-row.ts';
import { lowerEnd, reaches, rowShare } from './row-share.ts';
import { unitsOf } from './row-units.ts';

export interface GapVerification {
  readonly kind: 'gap';
  readonly mode: number;
  readonly member: string;
  readonly mass: number;
  /** Distinct episodes of the member. */
  readonly n: number;
  readonly landed: number;
  /** Share of its episodes in the mode and inside people's support. */
  readonly yield: Figure;
  /** Share of its episodes inside people's support, whatever the mode. */
  readonly realism: Figure;
  readonly realismFloor: number;
  /** What one landed episode took; null where none landed. */
  readonly cost: LandedCost | null;
  /** Ids of the landed episodes; empty where the member is refused. */
  readonly accepted: readonly string[];
  readonly refused: readonly { readonly id: string; readonly reason: GapRefusal }[];
  readonly verdict: 'accepted' | 'refused';
  readonly reason: string;
}

/** Why an episode is not taken: it shows another mode, people do nothing like it, or its member is refused. */
export type GapRefusal = 'another mode' | 'off support' | 'member refused';

export interface LandedCost {
  readonly episodes: number;
  readonly turns: number;
  /** Null where the tokens of some episode are not known. */
  readonly tokens: number | null;
}

export interface GapVerificationOptions {
  /** Least realism that must be shown, 0 to 1: the lower end of its interval is held to it. */
  readonly realismFloor: number;
  /** Tokens of an episode; null = not known. */
  readonly tokensOf?: (id: string) => number | null;
}

/**
 * Whether the episodes of a member made for a gap landed in it. An episode is taken only if it is inside the target mode
 * and inside people's support; a member only if some landed and its realism is shown to reach the floor. Rows of others
 * are left aside. @throws CA_USAGE for a floor that is no share.
 */
export function verifyGap(
  target: { readonly mode: number; readonly member: string; readonly mass: number },
  rows: readonly PlacedRow[],
  options: GapVerificationOptions,
): GapVerification {
  const { realismFloor, tokensOf } = options ?? {};
  checkFloor(realismFloor);
  expectRows(rows);
  const { mode, member, mass } = target ?? {};
  expectArgument(
    Number.isInteger(mode) && typeof member === 'string',
    'a target without mode and member',
    'give one of `planGaps` with the id of a member',
  );
  const own = distinctRows(rows.filter(({ simulator }) => simulator === member));
  const base = { kind: 'gap', mode, member, mass, n: own.length, realismFloor } as const;
  if (own.length === 0) {
    const none = missing('no episode');
    const empty = { landed: 0, yield: none, realism: none, cost: null, accepted: [], refused: [] };
    return { ...base, ...empty, verdict: 'refused', reason: 'no episode was played' };
  }
  const units = unitsOf(own);
  const lands = own.map(({ cell, outside }) => cell === mode && !outside);
  const landed = lands.filter((is) => is).length;
  const realism = rowShare(
    own.map(({ outside }) => !outside),
    units,
  );
  const shown = reaches(realism, realismFloor);
  const taken = landed > 0 && shown;
  const refused = own.flatMap(({ id, outside }, at): { id: string; reason: GapRefusal }[] => {
    if (lands[at]) return taken ? [] : [{ id, reason: 'member refused' }];
    return [{ id, reason: outside ? 'off support' : 'another mode' }];
  });
  return {
    ...base,
    landed,
    yield: rowShare(lands, units),
    realism,
    cost: landed === 0 ? null : costOf(own, landed, tokensOf),
    accepted: taken ? own.filter((_, at) => lands[at]).map(({ id }) => id) : [],
    refused,
    verdict: taken ? 'accepted' : 'refused',
    reason: reasonOf(landed, own.length, realism, realismFloor, shown),
  };
}

export function checkFloor(floor: number): void {
  if (!(floor >= 0 && floor <= 1))
    throw new CollapseAwareError('CA_USAGE', `a realism floor of ${floor}`, { todo: 'give 0 to 1' });
}

function costOf(
  own: readonly PlacedRow[],
  landed: number,
  tokensOf: GapVerificationOptions['tokensOf'],
): LandedCost {
  let tokens: number | null = tokensOf === undefined ? null : 0;
  let turns = 0;
  for (const row of own) {
    turns += row.turns;
    const spent = tokensOf?.(row.id) ?? null;
    tokens = tokens === null || spent === null ? null : tokens + spent;
  }
  return {
    episodes: own.length / landed,
    turns: turns / landed,
    tokens: tokens === null ? null : tokens / landed,
  };
}

const share = (x: number | null) => (x === null ? 'not known' : x.toFixed(2));

function reasonOf(landed: number, n: number, realism: Figure, floor: number, shown: boolean): string {
  if (landed === 0) return `none of ${n} episodes landed in the mode`;
  const low = share(lowerEnd(realism));
  return shown
    ? `${landed} of ${n} episodes landed; realism at least ${low}`
    : `realism is not shown to reach ${share(floor)}: ${share(realism.value)}, lower end ${low}`;
}
