import type { JournalRecord, SessionFacts } from '../../../src/gateway/recorder/records.ts';
import type { Said } from '../../../src/gateway/speakers/speaker.ts';
import type { WireMessage } from '../../../src/gateway/wire/chat-request.ts';

/** Records as the gateway writes them, with as little said as possible. */
export const facts = (id: string, more: Partial<SessionFacts> = {}): SessionFacts => ({
  id,
  bound: 'content',
  model: 'population',
  simulator: { id: 'm1', kind: 'llm', person: null, model: 'gpt', recipe: 'direct', fingerprint: 'f1' },
  split: 'seen',
  group: null,
  epoch: 1,
  run: null,
  policy: { id: 'policy', checkpoint: null },
  contextLabel: null,
  benchmark: null,
  domain: null,
  nested: null,
  seed: 's',
  ...more,
});

export const said = (text: string | null, more: Partial<Said> = {}): Said => ({
  text,
  toolCalls: [],
  finishReason: 'stop',
  answeredBy: { id: 'm1', fingerprint: 'f1', model: 'gpt' },
  fallback: null,
  attempts: 1,
  upstreamMs: 5,
  usage: { promptTokens: 10, completionTokens: 2 },
  ...more,
});

let clock = 1000;
const at = () => clock++;

export const open = (session: string, more: Partial<SessionFacts> = {}): JournalRecord => ({
  kind: 'open',
  at: at(),
  session,
  facts: facts(session, more),
});

export const exchange = (
  session: string,
  turn: number,
  messages: readonly WireMessage[],
  reply: Said,
  asked = `${session}/${turn}`,
): JournalRecord => ({
  kind: 'exchange',
  at: at(),
  session,
  turn,
  messages,
  asked,
  said: reply,
  overheadMs: 1,
});

export const agent = (content: string): WireMessage => ({ role: 'user', content });
export const system = (content: string): WireMessage => ({ role: 'system', content });

export const undelivered = (session: string, turn: number): JournalRecord => ({
  kind: 'undelivered',
  at: at(),
  session,
  turn,
});
export const reward = (
  session: string,
  value: number | null,
  outcome: string | null = null,
): JournalRecord => ({
  kind: 'reward',
  at: at(),
  session,
  reward: value,
  outcome,
});
export const close = (session: string, termination = 'done'): JournalRecord => ({
  kind: 'close',
  at: at(),
  session,
  termination,
});
export const probe = (session: string, turn: number, text: string): JournalRecord => ({
  kind: 'probe',
  at: at(),
  session,
  turn,
  resamples: [{ law: 'member', member: 'm1', text }],
  probability: 0.25,
  promptTokens: 7,
  completionTokens: 3,
});

/** A whole dialogue of so many turns. */
export const dialogue = (
  session: string,
  turns: number,
  more: Partial<SessionFacts> = {},
): JournalRecord[] => [
  open(session, more),
  ...Array.from({ length: turns }, (_, turn) =>
    exchange(
      session,
      turn,
      turn === 0 ? [system(`You are a person. ${session}`), agent('Hello?')] : [agent(`And ${turn}?`)],
      said(`${session} says ${turn}`),
    ),
  ),
  close(session),
];
