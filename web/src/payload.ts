import type { Payload } from '../../src/report/payload.ts';

/** Reads the data the page carries inside itself; null in a template nobody filled. */
export function readPayload(): Payload | null {
  const element = document.getElementById('data');
  const value: unknown = JSON.parse(element?.textContent ?? 'null');
  return typeof value === 'object' ? (value as Payload | null) : null;
}
