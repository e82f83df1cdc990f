import { CollapseAwareError } from '../errors.ts';
import type { Random } from '../math/random.ts';
import type { PoolRecipe } from './simulator-recipe.ts';

/**
 * The newest checkpoints of a simulator that is trained beside the policy, first in, first out. Immutable: a pool that
 * a session holds stays as it was. `{ ...pool }` is plain data, and `new Pool(recipe, checkpoints)` reads it back.
 */
export class Pool {
  /** Most checkpoints kept. */
  readonly size: number;
  /** Training steps from one checkpoint to the next. */
  readonly every: number;
  /** Oldest first. */
  readonly checkpoints: readonly string[];

  /** Throws CA_USAGE for sizes that are no whole numbers from 1, too many checkpoints, or one twice. */
  constructor(recipe: Pick<PoolRecipe, 'size' | 'every'>, checkpoints: readonly string[] = []) {
    for (const key of ['size', 'every'] as const)
      if (!Number.isSafeInteger(recipe[key]) || recipe[key] < 1)
        throw new CollapseAwareError(
          'CA_USAGE',
          `${key} of a pool is ${recipe[key]}, not a whole number of at least 1`,
        );
    if (checkpoints.length > recipe.size)
      throw new CollapseAwareError(
        'CA_USAGE',
        `${checkpoints.length} checkpoints in a pool of ${recipe.size}`,
      );
    const twice = checkpoints.find((name, i) => checkpoints.indexOf(name) < i);
    if (twice !== undefined)
      throw new CollapseAwareError(
        'CA_USAGE',
        `checkpoint '${twice}' is in the pool already: it would count twice`,
      );
    this.size = recipe.size;
    this.every = recipe.every;
    this.checkpoints = Object.freeze([...checkpoints]);
    Object.freeze(this);
  }

  /** A pool with `checkpoint` as its newest, without the oldest beyond `size`. Throws CA_USAGE where it is in already. */
  push(checkpoint: string): Pool {
    if (this.checkpoints.includes(checkpoint))
      throw new CollapseAwareError(
        'CA_USAGE',
        `checkpoint '${checkpoint}' is in the pool already: it would count twice`,
      );
    return new Pool(this, [...this.checkpoints, checkpoint].slice(-this.size));
  }

  /** Whether a checkpoint is taken after training step `step`, counted from 1. */
  due(step: number): boolean {
    return step > 0 && step % this.every === 0;
  }

  /** Each checkpoint alike. Throws CA_USAGE on an empty pool. */
  draw(random: Random): string {
    if (this.checkpoints.length === 0)
      throw new CollapseAwareError('CA_USAGE', 'the pool has no checkpoint yet');
    return this.checkpoints[random.integer(this.checkpoints.length)]!;
  }
}
