import type { z } from 'zod';
import { CollapseAwareError } from '../../errors.ts';
import { type PopulationFault, populationError, schemaFaults } from '../../population/fault.ts';
import { defaultPopulation } from './default-population.ts';
import { type Environment, type Unset, unsetSecrets, withEnvironment } from './environment.ts';
import { populationFaults, readPopulation } from './read-population.ts';
import { GATEWAY_SCHEMA, type GatewaySettings, type UpstreamSettings } from './settings.ts';
import { settingsSchema, type WrittenSettings, type WrittenUpstream } from './settings-schema.ts';

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
  const { file } = options;
  const { value: input, unset } = withEnvironment(value ?? OF_NO_FILE, options.environment ?? {});
  const read = settingsSchema.safeParse(input);
  const faults = [...unset.map(unsetFault), ...faultsOf(input, read.error, unset)];
  if (faults.length > 0)
    throw populationError(
      // Secrets that are missing stop the start, not the reading; who mends a file anyway wants to know of them.
      [...faults, ...unsetSecrets(input, options.environment ?? {}).map(unsetFault)],
      'the settings',
      file,
      'docs/gateway-settings.md lists every key with its range',
    );
  return settingsOf(settingsSchema.parse(input), input, file);
}

function settingsOf(written: WrittenSettings, input: unknown, file: string | undefined): GatewaySettings {
  const upstreams = Object.entries(written.upstreams).map(([name, one]) => upstreamOf(name, one));
  const population =
    written.population === undefined
      ? defaultPopulation()
      : readPopulation((input as { population: unknown }).population, {
          upstreams: upstreams.map(({ name }) => name),
          ...(file === undefined ? {} : { file }),
        });
  const { sessions, limits, breaker } = written;
  return {
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

function patternFault(sessions: unknown): PopulationFault[] {
  const pattern = (sessions as { scenario?: unknown } | null | undefined)?.scenario;
  if (typeof pattern !== 'string') return [];
  try {
    new RegExp(pattern);
    return [];
  } catch (cause) {
    return [
      {
        path: 'sessions.scenario',
        found: (cause as Error).message,
        allowed: 'a regular expression whose first group is the scenario',
      },
    ];
  }
}

/** What is wrong with the file itself, in the order of kinds; the population's own faults under its name. */
function faultsOf(input: unknown, error: z.ZodError | undefined, unset: readonly Unset[]): PopulationFault[] {
  const faults = error === undefined ? [] : schemaFaults(error, input, settingsSchema).map(hidden);
  const sections = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const { upstreams, population } = sections;
  const names = typeof upstreams === 'object' && upstreams !== null ? Object.keys(upstreams) : [];
  const all = [
    ...faults.filter(({ path }) => !/^population(\.|$)/.test(path)),
    ...(population === undefined ? [] : populationFaults(population, names).map(ofPopulation)),
    ...patternFault(sections.sessions),
  ];
  const incomplete = new Set(unset.map(({ path }) => path));
  return all.filter(({ path }) => !incomplete.has(path));
}

const ofPopulation = (fault: PopulationFault): PopulationFault => ({
  ...fault,
  path: fault.path === '' ? 'population' : `population.${fault.path}`,
});

const unsetFault = ({ path, name }: Unset): PopulationFault => ({
  path,
  found: `the variable ${name}, which is not set in the environment`,
  allowed: 'one that is exported before the command',
});

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
