import type { StopSignal } from '../../endpoint/index.ts';
import { type Random, seeded } from '../../math/random.ts';
import type { PastTurn, Turn } from '../speakers/speaker.ts';
import type { TokenSums } from '../speakers/token-sums.ts';
import type { ChatRequest } from '../wire/chat-request.ts';

/** A turn that a client asks for. Its randomness is seeded once it is drawn from: most members draw nothing. */
export class ClientTurn implements Turn {
  readonly request: ChatRequest;
  readonly past: readonly PastTurn[];
  readonly signal: StopSignal;
  readonly probe = false;
  readonly retry: number;
  readonly tokens: TokenSums = {};
  readonly #seed: string;
  #random: Random | null = null;

  constructor(
    request: ChatRequest,
    past: readonly PastTurn[],
    seed: string,
    signal: StopSignal,
    retry: number,
  ) {
    this.request = request;
    this.past = past;
    this.signal = signal;
    this.retry = retry;
    this.#seed = seed;
  }

  get random(): Random {
    this.#random ??= seeded(this.#seed);
    return this.#random;
  }
}

/** The user's turns before `turn`, in order. */
export function turnsBefore(past: ReadonlyMap<number, PastTurn>, turn: number): PastTurn[] {
  const numbers: number[] = [];
  for (const number of past.keys()) if (number < turn) numbers.push(number);
  // As they were said, as a rule.
  if (numbers.some((number, i) => i > 0 && number < numbers[i - 1]!)) numbers.sort((a, b) => a - b);
  return numbers.map((number) => past.get(number)!);
}
