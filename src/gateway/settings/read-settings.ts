import { CollapseAwareError } from '../../errors.ts';
import { type PopulationFault, populationError, schemaFaults } from '../../population/fault.ts';
import { defaultPopulation } from './default-population.ts';
import { type Environment, withEnvironment } from './environment.ts';
import { readPopulation } from './read-population.ts';
import { GATEWAY_SCHEMA, type GatewaySettings, type UpstreamSettings } from './settings.ts';
import { settingsSchema, type WrittenUpstream } from './settings-schema.ts';

export interface ReadSettingsOptions {
  /** Where faults say the settings were read from. */
  readonly file?: string;
  readonly environment?: Environment;
}

/**
 * Written settings of a gateway, checked, with every default filled in. `null` (no file) is a gateway on loopback
 * that serves the lab's scripted users.
 * @throws CA_CONFIG_INVALID with every fault at once; CA_PANEL_OVERLAP; CA_USAGE for an address that is open without keys.
 */
export function readSettings(value: unknown, options: ReadSettingsOptions = {}): GatewaySettings {
  const { file, environment = {} } = options;
  const input = withEnvironment(value ?? OF_NO_FILE, environment, file);
  const read = settingsSchema.safeParse(input);
  if (!read.success)
    throw populationError(
      schemaFaults(read.error, input, Object.keys(settingsSchema.shape), []).map(hidden),
      'the settings',
      file,
      'docs/gateway-settings.md lists every key with its range',
    );
  const written = read.data;
  const upstreams = Object.entries(written.upstreams).map(([name, one]) => upstreamOf(name, one));
  const population =
    written.population === undefined
      ? defaultPopulation()
      : readPopulation((input as { population: unknown }).population, {
          upstreams: upstreams.map(({ name }) => name),
          ...(file === undefined ? {} : { file }),
        });
  const { sessions, limits, breaker } = written;
  const settings: GatewaySettings = {
    schema: GATEWAY_SCHEMA,
    listen: written.listen,
    store: written.store,
    seed: String(written.seed),
    keys: written.keys,
    upstreams,
    population,
    sessions: {
      headers: sessions.headers.map((name) => name.toLowerCase()),
      retryMs: 1000 * sessions.retrySeconds,
      idleMs: 1000 * sessions.idleSeconds,
      stopTokens: sessions.stopTokens,
      scenario: sessions.scenario,
      benchmark: sessions.benchmark,
      domain: sessions.domain,
    },
    limits: {
      bodyBytes: limits.bodyBytes,
      depth: limits.depth,
      messages: limits.messages,
      turns: limits.turns,
      requestMs: 1000 * limits.requestSeconds,
      sessions: limits.sessions,
    },
    recorder: written.recorder,
    probes: written.probes,
    live: written.live,
    breaker: {
      enabled: breaker.enabled,
      bars: breaker.bars,
      plannedEpochs: breaker.plannedEpochs,
      baseline: breaker.baseline,
      timeLimit: breaker.timeLimitSeconds,
      holdSeconds: breaker.holdSeconds,
      psodEvery: breaker.psodEvery,
    },
    webhooks: written.webhooks,
  };
  checkPattern(settings.sessions.scenario, file);
  return settings;
}

/** Scripted users are drawn a session at a time: a short epoch has enough contexts of each. */
const OF_NO_FILE = { schema: GATEWAY_SCHEMA, live: { epochs: { every: 128 } } };

/** A secret that was pasted where its name belongs is not repeated. */
function hidden(fault: PopulationFault): PopulationFault {
  return /Env$/.test(fault.path) ? { ...fault, found: 'something else' } : fault;
}

function upstreamOf(name: string, one: WrittenUpstream): UpstreamSettings {
  return {
    name,
    baseUrl: one.baseUrl,
    apiKeyEnv: one.apiKeyEnv,
    concurrency: one.concurrency,
    queue: one.queue,
    retries: one.retries,
    connectMs: 1000 * one.connectSeconds,
    firstByteMs: 1000 * one.firstByteSeconds,
    idleMs: 1000 * one.idleSeconds,
    totalMs: 1000 * one.totalSeconds,
    tripAfter: one.tripAfter,
    restMs: 1000 * one.restSeconds,
    prices: one.prices,
  };
}

function checkPattern(pattern: string | null, file?: string): void {
  if (pattern === null) return;
  try {
    new RegExp(pattern);
  } catch (cause) {
    throw new CollapseAwareError('CA_CONFIG_INVALID', `sessions.scenario: ${(cause as Error).message}`, {
      ...(file === undefined ? {} : { place: { file } }),
      todo: 'write a regular expression whose first group is the scenario',
      cause,
    });
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** @throws CA_USAGE where the gateway would be open to others without keys. */
export function checkExposure({ listen, keys }: GatewaySettings): void {
  if (isLoopback(listen.host)) return;
  const missing = [
    ...(keys.clientEnv === null ? ['clientEnv'] : []),
    ...(keys.adminEnv === null ? ['adminEnv'] : []),
  ];
  if (missing.length > 0)
    throw new CollapseAwareError(
      'CA_USAGE',
      `listening on ${listen.host} without keys: ${missing.map((key) => `keys.${key}`).join(' and ')} missing`,
      { todo: 'name the environment variables that hold them, or listen on 127.0.0.1' },
    );
}
