import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drive, postgresRun, runStudy } from '../../src/loop/index.ts';
import { openClient } from '../../src/loop/postgres/pg.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';
import { EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';
import { holdsRuns } from './run-store-conformance.ts';

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  holdsRuns('in PostgreSQL', (name) => postgresRun(server.url, name));

  it('names a run as it is, whatever is in its name', async () => {
    const study = runStudy(exampleSettings(), EXAMPLE_STAGE);
    for (const name of ["'; DROP TABLE collapse_aware.run; --", 'a b/é', '\u2028']) {
      const store = await postgresRun(server.url, name).open(study);
      await store.close();
      const view = await postgresRun(server.url, name).view();
      expect(view.study).toEqual(study);
      await view.close();
    }
  });

  it('lets nobody append whose connection the server has cut: another may drive the run by then', async () => {
    const study = runStudy(exampleSettings(), EXAMPLE_STAGE);
    const store = await postgresRun(server.url, 'cut').open(study);
    const client = await openClient(server.url);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()`,
    );
    await client.end();
    const other = await postgresRun(server.url, 'cut').open(study);
    await expect(
      store.append({ round: 0, id: 'open', request: '', answer: { kind: 'gate', acknowledged: true } }),
    ).rejects.toMatchObject({ code: 'CA_STORE_FAILED' });
    await store.close();
    await other.close();
  });

  it('says that an answer or a round was changed', async () => {
    const study = runStudy(exampleSettings(), EXAMPLE_STAGE);
    const store = await postgresRun(server.url, 'changed').open(study);
    await drive(exampleProgram, store, examplePerformer());
    const client = await openClient(server.url);
    await client.query(`UPDATE collapse_aware.round SET record = '{' WHERE run = 'changed' AND round = 2`);
    await expect(store.rounds()).rejects.toMatchObject({ code: 'CA_FORMAT_INVALID' });
    await client.query(`UPDATE collapse_aware.entry SET answer = '{' WHERE run = 'changed' AND seq = 5`);
    await expect(drive(exampleProgram, store, examplePerformer())).rejects.toMatchObject({
      code: 'CA_FORMAT_INVALID',
    });
    await client.query(`DELETE FROM collapse_aware.entry WHERE run = 'changed' AND seq = 5`);
    await expect(drive(exampleProgram, store, examplePerformer())).rejects.toMatchObject({
      code: 'CA_RUN_DIVERGED',
    });
    await client.end();
    await store.close();
  });

  it('says that a database cannot be reached, without its password', async () => {
    const url = 'postgresql://somebody:secret@127.0.0.1:1/runs';
    const failed = await postgresRun(url, 'x')
      .view()
      .catch((error: unknown) => error as { line: string });
    expect(failed).toMatchObject({ code: 'CA_STORE_FAILED' });
    expect((failed as { line: string }).line).not.toContain('secret');
  });
});
