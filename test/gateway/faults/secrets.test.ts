import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ADMIN_KEY, ask, CLIENT_KEY, type Stage, stageOf, tidyStages, UPSTREAM_KEY } from './stage.ts';

afterEach(tidyStages);

const filesUnder = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });

it('keys are in no reply, error, log line, count or byte of the store, even where an upstream repeats them', async () => {
  const stage = await stageOf(
    (request) => {
      const key = String(request.headers.authorization).replace('Bearer ', '');
      const words = (request.body.messages as { content: string }[]).at(-1)!.content;
      const message = `Incorrect API key provided: ${key}. See https://x.example/?key=${key}`;
      if (words === 'echo 400') return { status: 400, message };
      if (words === 'echo 401') return { status: 401, message };
      if (words === 'echo 429') return { status: 429, message };
      if (words === 'echo 500') return { status: 500, message };
      if (words === 'echo in 200') return { raw: [JSON.stringify({ error: { message, code: key } })] };
      if (words === 'echo garbage') return { raw: [`${key} and no JSON`] };
      if (words === 'echo in a stream')
        return { raw: ['data: {"choices":[]}\n\n', `data: ${JSON.stringify({ error: { message } })}\n\n`] };
      return { text: 'Fine.' };
    },
    { upstream: { tripAfter: 2 } },
  );
  const heard: string[] = [];
  const hear = async (response: Response) => {
    heard.push(JSON.stringify([...response.headers]), await response.text());
  };
  let session = '';
  for (const words of [
    'hello',
    'echo 400',
    'echo 401',
    'echo 429',
    'echo in 200',
    'echo garbage',
    'echo in a stream',
    'echo 500',
  ])
    for (const stream of [false, true]) await hear(await stage.chat(ask(words, { stream })));
  for (const key of ['wrong-key', ADMIN_KEY])
    await hear(await stage.chat(ask('hello'), { headers: { authorization: `Bearer ${key}` } }));
  await hear(await stage.chat({}, { body: '{"model":' }));
  const made = (await (await stage.api('/api/sessions', { id: 'with-a-key' })).json()) as { key: string };
  session = made.key;
  await hear(await stage.chat(ask('hello'), { headers: { authorization: `Bearer ${session}` } }));
  await readAll(stage, hear);
  await stage.close(true);
  for (const file of filesUnder(stage.store)) heard.push(readFileSync(file, 'latin1'));
  expect(stage.log.length).toBeGreaterThan(5);
  heard.push(...stage.log);
  for (const [name, secret] of Object.entries({ CLIENT_KEY, ADMIN_KEY, UPSTREAM_KEY, session })) {
    const at = heard.findIndex((text) => text.includes(secret));
    expect([name, at < 0 ? null : heard[at]!.slice(0, 300)]).toEqual([name, null]);
  }
  // Not left out, but made unreadable.
  expect(heard.join('')).toContain('***');
});

async function readAll(stage: Stage, hear: (response: Response) => Promise<void>): Promise<void> {
  const { sessions } = (await (await stage.api('/api/sessions')).json()) as { sessions: { id: string }[] };
  expect(sessions.length).toBeGreaterThan(0);
  for (const path of [
    '/metrics',
    '/healthz',
    '/readyz',
    '/',
    '/api/status',
    '/api/population',
    '/api/sessions',
    ...sessions.map(({ id }) => `/api/sessions/${id}`),
    '/api/trajectories?of=all',
    '/api/metrics',
    '/api/looks',
    '/api/map',
    '/api/evolve',
    '/api/gate',
    '/api/openapi.json',
    '/api/people/questions',
    '/v1/models',
    '/nowhere',
  ])
    await hear(await stage.api(path));
}
