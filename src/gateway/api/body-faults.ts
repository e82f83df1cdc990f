import type { z } from 'zod';
import { schemaFaults } from '../../population/fault.ts';

/** What is wrong with something that a request holds. */
export interface BodyFaults {
  /** Where the first thing wrong stands; null = the whole. */
  readonly path: string | null;
  /** What was found and what may be, of each thing wrong. */
  readonly words: string;
}

/** A body can have thousands. */
const MOST_TOLD = 5;

/** `whole`: what an empty path is. */
export function bodyFaults(error: z.ZodError, input: unknown, schema: z.ZodType, whole: string): BodyFaults {
  const faults = schemaFaults(error, input, schema);
  const told = faults
    .slice(0, MOST_TOLD)
    .map(({ path, found, allowed }) => `${path === '' ? whole : path}: found ${found}, expected ${allowed}`);
  const more = faults.length - told.length;
  return {
    path: faults[0]!.path === '' ? null : faults[0]!.path,
    words: [...told, ...(more === 0 ? [] : [`and ${more} more`])].join('; '),
  };
}
