import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ADMIN_KEY, CLIENT_KEY, UPSTREAM_KEY } from './stage.ts';

const DIST = resolve(import.meta.dirname, '../../../dist');
const MAIN = join(DIST, 'cli/main.js');

/** The built command may be older than the gateway. */
export const isBuilt = existsSync(MAIN) && existsSync(join(DIST, 'gateway/server/gateway.js'));

/** A folder with settings for the command: two members at one upstream. */
export function settingsFolder(upstreamUrl: string, more = ''): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ca-gateway-child-'));
  const file = join(folder, 'gateway.yaml');
  writeFileSync(
    file,
    `schema: collapse-aware/gateway@1
listen: {port: 0}
store: store
keys: {clientEnv: CA_CLIENT, adminEnv: CA_ADMIN}
upstreams:
  fake: {baseUrl: '${upstreamUrl}', apiKeyEnv: CA_UPSTREAM, retries: 0}
population:
  members:
    - {id: plain, family: alder, model: alder-4b, upstream: fake}
    - {id: other, family: birch, model: birch-8b, upstream: fake}
  seen: [plain, other]
  draw: uniform
${more}`,
  );
  return { folder, file };
}

export interface ChildGateway {
  readonly process: ChildProcess;
  /** '' until it listens. */
  url: string;
  stderr: string;
  /** Status and signal of its end. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  chat(body: unknown, headers?: Record<string, string>): Promise<Response>;
  api(path: string, body?: unknown): Promise<Response>;
}

const children = new Set<ChildGateway>();

/** Starts the built command on a settings file; resolves once it listens, or has ended. */
export async function startChild(file: string, nodeOptions = ''): Promise<ChildGateway> {
  const child = spawn(process.execPath, [MAIN, 'gateway', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: nodeOptions,
      CA_CLIENT: CLIENT_KEY,
      CA_ADMIN: ADMIN_KEY,
      CA_UPSTREAM: UPSTREAM_KEY,
    },
  });
  const json = { 'content-type': 'application/json' };
  const gateway: ChildGateway = {
    process: child,
    url: '',
    stderr: '',
    ended: once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    chat: (body, headers = {}) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${CLIENT_KEY}`, ...headers },
        body: JSON.stringify(body),
      }),
    api: (path, body) =>
      fetch(`${gateway.url}${path}`, {
        headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(body === undefined ? {} : json) },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
  };
  children.add(gateway);
  const listening = new Promise<void>((done) => {
    child.stderr!.on('data', (piece: Buffer) => {
      gateway.stderr += piece.toString();
      gateway.url = /listening on (http:\S+)/.exec(gateway.stderr)?.[1] ?? '';
      if (gateway.url !== '') done();
    });
  });
  await Promise.race([listening, gateway.ended]);
  return gateway;
}

export async function tidyChildren(...folders: readonly string[]): Promise<void> {
  for (const { process: child, ended } of children) {
    child.kill('SIGKILL');
    await ended;
  }
  children.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
