import {
  type Circuit,
  type CircuitEvent,
  type CircuitRule,
  type CircuitState,
  CLOSED,
  circuitAdmits,
  circuitAfter,
  circuitState,
} from '../../endpoint/circuit.ts';

/**
 * A circuit for each member: whoever keeps failing is left alone for a while, and the others serve. A member that is
 * being tried gets one request at a time.
 */
export class Circuits {
  readonly #ruleOf: (member: string) => CircuitRule | null;
  readonly #circuits = new Map<string, Circuit>();

  /** `ruleOf`: of the member's upstream; null = it has none and never rests. */
  constructor(ruleOf: (member: string) => CircuitRule | null) {
    this.#ruleOf = ruleOf;
  }

  state(member: string, now: number): CircuitState {
    const circuit = this.#circuits.get(member);
    return circuit === undefined ? 'up' : circuitState(circuit, now);
  }

  admits(member: string, now: number): boolean {
    const circuit = this.#circuits.get(member);
    const rule = this.#ruleOf(member);
    return circuit === undefined || rule === null || circuitAdmits(circuit, rule, now);
  }

  /** Members that may not be asked now. */
  resting(now: number): Set<string> {
    const ids = new Set<string>();
    for (const id of this.#circuits.keys()) if (!this.admits(id, now)) ids.add(id);
    return ids;
  }

  /** Seconds until a resting member is tried again, at least 1. */
  restSeconds(member: string, now: number): number {
    const until = this.#circuits.get(member)?.restsUntil ?? now;
    return Math.max(1, Math.ceil((until - now) / 1000));
  }

  /** True where the member went to rest, or came back. */
  tell(member: string, event: CircuitEvent, now: number): boolean {
    const rule = this.#ruleOf(member);
    if (rule === null) return false;
    const before = this.#circuits.get(member) ?? CLOSED;
    const after = circuitAfter(before, event, rule, now);
    if (after === CLOSED) this.#circuits.delete(member);
    else this.#circuits.set(member, after);
    return (before.restsUntil === null) !== (after.restsUntil === null);
  }
}
