import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { requirement } from '../require.ts';

/** The newest server that Debian's package has put here, else the one on the path. */
function binaries(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found !== undefined) return found;
  return (process.env.PATH ?? '').split(':').find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

const packages = ['pg', '@dbos-inc/dbos-sdk'].every((name) => {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
});

export const hasPostgres =
  requirement('a PostgreSQL server', binaries() !== null, 'apt-get install postgresql') &&
  requirement('DBOS, an optional package,', packages, 'npm install');

export interface PostgresServer {
  readonly url: string;
  /** As after a crash. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of its own in a temporary folder, on a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = binaries()!;
  const folder = mkdtempSync(join(tmpdir(), 'ca-postgres-'));
  // It refuses to be run by the administrator.
  const who = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
  const options = { ...who, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '--no-sync', '-E', 'UTF8'], {
    ...options,
    stdio: 'ignore',
  });
  const port = await freePort();
  const start = async () => {
    const server = spawn(
      join(bin, 'postgres'),
      [
        ...['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'],
        ...['-c', 'fsync=off', '-c', 'max_connections=200'],
      ],
      { ...options, stdio: 'ignore' },
    );
    await untilReady(bin, folder, port, server);
    return server;
  };
  // At once: sessions are not waited for.
  const end = async (server: ChildProcess) => {
    const left = new Promise((done) => server.once('exit', done));
    server.kill('SIGQUIT');
    await left;
  };
  const url = `postgresql://tester@127.0.0.1:${port}/runs`;
  let server = await start();

  execFileSync(join(bin, 'createdb'), ['-h', folder, '-p', String(port), '-U', 'tester', 'runs'], options);
  return {
    url,
    restart: async () => {
      await end(server);
      server = await start();
    },
    stop: async () => {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (flag: '-u' | '-g'): number => {
  try {
    return Number(
      execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return 65_534;
  }
};

async function untilReady(bin: string, folder: string, port: number, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', folder, '-p', String(port), '-q']);
      return;
    } catch {
      await pass(100);
    }
  }
  throw new Error('postgres did not start');
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.on('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => found(port));
    });
  });
}
