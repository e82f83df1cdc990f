import { CollapseAwareError } from '../../errors.ts';

/** The part of `pg` that is used; typed here since the package is optional. */
export interface Rows {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number | null;
}
export interface Session {
  query(text: string, values?: readonly unknown[]): Promise<Rows>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}
export interface Client extends Session {
  connect(): Promise<unknown>;
  end(): Promise<void>;
}
export interface Pool extends Session {
  end(): Promise<void>;
}
interface Pg {
  readonly Pool: new (options: object) => Pool;
  readonly Client: new (options: object) => Client;
}

export const INSTALL = 'npm install @dbos-inc/dbos-sdk@5.3.0 pg@8.23.1';
const PACKAGE = 'pg';

async function loadPg(): Promise<Pg> {
  try {
    const module = (await import(PACKAGE)) as { default?: Pg } & Pg;
    return module.default ?? module;
  } catch (cause) {
    throw new CollapseAwareError('CA_DEPENDENCY_MISSING', `runs in PostgreSQL need ${PACKAGE}`, {
      todo: INSTALL,
      cause,
    });
  }
}

/** What every connection is told, so that a machine that went away is missed within a minute. */
const ALIVE = [
  'tcp_keepalives_idle=20',
  'tcp_keepalives_interval=10',
  'tcp_keepalives_count=3',
  'idle_in_transaction_session_timeout=60000',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

export async function openPool(url: string, max = 4): Promise<Pool> {
  const { Pool } = await loadPg();
  const pool = new Pool({ connectionString: url, max, options: ALIVE, connectionTimeoutMillis: 20_000 });
  // Whoever asks next is told; an error of an idle connection is nobody's.
  pool.on('error', () => {});
  return pool;
}

/** A connection of its own, which session locks hang on. Errors: CA_USAGE for no address, CA_STORE_FAILED. */
export async function openClient(url: string): Promise<Client> {
  const { Client } = await loadPg();
  if (!isAddress(url))
    throw new CollapseAwareError('CA_USAGE', 'no address of a PostgreSQL database', {
      todo: 'Give postgresql://USER@HOST/DATABASE; in a password write / as %2F, # as %23, ? as %3F, @ as %40.',
    });
  try {
    // Certificates that the address names are read when it is made.
    const client = new Client({
      connectionString: url,
      options: ALIVE,
      keepAlive: true,
      connectionTimeoutMillis: 20_000,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw databaseFault(url, error);
  }
}

/** As `pg` reads it; an @ behind the host is one of a password, whose rest would be taken for host and database. */
function isAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !/^postgres(ql)?:\/\/./.test(url)) return false;
  const whole = [url, url.replace('@/', '@localhost/')].find((one) => URL.canParse(one));
  return whole !== undefined && !new URL(whole).pathname.includes('@');
}

/** Without the password. */
export function placeOfUrl(url: string): string {
  try {
    const { protocol, hostname, port, pathname, searchParams } = new URL(url);
    if (pathname.includes('@')) return 'the database';
    const host = hostname === '' ? (searchParams.get('host') ?? '') : hostname;
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname}`;
  } catch {
    return 'the database';
  }
}

export function databaseFault(url: string, error: unknown): CollapseAwareError {
  if (error instanceof CollapseAwareError) return error;
  // Of several addresses that were tried in vain, one says why.
  const inner = (error as { errors?: readonly Error[] }).errors?.[0] ?? (error as Error);
  return new CollapseAwareError('CA_STORE_FAILED', `the database failed (${inner.message})`, {
    place: { file: placeOfUrl(url) },
    todo: 'Check that it runs, its address and the rights of the user; then resume the run.',
    cause: error,
  });
}
