import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openJudge } from '../../src/curator/judge.ts';
import { Drought, type RowEnd } from '../../src/curator/judge-drought.ts';
import { CollapseAwareError } from '../../src/errors.ts';
import { json, said, serve } from '../endpoint/server.ts';
import { judged } from './judge-episode.ts';

const root = mkdtempSync(join(tmpdir(), 'ca-drought-'));
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close().catch(() => {});
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let counter = 0;
const place = () => join(root, `case-${counter++}`);
const rows = (n: number) => Array.from({ length: n }, (_, i) => judged([`u: row number ${i}.`]));
const USABLE = JSON.stringify({ answers: { 'out-of-role': { answer: 'no', evidence: '' } } });
const KEY = 'sk-very-secret-0123456789';

type Answer = Parameters<typeof serve>[0];
const saying =
  (text: string): Answer =>
  (_, __, response) =>
    json(response, 200, said(text));

/** A server, and judges of one cache at it. */
async function judges(answer: Answer, concurrency = 8) {
  const server = await serve(answer);
  open.push(server);
  const cacheDirectory = place();
  const next = () => {
    const judge = openJudge(
      {
        url: server.url,
        model: 'tiny',
        keyEnv: 'JUDGE_KEY',
        questions: ['out-of-role'],
        votes: 1,
        agree: 1,
      },
      {
        cacheDirectory,
        concurrency,
        environment: { JUDGE_KEY: KEY },
        backoff: { first: 1, most: 2, retries: 1 },
      },
    );
    open.push(judge);
    return judge;
  };
  return { server, next, cacheDirectory };
}
const faultOf = (work: Promise<unknown>): Promise<CollapseAwareError> =>
  work.then(
    () => {
      throw new Error('no fault');
    },
    (error) => error,
  );

describe('a judge that answers nothing usable', () => {
  it.each([
    ['{"answers":{}}', 'the last reply: {"answers":{}}'],
    ['<html><body>Welcome</body></html>', 'the last reply: <html>'],
    ['', 'the last reply: empty'],
    [`I am\n\u0007so sorry. ${'x'.repeat(5000)}`, 'the last reply: I am so sorry. xx'],
  ])('ends the run after 20 rows in a row, also from the cache: %j', async (text, quote) => {
    const { server, next, cacheDirectory } = await judges(saying(text));
    const first = await faultOf(next().vote(rows(40)));
    expect(first).toMatchObject({
      code: 'CA_ENDPOINT_REPLY',
      message: expect.stringContaining('no usable answer for 20 rows in a row'),
      todo: expect.stringContaining(join(cacheDirectory, 'judge')),
    });
    expect(first.message).toContain(quote);
    expect(first.message).toContain(server.url);
    expect(first.message.length).toBeLessThan(400);
    expect(first.line).not.toContain('\n');
    expect(server.seen).toHaveLength(2 * 20);
    expect((await faultOf(next().vote(rows(40)))).line).toBe(first.line);
    expect(server.seen).toHaveLength(2 * 20);
  });

  it('ends the run after the last row where there are fewer, and the key is not shown', async () => {
    const { server, next } = await judges(saying(`no ${KEY} for you`));
    const lines: string[] = [];
    for (const _ of [1, 2]) {
      const judge = next();
      expect(await judge.vote(rows(7))).toHaveLength(7);
      expect(judge.account()).toEqual({ model: 'tiny', rows: 7, votes: 7, invalid: 7, unchecked: 7 });
      const fault = await faultOf((async () => judge.finish())());
      expect(fault).toMatchObject({
        code: 'CA_ENDPOINT_REPLY',
        message: expect.stringContaining('for any of 7 rows; the last reply: no *** for you'),
      });
      lines.push(fault.line);
      expect(server.seen).toHaveLength(14);
    }
    expect(lines[1]).toBe(lines[0]);
    expect(lines[0]).not.toContain(KEY);
  });

  it('is told from one that is no API', async () => {
    const { next } = await judges((_, __, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html>Welcome</html>');
    });
    expect(await faultOf(next().vote(rows(25)))).toMatchObject({
      code: 'CA_ENDPOINT_REPLY',
      message: expect.stringMatching(/20 rows in a row.*not JSON: <html>/),
    });
  });

  it('does not end a run where one row in twenty is answered, whatever order replies come in', async () => {
    const { server, next } = await judges((seen, number, response) => {
      const at = Number(/row number (\d+)/.exec(JSON.stringify(seen.body))![1]);
      setTimeout(() => json(response, 200, said(at % 20 === 19 ? USABLE : 'hm')), (number * 7) % 5);
    });
    const all = rows(100);
    const judge = next();
    const votes = await judge.vote(all);
    judge.finish();
    expect(judge.account()).toMatchObject({ rows: 100, invalid: 95, unchecked: 95 });
    const calls = server.seen.length;
    expect(await next().vote(all)).toEqual(votes);
    expect(server.seen).toHaveLength(calls);
  });
});

describe('a judge that answers nothing', () => {
  it('ends the run after the last row where there are few', async () => {
    const { next } = await judges((_, __, response) => json(response, 500, 'out of memory'));
    const judge = next();
    expect(await judge.vote(rows(3))).toEqual(Array(3).fill('unchecked'));
    expect(judge.account()).toEqual({ model: 'tiny', rows: 3, votes: 0, invalid: 0, unchecked: 3 });
    expect(() => judge.finish()).toThrow(
      expect.objectContaining({
        code: 'CA_ENDPOINT_FAILED',
        message: expect.stringMatching(/for any of 3 rows; .*500: .*out of memory/),
      }),
    );
  });

  it('ends a run of nothing with nothing', async () => {
    const { next } = await judges(saying(USABLE));
    next().finish();
  });
});

describe('a count of rows without a vote', () => {
  const failed: RowEnd = { is: 'failed', error: new CollapseAwareError('CA_ENDPOINT_FAILED', 'down') };
  const unusable: RowEnd = { is: 'unusable', cached: false, said: 'hm' };
  const run = (ends: readonly RowEnd[]) => {
    const drought = new Drought('there', 'cache');
    for (const end of ends) {
      drought.note(end);
      drought.count(end);
    }
  };

  it('takes failures and unusable replies together, and names the last', () => {
    const mixed = [...Array(19)].map((_, at) => (at % 2 === 0 ? failed : unusable));
    run(mixed);
    expect(() => run([...mixed, failed])).toThrow(expect.objectContaining({ code: 'CA_ENDPOINT_FAILED' }));
    expect(() => run([...mixed, unusable])).toThrow(expect.objectContaining({ code: 'CA_ENDPOINT_REPLY' }));
  });

  it('is not interrupted by the cache where the endpoint fails, and is by any usable vote elsewhere', () => {
    const cached: RowEnd = { is: 'usable', cached: true };
    const between = (end: RowEnd) => Array(20).fill([end, cached]).flat() as RowEnd[];
    expect(() => run(between(failed))).toThrow(expect.objectContaining({ code: 'CA_ENDPOINT_FAILED' }));
    run(between(unusable));
  });
});
