import { setTimeout as sleep } from 'node:timers/promises';
import type { BreakerLevel } from '../../diagnosis/index.ts';
import { type Environment, secretOf } from '../settings/environment.ts';
import type { GatewaySettings } from '../settings/settings.ts';

export const WEBHOOK_SCHEMA = 'collapse-aware/webhook@1';

/** What is posted when the level that is shown changes. */
export interface LevelNotice {
  readonly schema: typeof WEBHOOK_SCHEMA;
  readonly level: BreakerLevel;
  readonly before: BreakerLevel;
  readonly reasons: readonly string[];
  readonly epoch: number;
  /** ISO 8601. */
  readonly at: string;
}

export interface Notifier {
  /** Returns at once; what cannot be delivered is counted and logged, never thrown. */
  notify(notice: LevelNotice): void;
  readonly counts: { readonly sent: number; readonly failed: number };
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

export interface NotifierOptions {
  readonly environment: Environment;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Milliseconds for one attempt, and between attempts (as many retries as there are pauses). */
  readonly timeoutMs?: number;
  readonly pausesMs?: readonly number[];
}

/** Notices that wait for one receiver; the oldest are given up beyond it. */
const MOST_WAITING = 100;

/**
 * Posts to every receiver in the order of the notices. `headerEnv` names the variable whose value is sent as
 * `Authorization`. Addresses are logged without path and query, which may hold a token.
 * @throws CA_USAGE where such a variable is not set.
 */
export function startNotifier(hooks: GatewaySettings['webhooks'], options: NotifierOptions): Notifier {
  const { environment, log, timeoutMs = 5000, pausesMs = [1000, 4000, 16_000] } = options;
  const stopped = new AbortController();
  const counts = { sent: 0, failed: 0 };
  const receivers = hooks.map(({ url, headerEnv }) => ({
    url,
    shown: new URL(url).origin,
    headers: {
      'content-type': 'application/json',
      ...(headerEnv === null ? {} : { authorization: secretOf(headerEnv, environment) }),
    },
    waiting: [] as LevelNotice[],
    running: Promise.resolve(),
    busy: false,
  }));
  type Receiver = (typeof receivers)[number];

  const fail = (receiver: Receiver, reason: string) => {
    counts.failed += 1;
    log('a webhook was not delivered', { receiver: receiver.shown, reason });
  };
  /** Null where it arrived; `again`: another attempt may help. */
  const post = async ({ url, headers }: Receiver, body: string) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]),
      });
      await answer.body?.cancel();
      if (answer.ok) return null;
      return { reason: `status ${answer.status}`, again: answer.status >= 500 || answer.status === 429 };
    } catch (error) {
      return { reason: reasonOf(error), again: true };
    }
  };
  const deliver = async (receiver: Receiver, notice: LevelNotice) => {
    const body = JSON.stringify(notice);
    for (let attempt = 0; ; attempt++) {
      const fault = await post(receiver, body);
      if (fault === null) {
        counts.sent += 1;
        return;
      }
      const pause = pausesMs[attempt];
      if (!fault.again || pause === undefined || stopped.signal.aborted) return fail(receiver, fault.reason);
      await sleep(pause, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  };
  const drain = async (receiver: Receiver) => {
    receiver.busy = true;
    for (let next = receiver.waiting.shift(); next !== undefined; next = receiver.waiting.shift())
      await deliver(receiver, next);
    receiver.busy = false;
  };
  const settled = async () => {
    await Promise.all(receivers.map(({ running }) => running));
  };
  return {
    counts,
    settled,
    notify: (notice) => {
      for (const receiver of receivers) {
        receiver.waiting.push(notice);
        if (receiver.waiting.length > MOST_WAITING) {
          receiver.waiting.shift();
          fail(receiver, 'too many notices wait for it');
        }
        if (!receiver.busy) receiver.running = drain(receiver);
      }
    },
    close: async () => {
      for (const receiver of receivers) receiver.waiting.length = 0;
      stopped.abort();
      await settled();
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  return code ?? error.name;
}
