import { type Code, CollapseAwareError } from '../errors.ts';
import type { EpisodeDraft } from '../trajectory/compose.ts';
import { composeTrajectory } from '../trajectory/compose.ts';
import type { Row, Source } from './reader.ts';

/** A row that could not be used, as the readers yield it. */
export function dropRow(
  source: Pick<Source, 'path'>,
  line: number | null,
  code: Code,
  reason: string,
  id: string | null = null,
): Row {
  return { kind: 'dropped', dropped: { file: source.path, line, id, code, reason } };
}

/**
 * Runs the mapping of one row. A coded error, or a value nested deeper than the stack, costs that row only.
 * `null` means: not a row, say nothing.
 */
export function guardRow(
  source: Pick<Source, 'path'>,
  line: number | null,
  map: () => EpisodeDraft | Row | null,
): Row | null {
  try {
    const made = map();
    if (made === null || 'kind' in made) return made;
    return { kind: 'trajectory', trajectory: composeTrajectory(made) };
  } catch (error) {
    if (error instanceof CollapseAwareError) return dropRow(source, line, error.code, error.message);
    if (error instanceof RangeError) return dropRow(source, line, 'CA_ROW_INVALID', 'nested too deeply');
    throw error;
  }
}

/** The error a mapping throws for a row it cannot use (caught by `guardRow`). */
export function rowError(reason: string, code: Code = 'CA_ROW_INVALID'): CollapseAwareError {
  return new CollapseAwareError(code, reason);
}
