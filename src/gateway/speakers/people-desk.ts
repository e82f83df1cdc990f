import type { StopSignal } from '../../endpoint/index.ts';
import { ApiError } from '../wire/api-error.ts';
import { messageText, type WireMessage } from '../wire/chat-request.ts';

/** What a person who plays a user sees: the conversation, and nothing of sessions, members, policies or arms. */
export interface OpenQuestion {
  /** Random: says nothing of the session. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly conversation: readonly SeenMessage[];
}

export interface SeenMessage {
  /** `you`: what the person said so far; `instructions`: what they are asked to want. */
  readonly from: 'instructions' | 'you' | 'agent' | 'tool';
  readonly text: string;
}

export interface PeopleDeskOptions {
  /** Milliseconds a person has for an answer. */
  readonly timeoutMs: number;
  /** Questions open at once. */
  readonly most: number;
  readonly now: () => number;
  readonly newId: () => string;
}

interface Open extends OpenQuestion {
  settle(answer: string | ApiError | null): void;
}

const LONGEST = 20_000;

/** Turns that wait for a person. */
export class PeopleDesk {
  readonly #options: PeopleDeskOptions;
  readonly #open = new Map<string, Open>();

  constructor(options: PeopleDeskOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  open(): readonly OpenQuestion[] {
    return [...this.#open.values()].map(({ id, askedAt, conversation }) => ({ id, askedAt, conversation }));
  }

  /** False where nobody asks that any more. Throws ApiError 400 for a text that is none. */
  answer(id: string, text: string): boolean {
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST)
      throw ApiError.invalid(`an answer has 1 to ${LONGEST} characters`, 'text');
    const question = this.#open.get(id);
    question?.settle(text);
    return question !== undefined;
  }

  /** What the person says. Rejects with ApiError 408 when the time is over, 429 when too many wait, or the signal's reason. */
  ask(messages: readonly WireMessage[], signal: StopSignal): Promise<string> {
    const { timeoutMs, most, now, newId } = this.#options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      if (this.#open.size >= most)
        throw new ApiError(429, `${most} questions wait for people`, {
          code: 'queue_full',
          retryAfter: Math.max(1, Math.ceil(timeoutMs / 1000 / 10)),
        });
      const id = newId();
      const leave = (): void => settle(null);
      const settle: Open['settle'] = (answer) => {
        if (!this.#open.delete(id)) return;
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        if (typeof answer === 'string') resolve(answer);
        else reject(answer ?? signal.reason);
      };
      const timer = setTimeout(
        () =>
          settle(new ApiError(408, `no person answered within ${timeoutMs} ms`, { code: 'person_timeout' })),
        timeoutMs,
      );
      signal.addEventListener('abort', leave, { once: true });
      this.#open.set(id, { id, askedAt: now(), conversation: messages.map(seen), settle });
    });
  }

  /** Sends everybody who waits away: the gateway stops. */
  close(): void {
    for (const { settle } of [...this.#open.values()])
      settle(new ApiError(503, 'the gateway stops', { code: 'stopping' }));
  }
}

const FROM: Readonly<Record<WireMessage['role'], SeenMessage['from']>> = {
  system: 'instructions',
  developer: 'instructions',
  assistant: 'you',
  user: 'agent',
  tool: 'tool',
  function: 'tool',
};

function seen(message: WireMessage): SeenMessage {
  const calls = (message.tool_calls ?? []).map((call) => `${call.function.name}(${call.function.arguments})`);
  return {
    from: FROM[message.role],
    text: [messageText(message), ...calls].filter((text) => text !== '').join('\n'),
  };
}
