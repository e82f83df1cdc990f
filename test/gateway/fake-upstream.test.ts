import { afterEach, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from './fake-upstream.ts';

const open: FakeUpstream[] = [];
afterEach(() => Promise.all(open.splice(0).map((fake) => fake.close())));
const fake = async (...given: Parameters<typeof fakeUpstream>): Promise<FakeUpstream> => {
  const one = await fakeUpstream(...given);
  open.push(one);
  return one;
};
const ask = (at: FakeUpstream, body: object, init: RequestInit = {}) =>
  fetch(`${at.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }),
    ...init,
  });

it('answers as a chat completions server, whole and streamed', async () => {
  const at = await fake({ text: 'one two three' });
  const whole = (await (await ask(at, { max_tokens: 2 })).json()) as {
    choices: { message: { content: string }; finish_reason: string }[];
  };
  expect(whole.choices[0]).toMatchObject({ message: { content: 'one two' }, finish_reason: 'length' });
  const text = await (await ask(at, { stream: true, stream_options: { include_usage: true } })).text();
  const events = text.split('\n\n').filter((event) => event !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(events.at(-2)!.slice(6))).toMatchObject({ choices: [], usage: { completion_tokens: 3 } });
  expect(at.requests.map(({ answered }) => answered)).toEqual([true, true]);
});

it('says as many candidates as a schema asks for, and sees a caller go', async () => {
  const at = await fake();
  const schema = { schema: { properties: { candidates: { type: 'array', minItems: 3 } } } };
  const reply = await ask(at, { response_format: { type: 'json_schema', json_schema: schema } });
  const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
  expect(JSON.parse(choices[0]!.message.content).candidates).toHaveLength(3);
  at.answer({ fault: 'hang' });
  const stop = new AbortController();
  const gone = ask(at, {}, { signal: stop.signal }).catch((error: Error) => error.name);
  await at.arrived(2);
  stop.abort();
  expect(await gone).toBe('AbortError');
  await at.arrived(1, 'cancelled');
});

it.each(['reset', 'reset-body', 'reset-mid'] as const)('cuts the socket by itself: %s', async (fault) => {
  const at = await fake({ fault });
  for (const stream of [true, false])
    await expect(ask(at, { stream }).then((reply) => reply.text())).rejects.toThrow();
  expect(at.cancelled()).toBe(0);
});
