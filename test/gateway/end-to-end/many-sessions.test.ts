import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LiveMetrics } from '../../../src/gateway/live/live.ts';
import { openRecorder } from '../../../src/gateway/recorder/recorder.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { scenarioOf } from '../../../src/gateway/sessions/scenario.ts';
import { openJournal } from '../../../src/store/index.ts';
import { type Stand, stand, until } from './stand.ts';

const SESSIONS = 10_000;
const TURNS = 3;
const OPEN = 20;
/** Sessions of an epoch, as the gateway counts by default. */
const EVERY = 128;
const AT = 1_767_225_600_000;

let gateway: Stand;

/** A session on record, with words of one of eight ways to be a user. */
function recordsOf(number: number): JournalRecord[] {
  const id = `many-${number}`;
  const member = ['alder', 'birch', 'cedar'][number % 3]!;
  const way = (number * 7) % 8;
  const at = AT + 10 * number;
  const epoch = Math.floor(number / EVERY);
  const begins: JournalRecord[] =
    number > 0 && number % EVERY === 0
      ? [{ kind: 'epoch', at, session: null, epoch, policy: null, run: null }]
      : [];
  const records: JournalRecord[] = [
    ...begins,
    {
      kind: 'open',
      at,
      session: id,
      facts: {
        id,
        bound: 'header',
        model: 'population',
        simulator: {
          id: member,
          kind: 'scripted',
          person: null,
          model: null,
          recipe: 'scripted',
          fingerprint: `${member}-fingerprint`,
        },
        split: 'seen',
        group: `g-${number >> 2}`,
        epoch,
        run: null,
        policy: { id: 'agent', checkpoint: null },
        contextLabel: `task-${(number >> 2) % 32}`,
        benchmark: null,
        domain: null,
        nested: null,
        seed: id,
      },
    },
  ];
  for (let turn = 0; turn < TURNS; turn++)
    records.push({
      kind: 'exchange',
      at: at + turn,
      session: id,
      turn,
      messages: [
        ...(turn === 0
          ? [{ role: 'system' as const, content: `Task ${(number >> 2) % 32}: give to charity.` }]
          : []),
        { role: 'user', content: `Would you give ${turn} dollars? (${number})` },
      ],
      asked: `${id}/${turn}`,
      said: {
        text: [
          'Yes.',
          'No, I will not, I refuse.',
          'Why? How so, and when?',
          'Thank you so much, that is kind, please go on.',
          'I have told you all about my family and our house, and the long way here, for it matters to me.',
          `My number is ${number}, order ${number * 3}, paid 12.50.`,
          'Sorry, I meant something else. Sorry again.',
          'Hmm. Maybe.',
        ][way]!,
        toolCalls: [],
        finishReason: 'stop',
        answeredBy: { id: member, fingerprint: `${member}-fingerprint`, model: null },
        fallback: null,
        attempts: 0,
        upstreamMs: 0,
        usage: { promptTokens: null, completionTokens: null },
      },
      overheadMs: 0,
    });
  if (number < SESSIONS - OPEN)
    records.push(
      { kind: 'reward', at: at + 4, session: id, reward: (number % 5) / 4, outcome: null },
      { kind: 'close', at: at + 5, session: id, termination: 'rewarded' },
    );
  return records;
}

beforeAll(async () => {
  const store = mkdtempSync(join(tmpdir(), 'ca-end-to-end-many-'));
  const journal = await openJournal({
    path: join(store, 'journal.db'),
    durability: 'process',
    maxBytes: null,
  });
  const recorder = await openRecorder({
    journal,
    retention: { keepSessions: null, keepDays: null },
    pricesOf: () => null,
    clock: () => AT,
    scenarioOf: (prompt) => scenarioOf(prompt, null),
  });
  for (let from = 0; from < SESSIONS; from += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, at) => recordsOf(from + at))
        .flat()
        .map((record) => recorder.append(record)),
    );
  await recorder.close();
  gateway = await stand({ store, settings: { seed: 'many' } });
});
afterAll(() => gateway.close());

it('starts on ten thousand sessions, ready, and pages through all of them', async () => {
  expect((await gateway.raw('GET', '/readyz', undefined, null)).status).toBe(200);
  const { body: status } = await gateway.api('GET', '/api/status');
  expect(status.sessions).toEqual({ open: OPEN, closed: SESSIONS - OPEN, orphans: 0 });
  const seen = new Set<string>();
  for (let after: string | null = null; ; ) {
    const { body }: { body: { sessions: { id: string }[]; next: string | null; total: number } } =
      await gateway.api('GET', `/api/sessions?limit=1000${after === null ? '' : `&after=${after}`}`);
    expect(body.total).toBe(SESSIONS);
    for (const { id } of body.sessions) seen.add(id);
    after = body.next;
    if (after === null) break;
  }
  expect(seen.size).toBe(SESSIONS);
  expect((await gateway.api('GET', '/api/sessions?text=many-99&limit=1')).body.total).toBe(111);
});

it('has the figures of its last epoch, equal in number to what it exports', async () => {
  const metrics = await until(async () => {
    const { body } = await gateway.api('GET', '/api/metrics');
    return (body as LiveMetrics).report === null ? null : (body as LiveMetrics);
  }, 'figures');
  expect(metrics.window.epochs).toEqual([77]);
  expect(metrics.window.sessions).toBe(SESSIONS - OPEN - 77 * EVERY);
  const rows = await gateway.trajectories('?of=window');
  expect(rows).toHaveLength(metrics.window.sessions);
});
