import type { IncomingHttpHeaders } from 'node:http';
import type { Halt, StopSignal } from '../../endpoint/index.ts';
import type { CoverageCounts } from '../../population/index.ts';
import type { Cast, EpochNow, GroupMembers } from '../cast/index.ts';
import type { JournalRecord, SessionFacts } from '../recorder/records.ts';
import type { Named } from '../sessions/session.ts';
import type { SessionTable } from '../sessions/session-table.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import type { PastTurn, Reply, Said, Voice } from '../speakers/speaker.ts';
import type { ApiError } from '../wire/api-error.ts';
import type { ChatRequest } from '../wire/chat-request.ts';
import type { Raising } from './raising.ts';

/** A session under way: everything else about it is on record. */
export interface Conversation {
  readonly facts: SessionFacts;
  readonly voice: Voice;
  /** The user's turns that were delivered, by number. */
  readonly past: Map<number, PastTurn>;
  running: Halt | null;
}

export interface ConversationServices {
  readonly settings: GatewaySettings;
  readonly cast: Cast;
  readonly groups: GroupMembers;
  /** The epoch that a group which names none begins in. */
  readonly epochNow: () => EpochNow;
  /** Whether a session on record is not over. */
  readonly isOpen: (id: string) => boolean;
  /** How a session on record ended; null = it has not. */
  readonly endOf: (id: string) => string | null;
  readonly table: SessionTable;
  readonly append: (record: JournalRecord) => Promise<void>;
  /** Resolves once a new training session may begin; rejects with ApiError 429 where red holds for too long. */
  readonly admit: (signal: StopSignal) => Promise<void>;
  /** What the seen panel is drawn by at the present level. */
  readonly raising: () => Raising;
  readonly coverage: () => CoverageCounts | null;
  readonly epoch: () => {
    readonly epoch: number;
    readonly run: string | null;
    readonly policy: SessionFacts['policy'] | null;
  };
  /** How a turn of a member ended: for its circuit and its counters. */
  readonly onTurn: (
    conversation: Conversation,
    outcome: { readonly said: Said } | { readonly error: ApiError | null },
  ) => void;
  /** A turn was delivered: histories may be probed, and a stop token ends the session. */
  readonly onDelivered: (conversation: Conversation, turn: number, request: ChatRequest, said: Said) => void;
  /** A session that is on record and no longer here: it was closed, and is asked again. */
  readonly recall: (id: string) => Promise<Conversation | null>;
  /** A member is about to be asked. @throws ApiError 503 where it rests. */
  readonly ask: (conversation: Conversation) => void;
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly ticks: () => number;
}

/** One chat request as it arrived. */
export interface Call {
  readonly request: ChatRequest;
  readonly named: Named | null;
  /** The session that the client's key was issued for; null = it has the general one. */
  readonly keySession: string | null;
  readonly retry: number;
  readonly headers: IncomingHttpHeaders;
  /** Raised when the client goes away; and from here, when the request is given up for another. */
  readonly stop: Halt;
  /** `ticks` at its arrival. */
  readonly arrived: number;
}

/** A reply under way, and whose it is. */
export interface Answer {
  readonly conversation: Conversation;
  readonly turn: number;
  readonly reply: Reply;
  readonly overheadMs: number;
  /** Puts the turn on record: to be awaited before its last byte is sent. */
  record(said: Said): Promise<void>;
  /** The client has it all, as far as can be known. */
  delivered(said: Said): void;
  /** The client went away, or the upstream broke off. */
  lost(error: ApiError | null): void;
}
