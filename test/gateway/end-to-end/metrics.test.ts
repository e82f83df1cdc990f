import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type AuditReport, audit } from '../../../src/audit/index.ts';
import { auditOptions, withMeasureOptions } from '../../../src/cli/measure-options.ts';
import type { LooksView } from '../../../src/gateway/api/control.ts';
import type { LiveMetrics } from '../../../src/gateway/live/live.ts';
import { referenceDialogues } from '../../../src/lab/measure/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { decodeSpace } from '../../../src/space/index.ts';
import type { Trajectory } from '../../../src/trajectory/trajectory.ts';
import { recordsOf } from '../../data.ts';
import { batchOf, persuasion, rollOut, train } from './rollouts.ts';
import { type Stand, stand, until } from './stand.ts';

const folder = mkdtempSync(join(tmpdir(), 'ca-end-to-end-people-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let gateway: Stand | null = null;
afterEach(async () => {
  await gateway?.close();
  gateway = null;
});

/** Everything but what only floating point can tell apart. */
function same(found: unknown, expected: unknown, path = 'report'): void {
  if (typeof found === 'number' && typeof expected === 'number') {
    if (Math.abs(found - expected) > 1e-12 * Math.max(1, Math.abs(expected)))
      throw new Error(`${path}: ${found} is not ${expected}`);
    return;
  }
  if (typeof found === 'object' && found !== null && typeof expected === 'object' && expected !== null) {
    expect(Object.keys(found).sort(), path).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(found))
      same(value, (expected as Record<string, unknown>)[key], `${path}.${key}`);
    return;
  }
  expect(found, path).toEqual(expected);
}

/** As JSON has it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What the command `audit` measures with where nobody asks for anything. */
const DEFAULTS = auditOptions(withMeasureOptions(new Command()).parse([], { from: 'user' }).opts());

/** The gateway's figures are those of `audit` on what it exports, in any order, in the space that it gives out. */
async function equalsAudit(one: Stand, people: readonly Trajectory[] = []): Promise<LiveMetrics> {
  const { metrics, rows } = await until(async () => {
    // What has just been closed or amended is measured a moment later.
    const before = (await one.api('GET', '/api/metrics')).body as LiveMetrics;
    const rows = await one.trajectories('?of=window');
    const metrics = (await one.api('GET', '/api/metrics')).body as LiveMetrics;
    return metrics.window.sessions === rows.length && before.asOf === metrics.asOf ? { metrics, rows } : null;
  }, 'a window that is measured whole');
  const space = decodeSpace(String(JSON.stringify((await one.api('GET', '/api/space')).body)));
  const shuffled = seeded(rows.length).shuffle([...rows]);
  const { report } = await audit(
    {
      records: recordsOf(shuffled),
      ...(people.length === 0 ? {} : { people: recordsOf(people) }),
      space,
    },
    DEFAULTS,
  );
  const strip = ({ input, ...rest }: AuditReport) => ({ ...rest, input: { ...input, files: [] } });
  same(strip(metrics.report!), plain(strip(report)));
  return metrics;
}

describe('the figures of a running gateway', () => {
  it('are those of an audit of its window, late rewards, probes and a restart included', async () => {
    gateway = await stand({
      settings: {
        seed: 'metrics',
        live: { warmUp: 80, window: 2, epochs: { by: 'sessions', every: 96 } },
        probes: { share: 0.4, resamples: 6, yieldAbove: 1000, concurrency: 4 },
      },
    });
    expect(((await gateway.api('GET', '/api/metrics')).body as LiveMetrics).report).toBeNull();
    await train(gateway, batchOf('a', 24, 4));
    const first = await equalsAudit(gateway);
    expect(first.report!.simulators.length).toBeGreaterThan(2);
    expect(first.report!.health.consistency.value).not.toBeNull();
    expect(first.report!.epsilon.member.disagreement.value).not.toBeNull();
    await train(gateway, [...batchOf('b', 24, 4), ...batchOf('probe', 2, 4, { model: 'probe/population' })]);
    await train(gateway, [...batchOf('c', 15, 4), ...batchOf('panel', 12, 2, { model: 'panel/selection' })]);
    const third = await equalsAudit(gateway);
    expect(third.window.epochs).toEqual([0, 1, 2]);
    expect(third.window.sessions).toBe(276);
    expect(third.report!.matrix.map(({ split }) => split)).toContain('selection');

    // A reward that comes again, and one for a session whose figures were made long before.
    const rewards = [
      { session: 'c-0', reward: 0.25 },
      { session: 'b-7', reward: 0.5 },
    ];
    await gateway.api('POST', '/api/rewards', { rewards });
    await until(async () => {
      const { body } = await gateway!.api('GET', '/api/metrics');
      return (body as LiveMetrics).asOf! > third.asOf!;
    });
    const late = await equalsAudit(gateway);
    expect(late.report!.matrix).not.toEqual(third.report!.matrix);

    await gateway.restart();
    const restarted = await equalsAudit(gateway);
    same(restarted.report, late.report);
    expect(restarted.window).toEqual(late.window);
    await train(gateway, batchOf('d', 3, 4));
    await equalsAudit(gateway);
  });

  it('are those of an audit against the same people', async () => {
    const people = referenceDialogues(persuasion, { people: 240 });
    const file = join(folder, 'people.jsonl');
    writeFileSync(file, people.map((one) => `${JSON.stringify(one)}\n`).join(''));
    gateway = await stand({
      settings: {
        seed: 'people',
        live: { warmUp: 64, reference: [file], epochs: { by: 'sessions', every: 64 } },
      },
    });
    await train(gateway, batchOf('a', 25, 4));
    const { report } = await equalsAudit(gateway, people);
    expect(report!.reference).not.toBeNull();
    expect(report!.bdi.support.value).not.toBeNull();
    await gateway.restart();
    await equalsAudit(gateway, people);
  });

  it('leave out who is under way, orphans and nested sessions, and keep a client that is ahead', async () => {
    gateway = await stand({
      settings: { seed: 'ahead', live: { warmUp: 40, epochs: { by: 'sessions', every: 200 } } },
    });
    await train(gateway, batchOf('a', 12, 4));
    await train(gateway, batchOf('ahead', 2, 4, { headers: { 'x-ca-epoch': '7' } }));
    await gateway.chat({ model: 'population', messages: [{ role: 'user', content: 'Hello?' }] });
    await gateway.api('POST', '/api/sessions', { id: 'announced' });
    await gateway.api('POST', '/api/sessions', {
      id: 'nested',
      nested: { agentSeed: 'a', userSeed: 'b' },
    });
    await rollOut(gateway, { id: 'nested', context: 1 });
    const [one] = await gateway.trajectories();
    const trajectories = [
      { ...one!, id: 'elsewhere', epoch: null },
      { ...one!, id: 'elsewhere, ahead', epoch: 9, reward: 1 },
    ];
    expect((await gateway.api('POST', '/api/record', { trajectories })).body.accepted).toBe(2);
    const { window } = await equalsAudit(gateway);
    expect(window).toEqual({ epochs: [0], sessions: 58 });
    await gateway.restart();
    expect((await equalsAudit(gateway)).window).toEqual(window);
  });

  it('count equal dialogues once, and say how many there were', async () => {
    gateway = await stand({
      settings: { seed: 'equal', live: { warmUp: 40, epochs: { by: 'sessions', every: 200 } } },
    });
    await train(gateway, batchOf('a', 15, 4));
    const [one, two] = await gateway.trajectories();
    const trajectories = [
      { ...one!, id: 'again' },
      { ...one!, id: 'a third time' },
      { ...two!, id: 'once more' },
    ];
    expect((await gateway.api('POST', '/api/record', { trajectories })).body.accepted).toBe(3);
    const { report, window, training } = await equalsAudit(gateway);
    expect(window.sessions).toBe(63);
    expect(training!.n).toBe(63);
    const { kept, duplicates } = report!.input;
    expect({ kept, duplicates }).toEqual({ kept: 63, duplicates: 3 });
    expect(report!.simulators.reduce((sum, { n }) => sum + n, 0)).toBe(60);
  });

  it('tell of the training members what the last look saw, panels in the window or not', async () => {
    gateway = await stand({
      settings: { seed: 'tile', live: { warmUp: 64, window: 1, epochs: { by: 'sessions', every: 400 } } },
    });
    await train(gateway, batchOf('panel', 12, 2, { model: 'panel/selection' }));
    await train(gateway, batchOf('a', 100, 4));
    const [look] = await until(async () => {
      const { looks } = (await gateway!.api('GET', '/api/looks')).body as LooksView;
      return looks.length > 0 ? looks : null;
    }, 'a look');
    const { training, report, window } = await equalsAudit(gateway);
    expect(window).toEqual({ epochs: [0], sessions: 424 });
    expect(training).toMatchObject({ n: 400, scd2: plain(look!.scd2), scd: plain(look!.scd) });
    expect(report!.scd.pooled2.n).toBeGreaterThan(training!.scd2.n);
    expect(Number.isInteger(look!.at)).toBe(true);
  });
});
