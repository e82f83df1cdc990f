import type { Member, PanelName } from '../../population/index.ts';

export const GATEWAY_SCHEMA = 'collapse-aware/gateway@1';

/** A gateway's settings, checked, with every default filled in (docs/gateway-settings.md). Holds no secret: names of variables. */
export interface GatewaySettings {
  readonly schema: typeof GATEWAY_SCHEMA;
  readonly listen: { readonly host: string; readonly port: number };
  /** Folder of the journal. */
  readonly store: string;
  readonly seed: string;
  readonly keys: {
    /** Environment variable of the key that clients send; null = none is asked (loopback only). */
    readonly clientEnv: string | null;
    /** Null = one is made at every start and printed. */
    readonly adminEnv: string | null;
  };
  readonly upstreams: readonly UpstreamSettings[];
  readonly population: PopulationSettings;
  readonly sessions: SessionSettings;
  readonly limits: LimitSettings;
  readonly recorder: RecorderSettings;
  readonly probes: ProbeSettings;
  readonly live: LiveSettings;
  readonly breaker: BreakerGatewaySettings;
  readonly webhooks: readonly { readonly url: string; readonly headerEnv: string | null }[];
}

export interface UpstreamSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string | null;
  /** Requests under way at once, and waiting; more are refused with 429. */
  readonly concurrency: number;
  readonly queue: number;
  /** Attempts after the first, before the first byte only. */
  readonly retries: number;
  /** Milliseconds. */
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** Between two pieces of a reply. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Failures in a row after which a member of this upstream is left alone for a while, and for how long. */
  readonly tripAfter: number;
  readonly restMs: number;
  /** Per million tokens, in whatever currency; null = unknown, and so is the cost. */
  readonly prices: { readonly prompt: number; readonly completion: number } | null;
}

export type DrawPolicy = 'uniform' | 'weighted' | 'group' | 'least-covered';

/** Plain data: as the control API shows and takes it. */
export interface PopulationSettings {
  readonly panels: Readonly<Record<PanelName, readonly Member[]>>;
  /** Upstream of each member that a model answers for, by id; parts inside a recipe included. */
  readonly upstreamOf: Readonly<Record<string, string>>;
  /** World of the lab whose users scripted members are. */
  readonly world: 'persuasion' | 'service' | 'pair-coding';
  readonly draw: DrawPolicy;
  /** Of the seen panel, by id; absent = 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Members whose share yellow raises. */
  readonly antiCollapse: readonly string[];
  /** Other model names that clients may ask for, by what they stand for. */
  readonly aliases: Readonly<Record<string, string>>;
}

export interface SessionSettings {
  /** Request headers that name a session, in this order. */
  readonly headers: readonly string[];
  /** A first turn that comes again within this time, unanswered so far, is a retry. */
  readonly retryMs: number;
  /** A session that nobody speaks in for so long is over. */
  readonly idleMs: number;
  /** A reply that holds one of these ends its session. */
  readonly stopTokens: readonly string[];
  /** Regular expression whose first group is the scenario in the system prompt; null = what `<scenario>` tags hold, else all of it. */
  readonly scenario: string | null;
  readonly benchmark: string | null;
  readonly domain: string | null;
}

export interface LimitSettings {
  readonly bodyBytes: number;
  readonly depth: number;
  readonly messages: number;
  /** Turns of the simulated user in one session. */
  readonly turns: number;
  /** To receive a whole request, in ms. */
  readonly requestMs: number;
  /** Sessions under way at once. */
  readonly sessions: number;
}

export interface RecorderSettings {
  /** `process`: survives the death of the process; `power`: every commit is on disk first. */
  readonly durability: 'process' | 'power';
  /** Closed sessions beyond these are deleted, oldest first; null = none is. */
  readonly keepSessions: number | null;
  readonly keepDays: number | null;
  /** Size of the journal above which the oldest are deleted. */
  readonly keepBytes: number | null;
  /** Above it nothing more is recorded. */
  readonly maxBytes: number | null;
  /** When a reply cannot be recorded: `refuse` it, or `serve` it unrecorded and say so. */
  readonly onFailure: 'refuse' | 'serve';
}

export interface ProbeSettings {
  /** Share of visited histories that are probed, 0..1; 0 = off. */
  readonly share: number;
  /** Replies drawn again, of each law. */
  readonly resamples: number;
  readonly laws: readonly ('member' | 'population')[];
  readonly concurrency: number;
  readonly queue: number;
  /** No probe starts while more client requests than this are under way. */
  readonly yieldAbove: number;
  /** Completion tokens an epoch; null = no limit. */
  readonly budgetTokens: number | null;
}

export interface LiveSettings {
  /** Saved space (space.json); null = fitted on the first `warmUp` sessions. */
  readonly space: string | null;
  /** Files of people; empty = none. */
  readonly reference: readonly string[];
  readonly warmUp: number;
  /** `sessions`: an epoch is over after so many closed sessions; `trainer`: when the trainer says so. */
  readonly epochs: { readonly by: 'sessions' | 'trainer'; readonly every: number };
  /** Epochs that enter the figures of now. */
  readonly window: number;
  readonly rewardRange: readonly [number, number] | null;
}

export interface BreakerGatewaySettings {
  readonly enabled: boolean;
  readonly bars: 'people' | 'proposed' | { readonly yellow: number; readonly red: number };
  readonly plannedEpochs: number | null;
  readonly baseline: number;
  /** Seconds; null = none. */
  readonly timeLimit: number | null;
  /** At red new sessions wait so long before they are refused. */
  readonly holdSeconds: number;
  /** Epochs between two rounds of panel sessions that the gate asks for. */
  readonly psodEvery: number;
}
