import { keyOf } from './gateway-stage.ts';
import type { Scenario, SpokenMessage } from './scenario.ts';

interface Scored {
  readonly session: string;
  readonly scenario: Scenario;
  readonly messages: readonly SpokenMessage[];
}

const TIMEOUT_MS = 120_000;
const SNIPPET = 200;

/**
 * The trainer's own reward over HTTP: `POST {session, task, scenario, messages}` is answered with `{"reward": number}`, or
 * null where the dialogue has none.
 */
export class Scorer {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @throws CA_USAGE where the key's variable is not set. */
  constructor(
    { url, keyEnv }: { readonly url: string; readonly keyEnv: string | null },
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    this.#url = url;
    this.#headers = {
      'content-type': 'application/json',
      ...(keyEnv === null ? {} : { authorization: `Bearer ${keyOf(keyEnv, environment)}` }),
    };
  }

  /** A score that does not come is a lost dialogue, and no reward of 0. */
  async score(
    { session, scenario: { task, scenario }, messages }: Scored,
    signal: AbortSignal,
  ): Promise<{ readonly reward: number | null } | { readonly lost: string }> {
    try {
      const reply = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify({ session, task, scenario, messages }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const text = await reply.text();
      if (!reply.ok) return { lost: `the scorer answered ${reply.status}: ${text.slice(0, SNIPPET)}` };
      const { reward } = JSON.parse(text) as { reward?: unknown };
      return reward === null || (typeof reward === 'number' && Number.isFinite(reward))
        ? { reward }
        : { lost: 'the scorer gave no number' };
    } catch (error) {
      signal.throwIfAborted();
      return { lost: `the scorer did not answer: ${(error as Error).message}` };
    }
  }
}
