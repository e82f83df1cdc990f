import { afterEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/gateway/settings/read-settings.ts';
import { GATEWAY_SCHEMA } from '../../../src/gateway/settings/settings.ts';
import { ask, CLIENT_KEY, errorOf, stageOf, tidyStages } from '../faults/stage.ts';

afterEach(tidyStages);

type Json = Readonly<Record<string, unknown>>;

describe('a member', () => {
  it.each(['constructor', 'toString', '__proto__'])('may be a pool that is called %s', async (id) => {
    const pool = { id, family: 'fir', model: 'first', upstream: 'fake', recipe: { kind: 'pool', size: 2 } };
    const settings = { population: { members: [pool], seen: [id] } };
    const stage = await stageOf({}, { settings });
    expect((await stage.chat()).status).toBe(200);
    const push = (checkpoint: string) => ({ checkpoint, by: 'the trainer' });
    await stage.api(`/api/population/${id}/checkpoints`, push('second'));
    await stage.close(true);
    const again = await stageOf({}, { settings, store: stage.store, before: stage.upstream });
    expect(await (await again.api(`/api/population/${id}/checkpoints`, push('third'))).json()).toEqual({
      checkpoints: ['second', 'third'],
    });
  });

  it('has no half character in its name: no header could hold it', () => {
    const member = { id: 'a\ud800', family: 'birch', recipe: { kind: 'scripted' } };
    const population = { members: [member], seen: ['a\ud800'] };
    expect(() => readSettings({ schema: GATEWAY_SCHEMA, population })).toThrow(/members\[0\]\.id/);
  });
});

describe('a message', () => {
  const messages = (more: Json) => ({ ...ask(''), messages: [{ role: 'user', content: 'Hello.', ...more }] });

  it.each([5, true, [], ['aaaaaaaa'], [1, 2, 3, 4, 5, 6, 7, 8], { length: 1 }, { length: 3e9 }])(
    'has no name that is %j',
    async (name) => {
      const stage = await stageOf();
      const { status, error } = await errorOf(stage.chat(messages({ name })));
      expect([status, error.message]).toEqual([400, 'messages[0]: has a name that is no text']);
      expect(stage.upstream.requests).toEqual([]);
    },
  );

  it('with a part whose text is none is answered, and the part named on record', async () => {
    const stage = await stageOf();
    for (const text of [5, null, {}, { toString: 1 }, ['x']]) {
      const response = await stage.chat(
        messages({ content: [{ type: 'text', text }, { type: 'image_url' }] }),
      );
      expect(response.status).toBe(200);
      const [first] = await stage.turns(response.headers.get('x-session-id')!);
      expect(first).toBe('[text]\n[image_url]');
    }
  });
});

describe('a session that is opened beforehand', () => {
  it.each(['.', '..'])('is not called %s: its base URL would lead elsewhere', async (id) => {
    const stage = await stageOf();
    const { status, error } = await errorOf(stage.api('/api/sessions', { id }));
    expect([status, error.code]).toEqual([400, 'invalid_session_id']);
  });

  it.each(['...', '%2e', '%00', 'a/b?c#d', 'x~2', '__proto__', '文'.repeat(200), '😀'])(
    'may be called %s, and is spoken in under its base URL',
    async (id) => {
      const stage = await stageOf();
      const opened = (await (await stage.api('/api/sessions', { id })).json()) as { baseUrl: string };
      const response = await fetch(`${opened.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${CLIENT_KEY}` },
        body: JSON.stringify(ask('Hello.')),
      });
      expect(response.status).toBe(200);
      const view = await stage.api(`/api/sessions/${encodeURIComponent(id)}`);
      expect(await view.json()).toMatchObject({ id, turns: 1 });
    },
  );
});
