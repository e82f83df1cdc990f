import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CollapseAwareClient } from '../../../src/client/index.ts';
import type { EvolveReply } from '../../../src/gateway/api/control.ts';
import { type EvolvePage, evolveView } from '../../../src/report/index.ts';
import { HOSTILE } from '../../report/dialogues.ts';
import { sampleEvolve } from '../../report/evolve-fixture.ts';
import { ADMIN_KEY, CLIENT_KEY, type Stand, type StandOptions, stand } from './stand.ts';

const stands: Stand[] = [];
afterEach(async () => {
  for (const one of stands.splice(0)) await one.close();
});
const start = async (options: StandOptions = {}) => {
  const one = await stand(options);
  stands.push(one);
  return one;
};
const read = async (gateway: Stand) => (await gateway.api('GET', '/api/evolve')).body as EvolveReply;
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
/** The body with one thing of the run changed. */
const changed = (page: EvolvePage, change: (run: Record<string, unknown>) => void) => {
  const run = asJson(page.run) as Record<string, unknown>;
  change(run);
  return { run };
};

describe('the run of the loop at a gateway', () => {
  it('is none before one is sent, then the last one, over a restart too', async () => {
    const gateway = await start();
    expect(await read(gateway)).toEqual({ schema: expect.any(String), updatedAt: null, run: null });
    const soFar = sampleEvolve({ rounds: 3, underWay: true });
    expect((await gateway.api('PUT', '/api/evolve', soFar)).body).toEqual({
      rounds: 3,
      members: soFar.run.members.length,
    });
    expect((await read(gateway)).run).toEqual(asJson(evolveView(soFar)));
    const over = sampleEvolve();
    await gateway.api('PUT', '/api/evolve', over);
    await gateway.restart();
    const { run, updatedAt } = await read(gateway);
    expect(run).toEqual(asJson(evolveView(over)));
    expect(updatedAt).toBeGreaterThan(1.6e12);
    // Whoever has it already is not sent it again.
    const { body: same } = await gateway.api('GET', `/api/evolve?after=${updatedAt}`);
    expect(same).toEqual({ schema: expect.any(String), updatedAt });
    expect((await gateway.api('GET', `/api/evolve?after=${updatedAt! - 1}`)).body.run).toEqual(run);
  });

  it('is sent and read by the client in TypeScript', async () => {
    const gateway = await start();
    const client = new CollapseAwareClient({ baseUrl: gateway.url, adminKey: ADMIN_KEY });
    const { run, title } = sampleEvolve({ rounds: 2, underWay: true });
    expect(await client.showRun({ run, title })).toEqual({ rounds: 2, members: run.members.length });
    const { updatedAt, run: shown } = await client.shownRun();
    expect(shown?.title).toBe(title);
    expect(await client.shownRun(updatedAt!)).not.toHaveProperty('run');
  });

  it('needs no title, command or bars, and takes hostile texts as texts', async () => {
    const gateway = await start();
    const { run } = sampleEvolve({ rounds: 2, underWay: true });
    expect((await gateway.api('PUT', '/api/evolve', { run })).status).toBe(200);
    expect((await read(gateway)).run).toMatchObject({ title: 'run 1', command: null, finished: false });
    const hostile = sampleEvolve({ texts: HOSTILE });
    expect((await gateway.api('PUT', '/api/evolve', { run: hostile.run })).status).toBe(200);
    expect((await read(gateway)).run!.members).toHaveLength(hostile.run.members.length);
  });

  it('stands behind the admin key', async () => {
    const gateway = await start();
    for (const key of [null, CLIENT_KEY])
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', sampleEvolve({ rounds: 1 })],
      ] as const)
        expect((await gateway.raw(method, '/api/evolve', body, key)).status).toBe(401);
    expect((await gateway.raw('GET', '/api/evolve', undefined, ADMIN_KEY)).status).toBe(200);
  });

  it('is refused with the field at fault, and the one before stays', async () => {
    const gateway = await start();
    const page = sampleEvolve({ rounds: 2 });
    await gateway.api('PUT', '/api/evolve', page);
    const first = (run: Record<string, unknown>) =>
      (run.rounds as Record<string, Record<string, unknown>>[])[0]!;
    const broken: readonly (readonly [string, unknown])[] = [
      ['run', {}],
      ['run', { run: [] }],
      ['run.rounds', changed(page, (run) => delete run.rounds)],
      ['run.rounds[0].look.scd2', changed(page, (run) => Object.assign(first(run).look!, { scd2: null }))],
      [
        'run.rounds[0].look.bdi',
        changed(page, (run) =>
          Object.assign(first(run).look!, {
            bdi: { value: null, low: null, high: null, n: 0, method: 'none' },
          }),
        ),
      ],
      [
        'run.rounds[0].breaker.after',
        changed(page, (run) => Object.assign(first(run).breaker!, { after: 'blue' })),
      ],
      ['run', changed(page, (run) => delete run.final)],
      ['run', changed(page, (run) => Object.assign(run, { schema: 'collapse-aware/evolve@9' }))],
      // The schema cannot know every recipe; what cannot be shown is refused all the same.
      [
        'run',
        changed(page, (run) =>
          Object.assign((run.members as { member: object }[])[0]!.member, {
            recipe: { kind: 'interpolate' },
          }),
        ),
      ],
    ];
    for (const [param, body] of broken) {
      const { status, body: answer } = await gateway.raw('PUT', '/api/evolve', body);
      expect([status, answer.error.param], param).toEqual([400, param]);
    }
    expect((await read(gateway)).run).toEqual(asJson(evolveView(page)));
  });

  it('is refused where it is too large to be shown', async () => {
    const gateway = await start();
    const { run } = sampleEvolve({ rounds: 1, underWay: true });
    const notes = Array.from({ length: 20 }, () => 'x'.repeat(2 ** 20));
    const large = { ...run, rounds: [{ ...run.rounds[0]!, dataNotes: notes }] };
    const { status, body } = await gateway.raw('PUT', '/api/evolve', { run: large });
    expect([status, body.error.code]).toEqual([413, 'run_too_large']);
    // A body of 3 MB whose table of shares would have 9,000,000 places.
    const bare = { ...run.rounds[0]!, candidates: [], modes: [], population: [] };
    const rounds = Array.from({ length: 1500 }, (_, at) => ({ ...bare, round: at + 1 }));
    const population = Array.from({ length: 6000 }, (_, at) => ({ member: `m${at}`, share: 0 }));
    const wide = { ...run, rounds: [{ ...bare, population }, ...rounds.slice(1)] };
    const { status: second, body: answer } = await gateway.raw('PUT', '/api/evolve', { run: wide });
    expect([second, answer.error.code]).toEqual([413, 'run_too_large']);
    expect((await read(gateway)).run).toBeNull();
  });

  it('keeps the last of many that come at once', async () => {
    const gateway = await start();
    const pages = Array.from({ length: 8 }, (_, at) => ({
      ...sampleEvolve({ rounds: 1 }),
      title: `at ${at}`,
    }));
    await Promise.all(pages.map((page) => gateway.api('PUT', '/api/evolve', page)));
    const shown = (await read(gateway)).run!.title;
    const saved = JSON.parse(readFileSync(join(gateway.store, 'evolve.json'), 'utf8')) as EvolveReply;
    expect(saved.run!.title).toBe(shown);
  });

  it.each(['', '{"schema":"collapse-aware/gateway-evolve@1"', '{"schema":"another"}', 'null'])(
    'that is damaged on disk (%j) keeps no gateway from serving, and is not quoted in the log',
    async (text) => {
      const lines: string[] = [];
      const gateway = await start({ lines });
      writeFileSync(join(gateway.store, 'evolve.json'), `${text}`);
      await gateway.restart();
      expect((await read(gateway)).run).toBeNull();
      expect(lines.join('')).toMatch(/the run of the loop (cannot be read|is of another version)/);
      expect((await gateway.api('PUT', '/api/evolve', sampleEvolve({ rounds: 1 }))).status).toBe(200);
    },
  );
});
