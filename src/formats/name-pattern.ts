import { createContext, Script } from 'node:vm';
import { CollapseAwareError } from '../errors.ts';

/** A file name is short: what is not found by then backtracks without end. */
const LIMIT = 1000;

const sandbox = createContext({ pattern: null, name: '' });
const script = new Script('pattern.exec(name)');

/**
 * First group of a pattern on a file name, or the whole match; null where there is none or it is empty.
 * @throws CA_USAGE where the pattern takes longer than a second: such a pattern would hang on its next file too.
 */
export function matchName(pattern: RegExp, name: string): string | null {
  // A global or sticky pattern would remember where it stopped.
  sandbox.pattern = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  sandbox.name = name;
  let match: RegExpExecArray | null;
  try {
    match = script.runInContext(sandbox, { timeout: LIMIT }) as RegExpExecArray | null;
  } catch (cause) {
    throw new CollapseAwareError('CA_USAGE', `the pattern ${String(pattern).slice(0, 80)} takes too long`, {
      place: { file: name },
      todo: 'write it without nested repetition, such as (a+)+',
      cause,
    });
  }
  const found = match === null ? '' : (match[1] ?? match[0]);
  return found === '' ? null : found;
}
