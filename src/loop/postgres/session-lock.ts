import { hostname } from 'node:os';
import { hashText } from '../../trajectory/identity.ts';
import type { Session } from './pg.ts';
import { SCHEMA } from './schema.ts';

/**
 * A lock that the server takes back by itself when the connection ends, however it ends: a process that was killed holds
 * nothing, and no clock is asked.
 */
export function lockKey(name: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hashText(`collapse-aware ${name}`).slice(0, 16)}`)).toString();
}

/** Whether it is this session's now. */
export async function takeLock(session: Session, name: string): Promise<boolean> {
  const key = lockKey(name);
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1::bigint) AS taken', [key]);
  if (rows[0]?.taken !== true) return false;
  await session.query(
    `INSERT INTO ${SCHEMA}.holder VALUES ($1::bigint, $2) ON CONFLICT (lock) DO UPDATE SET name = excluded.name`,
    [key, `process ${process.pid} on ${hostname()}`],
  );
  return true;
}

/** Who holds it now; null = nobody. */
export async function holderOfLock(session: Session, name: string): Promise<string | null> {
  const { rows } = await session.query(
    `SELECT coalesce((SELECT name FROM ${SCHEMA}.holder WHERE lock = $1::bigint), 'another process') AS name
     FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((classid::bigint << 32) | objid::bigint) = $1::bigint`,
    [lockKey(name)],
  );
  return (rows[0]?.name as string | undefined) ?? null;
}
