import { setTimeout as pass } from 'node:timers/promises';
import { type Client, openClient } from './pg.ts';
import { holderOfLock, takeLock } from './session-lock.ts';

const RETRY = 1000;

/** Says that a process is there, by a lock that goes with it. A connection that broke is made anew. */
export class Presence {
  readonly #url: string;
  readonly #name: string;
  #client: Client | null = null;
  #closed = false;

  private constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  static async begin(url: string, executor: string): Promise<Presence> {
    const presence = new Presence(url, lockOf(executor));
    await presence.#connect();
    return presence;
  }

  async #connect(): Promise<void> {
    const client = await openClient(this.#url);
    client.on('error', () => void this.#again());
    await takeLock(client, this.#name);
    this.#client = client;
  }

  async #again(): Promise<void> {
    if (this.#client === null) return;
    this.#client = null;
    // What this process was at may be given to others meanwhile; DBOS then takes nothing more of it from here.
    while (!this.#closed && this.#client === null) {
      await pass(RETRY, undefined, { ref: false });
      if (!this.#closed) await this.#connect().catch(() => {});
    }
  }

  async end(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }
}

/** Those of the processes that are gone. */
export async function goneOf(
  session: Parameters<typeof holderOfLock>[0],
  executors: Iterable<string>,
): Promise<string[]> {
  const gone: string[] = [];
  for (const executor of new Set(executors))
    if ((await holderOfLock(session, lockOf(executor))) === null) gone.push(executor);
  return gone;
}

const lockOf = (executor: string): string => `worker ${executor}`;
