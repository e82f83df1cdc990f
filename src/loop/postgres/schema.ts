import { CollapseAwareError } from '../../errors.ts';
import { databaseFault, openClient, placeOfUrl, type Session } from './pg.ts';

/** Of the tables of this program; DBOS keeps its own in `DBOS_SCHEMA`. */
export const SCHEMA = 'collapse_aware';
export const DBOS_SCHEMA = 'collapse_aware_dbos';
const VERSION = 1;

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.format (version integer NOT NULL);
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.run (
    id text PRIMARY KEY,
    study text NOT NULL,
    pause text,
    summary text,
    attempt integer NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.entry (
    run text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    seq integer NOT NULL,
    round integer NOT NULL,
    id text NOT NULL,
    request text NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (run, seq),
    UNIQUE (run, id)
  );
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.round (
    run text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    round integer NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (run, round)
  );
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.checkpoint (name text PRIMARY KEY, content bytea NOT NULL);
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.part (
    run text NOT NULL REFERENCES ${SCHEMA}.run ON DELETE CASCADE,
    request text NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (run, request)
  );
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.holder (lock bigint PRIMARY KEY, name text NOT NULL)`;

const ready = new Set<string>();

/** Makes the tables where they are missing. Errors: CA_STORE_FAILED, also where another version made them. */
export async function prepare(url: string): Promise<void> {
  if (ready.has(url)) return;
  const client = await openClient(url);
  try {
    if (!(await isPrepared(client))) {
      // Two that come at once would make one table twice.
      await client.query('BEGIN');
      await client.query(`SELECT pg_advisory_xact_lock(hashtext('${SCHEMA}'))`);
      await client.query(TABLES);
      await client.query(
        `INSERT INTO ${SCHEMA}.format SELECT ${VERSION} WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.format)`,
      );
      await client.query('COMMIT');
    }
    const { rows } = await client.query(`SELECT version FROM ${SCHEMA}.format`);
    if (rows[0]?.version !== VERSION)
      throw new CollapseAwareError(
        'CA_STORE_FAILED',
        `its tables are of version ${String(rows[0]?.version)}; this program knows ${VERSION}`,
        { place: { file: placeOfUrl(url) }, todo: 'Use the release that made them, or another database.' },
      );
    ready.add(url);
  } catch (error) {
    throw databaseFault(url, error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function isPrepared(session: Session): Promise<boolean> {
  const { rows } = await session.query('SELECT to_regclass($1) AS found', [`${SCHEMA}.format`]);
  if (rows[0]?.found == null) return false;
  return ((await session.query(`SELECT version FROM ${SCHEMA}.format`)).rowCount ?? 0) > 0;
}
