import { CollapseAwareError } from '../errors.ts';
import type { Member } from '../population/index.ts';

/**
 * For callers without types: what is no argument is told at the door, in words.
 * @throws CA_USAGE unless `holds`
 */
export function expectArgument(holds: boolean, found: string, todo: string): void {
  if (!holds) throw new CollapseAwareError('CA_USAGE', found, { todo });
}

/** @throws CA_USAGE */
export function expectList(value: unknown, what: string): void {
  expectArgument(Array.isArray(value), `${what} are no list`, 'give a list');
}

/** @throws CA_USAGE */
export function expectMember(value: unknown, what: string): void {
  const { id, family, recipe, model, checkpoint, sampling } = (value ?? {}) as Partial<
    Record<keyof Member, unknown>
  >;
  expectArgument(
    typeof id === 'string' &&
      typeof family === 'string' &&
      typeof (recipe as { kind?: unknown } | undefined)?.kind === 'string' &&
      ![model, checkpoint, sampling].includes(undefined),
    `${what} is no member`,
    'give one that `readMember` of collapse-aware/population read',
  );
}

/** Rows as they are placed in a space. @throws CA_USAGE with the number of the first that is none */
export function expectRows(rows: unknown): void {
  expectList(rows, 'the rows');
  const at = (rows as readonly unknown[]).findIndex((row) => {
    const { hash, simulator, context, cell } = (row ?? {}) as Record<string, unknown>;
    return ![hash, simulator, context].every((one) => typeof one === 'string') || !Number.isInteger(cell);
  });
  expectArgument(
    at === -1,
    `row ${at + 1} is no placed row`,
    'give rows with id, hash, context, simulator, cell, outside, reward and turns',
  );
}
