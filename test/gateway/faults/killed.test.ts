import { afterEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, fakeUpstream } from '../fake-upstream.ts';
import { type ChildGateway, isBuilt, settingsFolder, startChild, tidyChildren } from './child-gateway.ts';
import { UPSTREAM_KEY } from './stage.ts';

const open: { upstream: FakeUpstream; folder: string }[] = [];
afterEach(async () => {
  await tidyChildren(...open.map(({ folder }) => folder));
  for (const { upstream } of open.splice(0)) await upstream.close();
});

async function scene(script: Parameters<typeof fakeUpstream>[0], more = '') {
  const upstream = await fakeUpstream(script, { key: UPSTREAM_KEY });
  const { folder, file } = settingsFolder(upstream.url, more);
  open.push({ upstream, folder });
  return { upstream, file };
}

interface Dialogue {
  readonly name: string | null;
  readonly messages: { role: string; content: string }[];
  session: string | null;
  member: string | null;
  /** Replies that the client has in hand. */
  readonly told: string[];
}

/** One turn of a dialogue; false where the gateway is gone. */
async function speak(gateway: ChildGateway, one: Dialogue): Promise<boolean> {
  try {
    const came = await gateway.chat(
      { model: 'population', messages: one.messages },
      one.name === null ? {} : { 'x-session-id': one.name },
    );
    const body = (await came.json()) as { choices: { message: { content: string } }[] };
    expect(came.status).toBe(200);
    const session = came.headers.get('x-session-id');
    const member = came.headers.get('x-ca-simulator');
    // Once told, never another.
    expect([session, member]).toEqual([one.session ?? session, one.member ?? member]);
    expect(came.headers.get('x-ca-turn')).toBe(String(one.told.length));
    one.session = session;
    one.member = member;
    const text = body.choices[0]!.message.content;
    one.told.push(text);
    one.messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: `And ${one.told.length}?` },
    );
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function exported(gateway: ChildGateway): Promise<Map<string, { turns: string[]; member: string }>> {
  const text = await (await gateway.api('/api/trajectories?of=all')).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const { id, turns, simulator } = JSON.parse(line);
      const said = turns.filter(({ role }: { role: string }) => role === 'user');
      return [id, { turns: said.map(({ text }: { text: string }) => text), member: simulator.id }];
    }),
  );
}

describe.skipIf(!isBuilt)('a gateway process (of the built command: npm run build)', () => {
  it('that is killed under load has every reply that a client got, and goes on with the same people', async () => {
    const { file } = await scene((_, number) => ({ text: `Reply ${number} of all.`, latencyMs: number % 7 }));
    let gateway = await startChild(file);
    expect(gateway.url).not.toBe('');
    const set = await gateway.api('/api/breaker', { level: 'yellow', by: 'me', reason: 'a test' });
    expect(set.status).toBe(200);
    const dialogues = Array.from(
      { length: 24 },
      (_, at): Dialogue => ({
        name: at % 2 === 0 ? `named-${at}` : null,
        messages: [
          { role: 'system', content: `You are customer ${at}.` },
          { role: 'user', content: 'Hello.' },
        ],
        session: null,
        member: null,
        told: [],
      }),
    );
    for (const least of [100, 250]) {
      const killed = gateway;
      await Promise.all(
        dialogues.map(async (one) => {
          while (await speak(killed, one))
            if (dialogues.reduce((sum, { told }) => sum + told.length, 0) >= least)
              killed.process.kill('SIGKILL');
        }),
      );
      expect((await killed.ended)[1]).toBe('SIGKILL');
      gateway = await startChild(file);
      const found = await exported(gateway);
      for (const { session, member, told } of dialogues) {
        if (session === null) continue;
        const kept = found.get(session)!;
        expect(kept.member).toBe(member);
        // At most one more, whose bytes were on the way.
        expect(kept.turns.slice(0, told.length)).toEqual(told);
        expect(kept.turns.length - told.length).toBeLessThanOrEqual(1);
      }
      const gate = (await (await gateway.api('/api/gate')).json()) as { level: string };
      expect(gate.level).toBe('yellow');
    }
    for (const one of dialogues) expect(await speak(gateway, one)).toBe(true);
    expect(new Set(dialogues.map(({ member }) => member))).toEqual(new Set(['plain', 'other']));
    const found = await exported(gateway);
    for (const { session, told } of dialogues) expect(found.get(session!)!.turns).toEqual(told);
    expect(found.size).toBe(dialogues.length);
  });
});
