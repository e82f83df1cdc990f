import { CollapseAwareError } from '../errors.ts';
import { tell } from './terminal.ts';

let status: 0 | 1 = 0;

/** Done, and what `--fail-on` names was met: status 1. */
export function failOnMet(): void {
  status = 1;
}

export function exitStatus(): 0 | 1 {
  return status;
}

/** Prints an error as one coded line and returns the exit status: 2 wrong usage, 3 unusable input. */
export function reportError(error: unknown): number {
  if (isAbort(error)) {
    tell('stopped; no partial file was left');
    return 130;
  }
  if (error instanceof CollapseAwareError) {
    // A recipe's faults are listed one a line; text of others stands escaped in them.
    if (error.code === 'CA_CONFIG_INVALID') for (const line of error.line.split('\n')) tell(line);
    else tell(error.line);
    return error.exit;
  }
  const text = error instanceof Error ? error.message : String(error);
  tell(
    `CA_INTERNAL: ${text} - this is a fault of collapse-aware; run again with CA_DEBUG=1 for the trace and report it`,
  );
  if (process.env.CA_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return 3;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
