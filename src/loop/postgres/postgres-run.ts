import { hostname } from 'node:os';
import { CollapseAwareError } from '../../errors.ts';
import { hashText } from '../../trajectory/identity.ts';
import type { RoundRecord } from '../round-record.ts';
import { checkedText } from '../run-checkpoints.ts';
import {
  type RunControl,
  type RunEntry,
  type RunPlace,
  type RunStore,
  type RunView,
  readPause,
} from '../run-store.ts';
import { checkSameStudy, checkVersion, type RunStudy, readStudy } from '../run-study.ts';
import { type Client, databaseFault, openClient, openPool, type Pool, placeOfUrl, type Rows } from './pg.ts';
import { prepare, SCHEMA } from './schema.ts';
import { holderOfLock, takeLock } from './session-lock.ts';

/** Entries that are read at a time: an answer may have megabytes. */
const PAGE = 16;

/** A run in a PostgreSQL database, by a name of its own. @param url `postgresql://user@host/database` */
export function postgresRun(url: string, id: string): RunPlace {
  if (typeof id !== 'string' || /^[ \t\r\n]*$/.test(id) || id.includes('\u0000'))
    throw new CollapseAwareError('CA_USAGE', 'the run has no name that a database can keep', {
      todo: 'Give a name.',
    });
  const name = `${placeOfUrl(url)} ${id}`;
  const lock = `run ${id}`;
  const connected = async (): Promise<Pool> => {
    await prepare(url);
    return openPool(url);
  };
  const expected = async (pool: Pool): Promise<RunStudy> => {
    const found = await studyOf(url, pool, id, name);
    if (found === null)
      throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no run of that name in the database', {
        place: { file: name },
        todo: 'Name one that `evolve --database` began.',
      });
    return found;
  };
  const briefly = async <T>(use: (pool: Pool) => Promise<T>): Promise<T> => {
    const pool = await connected();
    try {
      return await use(pool);
    } finally {
      await pool.end();
    }
  };
  const setPause = (pause: string | null) =>
    briefly(async (pool) => {
      await expected(pool);
      await asked(url, pool, `UPDATE ${SCHEMA}.run SET pause = $2 WHERE id = $1`, [id, pause]);
    });
  return {
    name,
    view: async () => {
      const pool = await connected();
      try {
        return viewOf(url, pool, id, name, await expected(pool));
      } catch (error) {
        await pool.end();
        throw error;
      }
    },
    open: async (study) => {
      const pool = await connected();
      let client: Client | null = null;
      try {
        if (study === null) await expected(pool);
        client = await openClient(url);
        if (!(await takeLock(client, lock)))
          throw new CollapseAwareError(
            'CA_STORE_LOCKED',
            `the run is driven by ${(await holderOfLock(client, lock)) ?? 'another process'}`,
            { place: { file: name }, todo: 'Wait for it, or ask it to pause: collapse-aware evolve pause.' },
          );
        let kept = await studyOf(url, pool, id, name);
        if (kept === null) {
          await asked(url, client, `INSERT INTO ${SCHEMA}.run (id, study) VALUES ($1, $2)`, [
            id,
            JSON.stringify(study),
          ]);
          kept = study!;
        } else if (study !== null) checkSameStudy(kept, study, name);
        checkVersion(kept, name);
        return await storeOf(url, pool, client, id, viewOf(url, pool, id, name, kept));
      } catch (error) {
        await client?.end().catch(() => {});
        await pool.end();
        throw databaseFault(url, error);
      }
    },
    askPause: () =>
      setPause(
        JSON.stringify({ at: new Date().toISOString(), by: `process ${process.pid} on ${hostname()}` }),
      ),
    allow: () => setPause(null),
  };
}

async function studyOf(url: string, pool: Pool, id: string, name: string): Promise<RunStudy | null> {
  const { rows } = await asked(url, pool, `SELECT study FROM ${SCHEMA}.run WHERE id = $1`, [id]);
  return rows[0] === undefined ? null : readStudy(rows[0].study as string, name);
}

export async function asked(
  url: string,
  session: Pick<Pool, 'query'>,
  sql: string,
  values: readonly unknown[],
): Promise<Rows> {
  try {
    return await session.query(sql, values);
  } catch (error) {
    throw databaseFault(url, error);
  }
}

