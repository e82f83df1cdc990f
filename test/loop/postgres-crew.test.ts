import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Crew,
  drive,
  joinCrew,
  type Performer,
  postgresRun,
  runDirectory,
  runStudy,
} from '../../src/loop/index.ts';
import { openClient } from '../../src/loop/postgres/pg.ts';
import { seeded } from '../../src/math/random.ts';
import { compiled } from '../store/compiled.ts';
import { performsRuns } from './performing-conformance.ts';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres-server.ts';
import { EXAMPLE_STAGE, examplePerformer, exampleProgram, exampleSettings } from './run-example.ts';

describe.skipIf(!hasPostgres)('a crew at a database', { timeout: 240_000 }, () => {
  const base = mkdtempSync(join(tmpdir(), 'ca-crew-'));
  const children = new Set<ChildProcess>();
  let server: PostgresServer;
  let program: Awaited<ReturnType<typeof compiled>>;
  beforeAll(async () => {
    [server, program] = await Promise.all([
      startPostgres(),
      compiled(join(import.meta.dirname, 'crew-member.ts')),
    ]);
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });
  afterAll(async () => {
    await server?.stop();
    for (const path of [base, program?.folder]) rmSync(path!, { recursive: true, force: true });
  });

  /** What a folder comes to, with the same settings. */
  const wholeOf = async (rounds: number): Promise<string> => {
    const store = await runDirectory(join(base, `whole-${rounds}`)).open(
      runStudy(exampleSettings(1, rounds), EXAMPLE_STAGE),
    );
    const end = await drive(exampleProgram, store, examplePerformer());
    await store.close();
    return end.kind === 'done' ? end.summary : '';
  };
  const summaryOf = async (run: string): Promise<string | null> => {
    const view = await postgresRun(server.url, run).view();
    const summary = await view.summary();
    await view.close();
    return summary;
  };
  const member = (...args: readonly (string | number)[]) => {
    const child = spawn(process.execPath, [program.file, server.url, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    const lines: string[] = [];
    let rest = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const parts = `${rest}${chunk.toString()}`.split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
    });
    const says = async (what: RegExp | string) => {
      while (!lines.some((line) => (typeof what === 'string' ? line === what : what.test(line)))) {
        if (child.exitCode !== null) throw new Error(`ended without "${what}": ${lines.join(', ')}`);
        await pass(10);
      }
    };
    return { child, lines, says, left: once(child, 'close') };
  };
  const here = async <T>(
    performer: Performer,
    use: (crew: Crew) => Promise<T>,
    performs = true,
  ): Promise<T> => {
    const crew = await joinCrew({
      url: server.url,
      program: exampleProgram,
      make: () => performer,
      performs,
    });
    try {
      return await use(crew);
    } finally {
      await crew.leave();
    }
  };
  const begin = async (run: string, rounds = 3) =>
    (await postgresRun(server.url, run).open(runStudy(exampleSettings(1, rounds), EXAMPLE_STAGE))).close();

  performsRuns(
    'by a crew',
    () => mkdtempSync(join(base, 'folder-')),
    (run) => postgresRun(server.url, run),
    async (performer) => {
      const crew = await joinCrew({
        url: server.url,
        program: exampleProgram,
        make: () => performer,
        performs: true,
      });
      return { lead: (run) => crew.lead(run, null), leave: crew.leave };
    },
  );

  it('keeps the answers of parts no longer than they are needed', async () => {
    await begin('parts');
    await here(examplePerformer(), (crew) => crew.lead('parts', null));
    const client = await openClient(server.url);
    const parts = await client.query(`SELECT 1 FROM collapse_aware.part WHERE run = 'parts'`);
    expect(parts.rowCount).toBe(0);
    await client.end();
  });

  it('is joined once by a process', async () => {
    await here(examplePerformer(), async () => {
      await expect(here(examplePerformer(), async () => {})).rejects.toMatchObject({ code: 'CA_USAGE' });
    });
  });

  it('leads no run under the name of another', async () => {
    await begin('taken');
    await here(examplePerformer(), (crew) =>
      expect(crew.lead('taken', runStudy(exampleSettings(2), EXAMPLE_STAGE))).rejects.toMatchObject({
        code: 'CA_CONFIG_INVALID',
      }),
    );
  });

  it('shares the members of a probe among its processes', async () => {
    const workers = [member(30), member(30), member(30)];
    await Promise.all(workers.map(({ says }) => says('joined')));
    await begin('shared', 4);
    await here(examplePerformer(), (crew) => crew.lead('shared', null), false);
    expect(await summaryOf('shared')).toBe(await wholeOf(4));
    const asked = workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('performs')));
    expect(new Set(asked).size).toBe(asked.length);
    expect(workers.filter(({ lines }) => lines.length > 1).length).toBeGreaterThan(1);
  });

  it('gives what a killed worker was at to another', async () => {
    const [first, second] = [member(60_000), member(0)];
    await Promise.all([first.says('joined'), second.says('joined')]);
    const lead = member(-1, 'orphaned', 3);
    await first.says(/^performs/);
    first.child.kill('SIGKILL');
    await lead.left;
    expect(lead.lines.at(-1)).toBe('done');
    expect(await summaryOf('orphaned')).toBe(await wholeOf(3));
  });

  it('has a run led on elsewhere when its driver is killed, and when it leaves', async () => {
    const others = [member(20), member(20)];
    await Promise.all(others.map(({ says }) => says('joined')));
    const lead = member(20, 'led', 5);
    await lead.says(/^performs/);
    await others[0]!.says(/^performs 2/);
    lead.child.kill('SIGKILL');
    while ((await summaryOf('led')) === null) await pass(200);
    expect(await summaryOf('led')).toBe(await wholeOf(5));
    for (const { child } of others) child.kill('SIGTERM');
    for (const { left } of others) expect((await left)[0]).toBe(0);
  });

  it('ends in the same bytes whoever is killed, whenever', async () => {
    const random = seeded('kills of a crew');
    await begin('killed', 6);
    let crew = [member(15, 'killed', 6), member(15), member(15)];
    for (let kills = 0; kills < 10 && (await summaryOf('killed')) === null; kills++) {
      await pass(200 + random.integer(900));
      const at = random.integer(crew.length);
      crew[at]!.child.kill('SIGKILL');
      crew = crew.map((one, index) =>
        index === at ? member(15, ...(kills % 3 === 0 ? ['killed', 6] : [])) : one,
      );
    }
    const last = member(0, 'killed', 6);
    await last.left;
    expect(last.lines.at(-1)).toBe('done');
    expect(await summaryOf('killed')).toBe(await wholeOf(6));
  });

  it('loses nothing to a restart of the server: the run is resumed to the same bytes', async () => {
    await begin('restart');
    let restarted: Promise<void> | null = null;
    const performer = examplePerformer({
      asked: ({ id }) => {
        if (id === '2/each/b') restarted ??= server.restart();
        return restarted;
      },
    });
    await here(performer, async (crew) => {
      const first = await crew.lead('restart', null).catch((error: unknown) => error);
      if (first instanceof Error) expect(first).toMatchObject({ code: 'CA_STORE_FAILED' });
      expect(await crew.lead('restart', null)).toEqual({ kind: 'done', summary: await wholeOf(3) });
    });
  });
});
