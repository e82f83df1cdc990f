import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { CollapseAwareError } from '../errors.ts';
import type { RunningGateway } from '../gateway/server/gateway.ts';
import { GATEWAY_SCHEMA, type GatewaySettings } from '../gateway/settings/settings.ts';
import { readYaml } from './recipe-file.ts';
import { tell } from './terminal.ts';

interface GatewayOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly log: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly dryRun?: boolean;
  readonly play?: string;
}

const SETTINGS_FILE = { noun: 'settings file', format: 'YAML', mostBytes: 2_000_000 };

export function gatewayCommand(): Command {
  return new Command('gateway')
    .description(
      'Serve a population of user simulators behind one OpenAI-compatible URL; record and measure what they do',
    )
    .option(
      '-c, --config <file>',
      "settings (docs/gateway-settings.md); without it, the lab's scripted users",
    )
    .option('--host <address>', 'address to listen on, over the one in the settings')
    .option('--port <number>', 'port, over the one in the settings; 0 takes a free one')
    .option('--store <folder>', 'folder of the journal, over the one in the settings')
    .addOption(
      new Option('--log <level>', 'structured lines on standard error')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('warn'),
    )
    .option(
      '--play <n>',
      'play so many scripted dialogues with whoever is served, so that there is something to see',
    )
    .option(
      '--dry-run',
      'check the settings, and whether a gateway could start with them; say what would be served, and stop',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ collapse-aware gateway
  $ collapse-aware gateway --play 300
  $ curl http://127.0.0.1:8420/v1/models
  $ collapse-aware gateway -c gateway.yaml
  $ collapse-aware gateway -c gateway.yaml --dry-run`,
    )
    .action(async (options: GatewayOptions) => runGateway(options));
}

async function runGateway(options: GatewayOptions): Promise<void> {
  // Loaded here: other commands need neither the server nor the journal.
  const { readSettings } = await import('../gateway/settings/read-settings.ts');
  const { describeSettings, writtenOrder } = await import('../gateway/settings/describe-settings.ts');
  const { config } = options;
  const play = playedOf(options);
  const written = config === undefined ? null : await readYaml(config, SETTINGS_FILE);
  const settings = readSettings(
    overridden(written, options),
    config === undefined ? { environment: process.env } : { environment: process.env, file: config },
  );
  const folder = config === undefined ? process.cwd() : resolve(config, '..');
  const facts = describeSettings(settings, writtenOrder(written));
  if (options.dryRun === true) {
    const { notReady } = await import('../gateway/server/readiness.ts');
    refuseAll(await notReady(settings, { environment: process.env, folder }));
    process.stdout.write(`${facts.join('\n')}\n`);
    return;
  }
  const { startGateway } = await import('../gateway/server/gateway.ts');
  // One fault that nobody waited for must not end everybody's dialogues.
  process.on('unhandledRejection', (cause) =>
    tell(
      `CA_INTERNAL: ${cause instanceof Error ? cause.message : String(cause)} - please report it; serving goes on`,
    ),
  );
  const gateway = await startGateway(settings, {
    environment: process.env,
    log: options.log,
    folder,
  });
  const leave = new AbortController();
  // Signals are heard before anybody is told that there is something to end.
  const ended = stopped((reason) => {
    leave.abort();
    return gateway.stop(reason);
  });
  for (const line of facts) tell(line);
  tell(`listening on ${gateway.url} (OpenAI base URL: ${gateway.url}/v1)`);
  if (gateway.madeAdminKey !== null) tell(`dashboard: ${gateway.url}/#key=${gateway.madeAdminKey}`);
  else tell(`dashboard: ${gateway.url}/ (with the admin key)`);
  if (play !== null)
    playWith(gateway, settings, play, leave.signal).catch((error: Error) => {
      if (!leave.signal.aborted) tell(error instanceof CollapseAwareError ? error.line : error.message);
    });
  await ended;
}

async function playWith(
  { url, madeAdminKey }: Pick<RunningGateway, 'url' | 'madeAdminKey'>,
  { keys, population }: GatewaySettings,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const { playDialogues } = await import('./gateway-play.ts');
  const { secretOf } = await import('../gateway/settings/environment.ts');
  const { clientEnv, adminEnv } = keys;
  await playDialogues({
    url,
    clientKey: clientEnv === null ? null : secretOf(clientEnv, process.env),
    adminKey: madeAdminKey ?? secretOf(adminEnv!, process.env),
    world: population.world,
    count,
    say: tell,
    signal,
  });
}

/** @throws the one fault, or all of them in one, under the code of the first. */
function refuseAll(faults: readonly CollapseAwareError[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  throw new CollapseAwareError(
    first.code,
    `this gateway would not start: ${faults.length} faults\n  ${faults.map(({ line }) => line).join('\n  ')}`,
    { todo: 'mend them and try again' },
  );
}

const MOST_PLAYED = 100_000;

/** Null where nothing is to be played. */
function playedOf({ play }: GatewayOptions): number | null {
  if (play === undefined) return null;
  const count = Number(play);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_PLAYED)
    throw new CollapseAwareError('CA_USAGE', `--play ${play} is no number of dialogues`, {
      todo: `give a whole number from 1 to ${MOST_PLAYED}`,
    });
  return count;
}

/** Until a signal: the first lets replies under way end, a second ends at once. */
function stopped(stop: (reason: string) => Promise<void>): Promise<void> {
  return new Promise((done, fail) => {
    let asked = false;
    const end = (signal: NodeJS.Signals) => {
      if (asked) process.exit(130);
      asked = true;
      tell(`${signal}: no new sessions; waiting for replies under way (once more to stop at once)`);
      stop(signal)
        .finally(() => {
          for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
        })
        .then(done, fail);
    };
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end);
  });
}

/** Options stand over the file, as everywhere. */
function overridden(written: unknown, { host, port, store }: GatewayOptions): unknown {
  if (host === undefined && port === undefined && store === undefined) return written;
  const base = written ?? { schema: GATEWAY_SCHEMA };
  if (typeof base !== 'object') return base;
  const { listen, ...rest } = base as Record<string, unknown>;
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new CollapseAwareError('CA_USAGE', `--port ${port} is no port`, { todo: 'give 0 to 65535' });
  return {
    ...rest,
    listen: {
      ...(typeof listen === 'object' ? listen : {}),
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port: Number(port) }),
    },
    // Relative to where the command is given, not to the file.
    ...(store === undefined ? {} : { store: resolve(store) }),
  };
}
