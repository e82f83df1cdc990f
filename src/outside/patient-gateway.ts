import { ClientError } from '../client/client-error.ts';
import { CollapseAwareClient } from '../client/index.ts';
import { type Call, openTransport, pause, type Transport } from '../client/transport.ts';

const PAUSE_MS = 1000;
/** Longest that a reply of the gateway may take: spaces and populations are large, and machines busy. */
const TIMEOUT_MS = 60_000;

/** The control API of a gateway that may restart under a run: what it cannot answer now is asked again for a while. */
export class PatientGateway {
  readonly client: CollapseAwareClient;
  readonly #transport: Transport;
  readonly #patienceMs: number;
  readonly #say: (text: string) => void;

  constructor(url: string, adminKey: string, patienceSeconds: number, say: (text: string) => void) {
    const options = { baseUrl: url, adminKey, timeoutMs: TIMEOUT_MS, totalMs: TIMEOUT_MS, failOpen: false };
    this.client = new CollapseAwareClient(options);
    this.#transport = openTransport(options);
    this.#patienceMs = 1000 * patienceSeconds;
    this.#say = say;
  }

  /** @throws ClientError: what it refuses for good at once, and where it stays down for longer than it is waited for. */
  async ask<T>(question: (client: CollapseAwareClient) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const until = Date.now() + this.#patienceMs;
    for (let told = false; ; told = true) {
      try {
        return await question(this.client);
      } catch (error) {
        if (!(error instanceof ClientError && error.passing) || Date.now() >= until) throw error;
        if (!told) this.#say(`waiting for the gateway: ${error.message}`);
        await pause(Math.max(PAUSE_MS, error.retryAfterMs ?? 0), signal);
      }
    }
  }

  get<T>(path: string, call: Call = {}): Promise<T> {
    return this.ask(() => this.#transport.json<T>(path, call), call.signal);
  }

  lines(path: string, signal: AbortSignal): Promise<string[]> {
    return this.ask(async () => {
      const found: string[] = [];
      for await (const line of this.#transport.lines(path, { signal })) found.push(line);
      return found;
    }, signal);
  }
}
