import { CODES, type Code, CollapseAwareError, type Place } from '../errors.ts';

/** An error as plain data: what crosses from one process to another loses its class. */
export interface Fault {
  readonly code: Code;
  readonly message: string;
  readonly place: Place;
  readonly todo: string | null;
}

export function faultOf(error: unknown): Fault {
  if (error instanceof CollapseAwareError)
    return { code: error.code, message: error.message, place: error.place, todo: error.todo ?? null };
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'CA_INTERNAL', message: text, place: {}, todo: null };
}

export function errorOf({ code, message, place, todo }: Fault): CollapseAwareError {
  return new CollapseAwareError(Object.hasOwn(CODES, code) ? code : 'CA_INTERNAL', message, {
    place,
    ...(todo === null ? {} : { todo }),
  });
}
