import type { Exchange } from './exchange.ts';
import { errorIn, type UpstreamFault } from './upstream-error.ts';

/** Of one JSON reply. */
const MOST_BYTES = 32 * 2 ** 20;

/** An answer that is none. */
export class Refusal extends Error {
  readonly fault: UpstreamFault;
  constructor(fault: UpstreamFault) {
    super(fault.found);
    this.fault = fault;
  }
}

export const unusable = (found: string): Refusal => new Refusal({ kind: 'reply', found, status: 200 });

/** An error in a reply that says 200. */
export function refuseError(json: unknown): void {
  const said = errorIn(json);
  if (said === null) return;
  const status = Number(said.code);
  throw new Refusal({
    kind: 'refused',
    found: `answered with an error: ${said.message}`,
    status: status >= 400 && status < 600 ? status : 500,
    said,
  });
}

/** Whether a server that was asked for a stream sends one, whatever it calls it. */
export function isEvents(type: string | string[] | undefined, first: Buffer): boolean {
  const text = String(type ?? '');
  if (text.includes('event-stream')) return true;
  return !text.includes('json') && /^\s*(data|event|id|retry)?:/.test(first.toString('latin1', 0, 64));
}

/** All that is left of a reply. @throws Refusal where it is too long. */
export async function bodyText(exchange: Exchange, first: Buffer | null): Promise<string> {
  if (first === null) return '';
  const pieces = [first];
  let size = first.length;
  for (let piece = await exchange.next(); piece !== null; piece = await exchange.next()) {
    pieces.push(piece);
    size += piece.length;
    if (size > MOST_BYTES) throw unusable(`answered with more than ${MOST_BYTES / 2 ** 20} MiB`);
  }
  return pieces.length === 1 ? first.toString('utf8') : Buffer.concat(pieces, size).toString('utf8');
}

/** Null: it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
