import { Counter, Gauge, Registry } from 'prom-client';
import { LabelTally, RequestTally, SecondsTally } from './tallies.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** What `GET /metrics` shows (docs/gateway-operations.md). A registry of its own: two gateways in one process do not mix. */
export function newInstruments() {
  const registry = new Registry();
  const of = [registry];
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Counter({ name: `collapse_aware_${name}`, help, labelNames: [...labelNames], registers: of });
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Gauge({ name: `collapse_aware_${name}`, help, labelNames: [...labelNames], registers: of });
  const seconds = (name: string, help: string, byStream: boolean) =>
    new SecondsTally(registry, { name: `collapse_aware_${name}`, help, bounds: SECONDS, byStream });
  const requests = new RequestTally(
    counter('requests_total', 'Chat requests by answer', ['status', 'stream']),
  );
  const turns = new LabelTally(counter('turns_total', 'Turns answered, by member', ['member']), (member) => ({
    member,
  }));
  const tokens = counter('tokens_total', 'Tokens by member', ['member', 'kind']);
  const tokensOf = (kind: string) => new LabelTally(tokens, (member) => ({ member, kind }));
  const promptTokens = tokensOf('prompt');
  const completionTokens = tokensOf('completion');
  const probePrompt = tokensOf('probe_prompt');
  const probeCompletion = tokensOf('probe_completion');
  const unmetered = new LabelTally(
    counter('replies_unmetered_total', 'Replies whose upstream gave no account of tokens', ['member']),
    (member) => ({ member }),
  );
  const tallies = [
    requests,
    turns,
    promptTokens,
    completionTokens,
    probePrompt,
    probeCompletion,
    unmetered,
  ] as const;
  return {
    registry,
    /** To be called before the registry is read. */
    flush(): void {
      for (const tally of tallies) tally.flush();
    },
    requests,
    running: gauge('requests_running', 'Chat requests under way'),
    upstreams: gauge('upstream_requests', 'Requests to upstreams: running and waiting', [
      'upstream',
      'state',
    ]),
    held: gauge('sessions_held', 'New sessions that wait at red'),
    refused: counter('sessions_refused_total', 'New sessions refused, by reason', ['reason']),
    turns,
    failures: counter('turn_failures_total', 'Turns that no reply came for, by member', ['member']),
    fallbacks: counter('turn_fallbacks_total', 'Turns whose recipe could not be kept, by member', ['member']),
    promptTokens,
    completionTokens,
    probePrompt,
    probeCompletion,
    unmetered,
    duration: seconds('request_duration_seconds', 'From the request to the end of the reply', true),
    overhead: seconds('overhead_seconds', 'Of it, not spent waiting for an upstream', false),
    sessions: gauge('sessions', 'Sessions by state', ['state']),
    unrecorded: counter('unrecorded_total', 'Replies that could not be recorded'),
    dropped: counter('sessions_dropped_total', 'Sessions deleted by retention'),
    journalBytes: gauge('journal_bytes', 'Size of the journal'),
    probes: counter('probes_total', 'Probes by outcome', ['outcome']),
    level: gauge('breaker_level', '0 green, 1 yellow, 2 half-open, 3 red'),
    figure: gauge('figure', 'Figures of the last epoch looked at: value, low and high', ['name', 'part']),
    members: gauge('member_resting', '1 while a member is left alone', ['member']),
    webhooks: counter('webhooks_total', 'Webhooks by outcome', ['outcome']),
  } as const;
}

export type Instruments = ReturnType<typeof newInstruments>;
