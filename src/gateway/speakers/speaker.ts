import type { StopSignal } from '../../endpoint/index.ts';
import type { Random } from '../../math/random.ts';
import type { Member } from '../../population/index.ts';
import type { Candidate, SimulatorKind } from '../../trajectory/trajectory.ts';
import type { ChatRequest, WireToolCall } from '../wire/chat-request.ts';
import type { TokenSums } from './token-sums.ts';

/** A member in service: how its recipe makes it answer. */
export interface Speaker {
  readonly member: Member;
  readonly kind: SimulatorKind;
  /** Of what answers here: the member's own, and the world's where rules answer, which are others in each world. */
  readonly fingerprint: string;
  /** In words, for the record. */
  readonly recipe: string;
  /**
   * One user for one session. Holds no state of the dialogue: the same seed and the same messages find the same user
   * again after a restart. `seed` draws what is fixed for a session (a persona of the bank, a checkpoint of the pool).
   * `person`: who was drawn when the session began, where that is known; kept by those whom time would change.
   */
  open(seed: string, person?: string | null): Voice;
}

export interface Voice {
  /** Persona, person or checkpoint drawn for the session; null where there is none. */
  readonly person: string | null;
  /** Rejects with ApiError while nothing was sent yet. A client that asked for no stream gets a whole reply. */
  reply(turn: Turn): Promise<Reply>;
}

/** One turn of the simulated user that is asked for. */
export interface Turn {
  readonly request: ChatRequest;
  /** The user's own earlier turns of the session, in order, as far as the gateway said them. */
  readonly past: readonly PastTurn[];
  /** Of this turn and attempt alone. */
  readonly random: Random;
  readonly signal: StopSignal;
  /** Extra replies for a probe: nothing is streamed, and they wait behind clients. */
  readonly probe: boolean;
  /** How often the client has tried this request before: it then tries itself, and fewer attempts are made for it. */
  readonly retry?: number;
  /** Takes what every whole reply of an upstream used, be it of use or not; a stream says it at its end. */
  readonly tokens?: TokenSums;
}

export interface PastTurn {
  readonly text: string;
  readonly acts?: readonly string[];
}

export type Reply = WholeReply | StreamedReply;

export interface WholeReply {
  readonly kind: 'whole';
  readonly said: Said;
  /** The upstream's own completion object, where it can be passed on as it is. */
  readonly completion: Readonly<Record<string, unknown>> | null;
  /** The same as JSON, where it came as that. */
  readonly text?: string;
}

export interface Chunks extends AsyncIterable<string> {
  /** The next one if it has come already; null: it is to be waited for, or there is none. Throws as they do. */
  ready?(): string | null;
}

/** The upstream's stream, passed on as it comes. */
export interface StreamedReply {
  readonly kind: 'stream';
  /**
   * `data:` payloads in order, without `[DONE]`. The first has arrived already (nothing can fail before it). Throws
   * ApiError where the upstream breaks off. Returning early (`return()`) cancels the upstream.
   */
  readonly chunks: Chunks;
  /** What was said, once `chunks` has ended. */
  said(): Said;
}

/** A turn as it goes on record. */
export interface Said {
  /** Null where there are tool calls alone. */
  readonly text: string | null;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
  /** Acts of a scripted user. */
  readonly acts?: readonly string[];
  /** Of the reply under the member's law, where it is known. */
  readonly probability?: number;
  /** What was to choose from (Verbalized Sampling), and which one was taken. */
  readonly candidates?: readonly Candidate[];
  readonly drawn?: number;
  /** Who answered: inside an ensemble or a mixture, the part that was drawn. */
  readonly answeredBy: { readonly id: string; readonly fingerprint: string; readonly model: string | null };
  /** Why the recipe could not be kept for this turn (`re-asked directly: ...`); null where it was. */
  readonly fallback: string | null;
  /** Requests that were made for it. */
  readonly attempts: number;
  /**
   * Milliseconds until the upstream's first byte (the last one, where nothing is streamed), summed over attempts; 0 where
   * there is no upstream.
   */
  readonly upstreamMs: number;
  readonly usage: SpeechUsage;
}

/** Tokens by upstream's account; null where it gave none. */
export interface SpeechUsage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}