function viewOf(url: string, pool: Pool, id: string, name: string, study: RunStudy): RunView {
  const ask = (sql: string, values: readonly unknown[] = [id]) => asked(url, pool, sql, values);
  return {
    place: name,
    study,
    entries: async function* () {
      for (let after = 0; ; ) {
        const { rows } = await ask(
          `SELECT seq, round, id, request, answer FROM ${SCHEMA}.entry WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT ${PAGE}`,
          [id, after],
        );
        for (const row of rows) yield entryOfRow(row, name);
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.seq as number;
      }
    },
    rounds: async () => {
      const { rows } = await ask(`SELECT record FROM ${SCHEMA}.round WHERE run = $1 ORDER BY round`);
      return rows.map(({ record }) => parsed<RoundRecord>(record as string, 'a round', name));
    },
    read: (checkpoint) => readCheckpoint(url, pool, checkpoint, name),
    control: async (): Promise<RunControl> => {
      const { rows } = await ask(`SELECT pause FROM ${SCHEMA}.run WHERE id = $1`);
      const pause = rows[0]?.pause as string | null | undefined;
      return { pause: pause == null ? null : readPause(pause) };
    },
    summary: async () => {
      const { rows } = await ask(`SELECT summary FROM ${SCHEMA}.run WHERE id = $1`);
      return (rows[0]?.summary as string | null | undefined) ?? null;
    },
    holder: () => holderOfLock(pool, `run ${id}`),
    close: () => pool.end(),
  };
}

/** @param place names it in errors. Errors: CA_FORMAT_INVALID */
export function entryOfRow(row: Record<string, unknown>, place: string): RunEntry {
  const id = row.id as string;
  return {
    round: row.round as number,
    id,
    request: row.request as string,
    answer: parsed(row.answer as string, `the answer of "${id}"`, place),
  };
}

function parsed<T>(text: string, what: string, place: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CollapseAwareError('CA_FORMAT_INVALID', `${what} was changed since it was written`, {
      place: { file: place },
      todo: 'Restore the database, or begin the run anew under another name.',
    });
  }
}

export function readCheckpoint(url: string, pool: Pool, checkpoint: string, name: string): Promise<string> {
  return checkedText(checkpoint, `${name} checkpoint ${checkpoint}`, async () => {
    const { rows } = await asked(url, pool, `SELECT content FROM ${SCHEMA}.checkpoint WHERE name = $1`, [
      checkpoint,
    ]);
    return rows[0] === undefined ? null : (rows[0].content as Buffer).toString('utf8');
  });
}

export async function keepCheckpoint(url: string, pool: Pool, text: string): Promise<string> {
  const checkpoint = hashText(text);
  await asked(url, pool, `INSERT INTO ${SCHEMA}.checkpoint VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
    checkpoint,
    Buffer.from(text),
  ]);
  return checkpoint;
}

/** Entries go over the connection that holds the lock: whoever has lost it can append nothing. */
async function storeOf(
  url: string,
  pool: Pool,
  client: Client,
  id: string,
  view: RunView,
): Promise<RunStore> {
  const counted = await asked(url, client, `SELECT count(*)::int AS n FROM ${SCHEMA}.entry WHERE run = $1`, [
    id,
  ]);
  let seq = counted.rows[0]!.n as number;
  return {
    ...view,
    notes: [],
    append: async ({ round, id: request, request: hash, answer }) => {
      await asked(url, client, `INSERT INTO ${SCHEMA}.entry VALUES ($1, $2, $3, $4, $5, $6)`, [
        id,
        seq + 1,
        round,
        request,
        hash,
        JSON.stringify(answer),
      ]);
      seq += 1;
    },
    keep: (text) => keepCheckpoint(url, pool, text),
    keepRound: async (record) => {
      await asked(
        url,
        client,
        `INSERT INTO ${SCHEMA}.round VALUES ($1, $2, $3)
         ON CONFLICT (run, round) DO UPDATE SET record = excluded.record`,
        [id, record.round, JSON.stringify(record)],
      );
    },
    keepSummary: async (text) => {
      const { rows } = await asked(
        url,
        client,
        `UPDATE ${SCHEMA}.run SET summary = coalesce(summary, $2) WHERE id = $1 RETURNING summary`,
        [id, text],
      );
      if (rows[0]?.summary !== text)
        throw new CollapseAwareError(
          'CA_RUN_DIVERGED',
          'the run ended otherwise than the summary that is there',
          {
            place: { file: view.place },
            todo: 'Keep both: fork the run at its last round. The program was changed in between.',
          },
        );
    },
    close: async () => {
      await client.end().catch(() => {});
      await pool.end();
    },
  };
}
