import type { ProbeRecord, ProberServices, VisitedHistory } from '../../../src/gateway/probes/index.ts';
import type { SessionFacts } from '../../../src/gateway/recorder/records.ts';
import type { ProbeSettings } from '../../../src/gateway/settings/settings.ts';
import type { Said, Turn, Voice } from '../../../src/gateway/speakers/speaker.ts';
import { type ChatRequest, readChatRequest } from '../../../src/gateway/wire/chat-request.ts';

export const SETTINGS: ProbeSettings = {
  share: 1,
  resamples: 4,
  laws: ['member', 'population'],
  concurrency: 2,
  queue: 10,
  yieldAbove: 3,
  budgetTokens: null,
};

export function factsOf(id: string, more: Partial<SessionFacts> = {}): SessionFacts {
  return {
    id,
    bound: 'header',
    model: 'population',
    simulator: {
      id: 'own',
      kind: 'llm',
      person: null,
      model: 'm',
      recipe: 'direct',
      fingerprint: 'f',
    },
    split: 'seen',
    group: null,
    epoch: 0,
    run: null,
    policy: { id: 'policy', checkpoint: null },
    contextLabel: null,
    benchmark: null,
    domain: null,
    nested: null,
    seed: `seed of ${id}`,
    ...more,
  };
}

export function requestOf(body: Record<string, unknown> = {}): ChatRequest {
  return readChatRequest(
    {
      model: 'population',
      messages: [
        { role: 'system', content: 'You want a refund.' },
        { role: 'user', content: 'Hello, how can I help?' },
      ],
      ...body,
    },
    { messages: 100, depth: 30 },
  );
}

export function visited(id: string, turn = 0, body: Record<string, unknown> = {}): VisitedHistory {
  return { facts: factsOf(id), turn, request: requestOf(body), past: [] };
}

export function saidOf(text: string, more: Partial<Said> = {}): Said {
  return {
    text,
    toolCalls: [],
    finishReason: 'stop',
    answeredBy: { id: 'own', fingerprint: 'f', model: 'm' },
    fallback: null,
    attempts: 1,
    upstreamMs: 0,
    usage: { promptTokens: 10, completionTokens: 5 },
    ...more,
  };
}

export function voiceThat(say: (turn: Turn) => Said | Promise<Said>): Voice {
  return {
    person: null,
    reply: async (turn) => ({ kind: 'whole', said: await say(turn), completion: null }),
  };
}

type SpentRecord = Exclude<Parameters<ProberServices['append']>[0], ProbeRecord>;

export interface Watched extends ProberServices {
  readonly records: ProbeRecord[];
  readonly spent: SpentRecord[];
  readonly drops: { readonly reason: string; readonly session: string; readonly turn: number }[];
}

export function services(voice: Voice, more: Partial<ProberServices> = {}): Watched {
  const records: Watched['records'] = [];
  const spent: Watched['spent'] = [];
  const drops: Watched['drops'] = [];
  return {
    settings: SETTINGS,
    seed: 'gateway',
    voiceOf: () => voice,
    serves: () => true,
    population: () => null,
    append: (record) => void (record.kind === 'probe' ? records.push(record) : spent.push(record)),
    clientsRunning: () => 0,
    now: () => 7,
    onDropped: (reason, { facts, turn }) => void drops.push({ reason, session: facts.id, turn }),
    ...more,
    records,
    spent,
    drops,
  };
}

/** Another text each time. */
export const texts = (voice = 'reply') =>
  voiceThat(({ random }) => saidOf(`${voice} ${random.integer(1e9)}`));

/** A voice that answers when it is told to. */
export function heldVoice() {
  const open: { readonly turn: Turn; readonly answer: () => void; readonly fail: () => void }[] = [];
  const voice = voiceThat(
    (turn) =>
      new Promise((resolve, reject) => {
        turn.signal.addEventListener('abort', () => reject(new Error('cancelled')), { once: true });
        open.push({
          turn,
          answer: () => resolve(saidOf('said')),
          fail: () => reject(new Error('upstream down')),
        });
      }),
  );
  return { open, voice };
}

export const breath = () => new Promise((resolve) => setImmediate(resolve));
