import { CollapseAwareError } from '../errors.ts';
import { type Member, readMember, writtenMember } from '../population/index.ts';
import { expectArgument, expectList, expectMember } from './argument.ts';
import type { Origin } from './origin.ts';

/** Members from `a` to `b`, to be played and then held to lie between them. */
export interface PathPlan {
  readonly kind: 'path';
  readonly how: 'prompt' | 'sampling' | 'mixture';
  readonly a: Member;
  readonly b: Member;
  /** In the order of lambda: 0 is `a`, 1 is `b`. */
  readonly steps: readonly PathStep[];
}

export interface PathStep {
  readonly lambda: number;
  readonly member: Member;
  readonly origin: Origin;
}

export interface PathInput {
  readonly a: Member;
  readonly b: Member;
  readonly how: 'prompt' | 'sampling' | 'mixture';
  /** Different numbers from 0 to 1. */
  readonly lambdas?: readonly number[];
}

export const PATH_LAMBDAS: readonly number[] = [0, 0.25, 0.5, 0.75, 1];

const WAYS: readonly PathInput['how'][] = ['prompt', 'sampling', 'mixture'];

/**
 * A grid of members between two.
 * @throws CA_CONFIG_INVALID where the two cannot be interpolated so (docs/population.md: Recipes); CA_USAGE for a grid
 * that is none.
 */
export function planPath(input: PathInput): PathPlan {
  const { a, b, how, lambdas = PATH_LAMBDAS } = input ?? {};
  expectMember(a, 'a of a path');
  expectMember(b, 'b of a path');
  expectArgument(WAYS.includes(how), 'a path by no way', `give how: ${WAYS.join(', ')}`);
  expectList(lambdas, 'the lambdas of a path');
  const grid = [...lambdas].sort((x, y) => x - y);
  if (grid.length === 0 || grid.some((x, i) => !(x >= 0 && x <= 1) || x === grid[i - 1]))
    throw new CollapseAwareError('CA_USAGE', `the grid ${grid.join(', ')} is no path from 0 to 1`, {
      todo: 'give different numbers from 0 to 1',
    });
  const family = a.family === b.family ? a.family : `${a.family}~${b.family}`;
  const steps = grid.map((lambda): PathStep => {
    const recipe = { kind: 'interpolate', a: writtenMember(a), b: writtenMember(b), lambda, how };
    const member = readMember({ id: `${a.id}~${b.id}@${lambda}`, family, recipe });
    return { lambda, member, origin: { kind: 'path', a: a.id, b: b.id, lambda, how } };
  });
  return { kind: 'path', how, a, b, steps };
}
