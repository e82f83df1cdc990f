import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { requirement } from '../../require.ts';
import type { FakeRequest, FakeScript } from '../fake-upstream.ts';
import { CLIENT_KEY, type Served, serveGateway } from './serve-gateway.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const VENV = join(ROOT, '.venv/bin/python');
const PYTHON = process.env.CA_PYTHON ?? (existsSync(VENV) ? VENV : 'python3');
const found = spawnSync(PYTHON, [
  '-c',
  'from importlib.util import find_spec as f\nfor n in "openai jiter distro litellm".split(): assert f(n), n',
]);
const ready = requirement(
  'Python with openai and litellm',
  found.status === 0,
  'python3 -m venv .venv && .venv/bin/pip install --no-deps -r test/python/requirements.txt, or name one with CA_PYTHON',
);

const open: Served[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Does as the last message says: CALL a tool, be BUSY for ever or ONCE, BREAK off. */
function obliging(): FakeScript {
  let busy = true;
  return ({ body }: FakeRequest) => {
    const messages = body.messages as { content?: string }[];
    const last = messages.at(-1)?.content ?? '';
    if (last.includes('CALL')) return { toolCalls: [{ name: 'toggle', arguments: '{"on":true,"to":"é"}' }] };
    if (last.includes('BUSY')) return { status: 429, retryAfter: '0' };
    if (last.includes('BREAK')) return { text: 'One two three four.', fault: 'reset-mid', after: 2 };
    if (last.includes('ONCE') && busy) {
      busy = false;
      return { status: 503, retryAfter: '0' };
    }
    return { text: `A reply to ${messages.length} messages.` };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what a script printed
async function python(script: string): Promise<any> {
  const gateway = await serveGateway(obliging());
  open.push(gateway);
  const { stdout } = await promisify(execFile)(
    PYTHON,
    ['-B', join(import.meta.dirname, script), `${gateway.url}/v1`, CLIENT_KEY],
    { maxBuffer: 1 << 26 },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

describe.skipIf(!ready)('clients in Python', { timeout: 120_000 }, () => {
  it('openai: replies, streams, tools, headers, and errors of its own kinds', async () => {
    const out = await python('openai_sdk.py');
    expect(out.whole).toMatchObject({
      text: 'A reply to 2 messages.',
      turns: ['0', '1'],
      headers: { 'x-ca-simulator': 'plain', 'x-session-id': 'whole' },
    });
    expect(out.whole.request_id).toBe(out.whole.headers['x-request-id']);
    expect(out.whole.usage).toBeGreaterThan(0);
    expect(out.stream.text).toBe('A reply to 2 messages.');
    expect(out.stream.pieces).toBeGreaterThan(1);
    expect(out.stream.usage).toBeGreaterThan(0);
    expect(out.tools.reason).toBe('tool_calls');
    expect(out.tools.call.name).toBe('toggle');
    for (const text of [out.tools.call.arguments, out.tools.streamed])
      expect(JSON.parse(text)).toEqual({ on: true, to: 'é' });
    expect(out.models).toEqual(expect.arrayContaining(['population', 'panel/selection']));
    expect(out.errors).toMatchObject({
      model: { type: 'NotFoundError', status: 404, code: 'model_not_found', param: 'model' },
      n: { type: 'BadRequestError', status: 400, param: 'n' },
      key: { type: 'AuthenticationError', status: 401 },
      busy: { type: 'RateLimitError', status: 429 },
      broken: { type: 'APIError' },
    });
    expect(out.patient).toBe('A reply to 2 messages.');
  });

  it('litellm as tau2-bench calls it: sessions without ids, tool calls written anew, retries', async () => {
    const out = await python('litellm_calls.py');
    const [[session]] = out.turns;
    expect(out.turns).toEqual([
      [session, '0'],
      [session, '1'],
      [session, '2'],
    ]);
    const { A, B } = out.crossed as Record<'A' | 'B', string[]>;
    expect(new Set(A).size).toBe(1);
    expect(new Set(B).size).toBe(1);
    expect(new Set([session, A[0], B[0]]).size).toBe(3);
    expect(out.once).toBe('A reply to 2 messages.');
    expect(out.errors).toEqual({
      model: { type: 'NotFoundError', status: 404 },
      busy: { type: 'RateLimitError', status: 429 },
    });
  });
});
