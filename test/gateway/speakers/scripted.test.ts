import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptedSpeaker } from '../../../src/gateway/speakers/scripted.ts';
import type { PastTurn, Said } from '../../../src/gateway/speakers/speaker.ts';
import type { ChatRequest, WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { playOverChat, STOP_TOKEN, type TalkMessage } from '../../../src/lab/hearing/index.ts';
import { worldOf as makeWorld, WORLD_IDS } from '../../../src/lab/worlds/index.ts';
import { seeded } from '../../../src/math/random.ts';
import { readMember } from '../../../src/population/index.ts';

const member = (family: string) => readMember({ id: family, family, recipe: { kind: 'scripted', family } });
const request = (messages: readonly WireMessage[], tools: readonly unknown[] | null = null): ChatRequest => ({
  model: 'population',
  messages,
  stream: false,
  includeUsage: false,
  seed: null,
  tools,
  user: null,
  metadata: null,
  body: {},
});
const signal = new AbortController().signal;

const worlds = new Map(WORLD_IDS.map((id) => [id as string, makeWorld(id)]));
const worldOf = (id: string) => worlds.get(id)!;

/** A session as the gateway keeps one. */
function session(
  family: string,
  worldId: string,
  seed: string,
  remembers = true,
  tools: readonly unknown[] | null = null,
) {
  const voice = scriptedSpeaker(member(family), worldOf(worldId)).open(seed);
  const past: PastTurn[] = [];
  const said: Said[] = [];
  let turn = 0;
  return {
    voice,
    past,
    said,
    async ask(messages: readonly WireMessage[]): Promise<string> {
      const random = seeded(`${seed}/${turn++}`);
      const reply = await voice.reply({
        request: request(messages, tools),
        past: remembers ? past : [],
        random,
        signal,
        probe: false,
      });
      if (reply.kind !== 'whole') throw new Error('a stream');
      said.push(reply.said);
      past.push({ text: reply.said.text ?? '', acts: reply.said.acts ?? [] });
      return reply.said.text ?? '';
    },
  };
}

const played = (family: string, worldId: string, number: number, remembers = true, showCalls = false) => {
  const own = session(family, worldId, `s${number}`, remembers);
  return playOverChat({
    ask: (messages: readonly TalkMessage[]) => own.ask(messages),
    world: worldOf(worldId),
    settingNumber: number,
    random: seeded(`agent ${number}`),
    showCalls,
  }).then((talk) => ({ talk, own }));
};

describe('a scripted user', () => {
  it.each(WORLD_IDS)('holds whole dialogues of %s to an end that it marks', async (worldId) => {
    let ended = 0;
    let rewarded = 0;
    for (let number = 0; number < 25; number++) {
      const { talk, own } = await played('alder', worldId, number, true, true);
      const last = talk.messages.at(-1)!;
      expect(last.role).toBe('assistant');
      if (last.content.endsWith(STOP_TOKEN)) ended += 1;
      if (talk.reward !== null) rewarded += 1;
      for (const { acts, finishReason, probability, text } of own.said) {
        expect(finishReason).toBe('stop');
        expect(text).not.toBe('');
        if (acts!.length > 0) expect(probability).toBeGreaterThan(0);
      }
    }
    if (process.env.SHOW) console.log(worldId, ended, rewarded);
    expect(ended).toBeGreaterThanOrEqual(24);
    expect(rewarded).toBeGreaterThanOrEqual(24);
  });

  it.each(['alder', 'people', 'alder-vs', 'somebody nobody named'])(
    'of %s goes on the same when its own acts are forgotten and heard back',
    async (family) => {
      for (let number = 0; number < 10; number++) {
        const known = await played(family, 'persuasion', number, true);
        const heard = await played(family, 'persuasion', number, false);
        expect(heard.talk.messages.length).toBe(known.talk.messages.length);
        expect(heard.own.said.map(({ acts }) => acts)).toEqual(known.own.said.map(({ acts }) => acts));
      }
    },
  );

  it('draws its acts by the law that lawAt gives', async () => {
    const world = worldOf('persuasion');
    const messages: WireMessage[] = [
      { role: 'system', content: world.setting(4, 0).scenario },
      { role: 'user', content: 'Hello, how are you today?' },
    ];
    const law = scriptedSpeaker(member('people'), world).open('x').lawAt(messages)!;
    expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    const voice = scriptedSpeaker(member('people'), world).open('x');
    const counts = new Float64Array(law.length);
    const n = 3000;
    for (let i = 0; i < n; i++) {
      const reply = await voice.reply({
        request: request(messages),
        past: [],
        random: seeded(`d${i}`),
        signal,
        probe: true,
      });
      const { said } = reply as { said: Said };
      const act = world.userActs.indexOf(said.acts![0]!);
      counts[act]! += 1;
      expect(said.probability).toBeCloseTo(law[act]!, 12);
    }
    for (let act = 0; act < law.length; act++) {
      const p = law[act]!;
      expect(Math.abs(counts[act]! / n - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n) + 1e-9);
    }
  });

  it('by Verbalized Sampling says what it could have said, and which of it it did', async () => {
    const { own } = await played('alder-vs', 'persuasion', 1);
    for (const said of own.said) {
      if (said.acts!.length === 0) continue;
      expect(said.probability).toBeUndefined();
      expect(said.candidates!.length).toBeGreaterThan(1);
      const sum = said.candidates!.reduce((total, { probability }) => total + probability!, 0);
      expect(sum).toBeCloseTo(1, 9);
      expect(said.text!.startsWith(said.candidates![said.drawn!]!.text)).toBe(true);
    }
    const messages: WireMessage[] = [{ role: 'user', content: 'Hi' }];
    expect(scriptedSpeaker(member('alder-vs'), worldOf('persuasion')).open('x').lawAt(messages)).toBeNull();
  });

  it('speaks first where the agent has not, and closes again where the dialogue was over', async () => {
    const own = session('alder', 'persuasion', 'first');
    const system: WireMessage = { role: 'system', content: worldOf('persuasion').setting(0, 0).scenario };
    expect(await own.ask([system])).not.toBe('');
    const closed = session('alder', 'persuasion', 'closed');
    const messages: WireMessage[] = [
      system,
      { role: 'user', content: 'Thank you for your time. What have you decided?' },
    ];
    const last = await closed.ask(messages);
    expect(last.endsWith(STOP_TOKEN)).toBe(true);
    messages.push({ role: 'assistant', content: last }, { role: 'user', content: 'Wonderful, goodbye!' });
    expect((await closed.ask(messages)).endsWith(STOP_TOKEN)).toBe(true);
    expect(closed.said[1]!.acts).toEqual([]);
  });

  it.each([true, false])(
    'calls a tool where the request has it, and says its words then (answers shown: %s)',
    async (shown) => {
      const world = worldOf('service');
      const tools = [{ type: 'function', function: { name: 'check_email' } }];
      let calls = 0;
      for (let number = 0; number < 30; number++) {
        const own = session('people', 'service', `tool ${number}`, true, tools);
        const { code } = world.setting(number, 0).slots as { code: string };
        const exchanges: WireMessage[][] = [];
        await playOverChat({
          ask: async (messages) => {
            // What the client keeps of earlier calls goes where it was.
            let at = 0;
            const sent = messages.flatMap((message): readonly WireMessage[] =>
              message.role === 'assistant' ? [...(shown ? (exchanges[at++] ?? []) : []), message] : [message],
            );
            const words = await own.ask(sent);
            const { toolCalls, finishReason, text, acts } = own.said.at(-1)!;
            exchanges.push([]);
            if (toolCalls.length === 0) return words;
            calls += 1;
            expect({ finishReason, text, acts }).toEqual({
              finishReason: 'tool_calls',
              text: null,
              acts: ['tool-done'],
            });
            const exchange: WireMessage[] = [
              { role: 'assistant', content: null, tool_calls: toolCalls },
              { role: 'tool', content: JSON.stringify({ code }), tool_call_id: toolCalls[0]!.id },
            ];
            exchanges[exchanges.length - 1] = exchange;
            const after = await own.ask([...sent, ...exchange]);
            expect(after).toContain(code);
            expect(own.said.at(-1)).toMatchObject({ toolCalls: [], acts: [] });
            return after;
          },
          world,
          settingNumber: number,
          random: seeded(`agent ${number}`),
          showCalls: true,
        }).then(({ messages }) => expect(messages.at(-1)!.content).toContain(STOP_TOKEN));
      }
      expect(calls).toBeGreaterThan(0);
    },
  );

  it.each(['service', 'pair-coding'])(
    'of %s answers nearly the same where it has to guess what the agent did',
    async (worldId) => {
      let apart = 0;
      let turns = 0;
      for (let number = 0; number < 20; number++) {
        const own = session('people', worldId, `guess ${number}`);
        await playOverChat({
          ask: async (messages) => {
            const seen = own.voice.lawAt(messages, own.past);
            const guessed = own.voice.lawAt(
              messages.map(({ role, content }) => ({ role, content })),
              own.past,
            );
            if (seen !== null && guessed !== null) {
              apart += seen.reduce((sum, p, act) => sum + Math.abs(p - guessed[act]!) / 2, 0);
              turns += 1;
            }
            return own.ask(messages);
          },
          world: worldOf(worldId),
          settingNumber: number,
          random: seeded(`guess ${number}`),
          showCalls: true,
        });
      }
      expect(turns).toBeGreaterThan(100);
      expect(apart / turns).toBeLessThan(0.05);
    },
  );

  it('answers whatever it is sent', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(
        '',
        'Guten Tag, möchten Sie spenden?',
        '你好，你想捐多少钱？',
        'How much would you like to give?',
        STOP_TOKEN,
        'a'.repeat(5000),
      ),
    );
    const message: fc.Arbitrary<WireMessage> = fc.oneof(
      fc.record({
        role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function'),
        content: fc.oneof(
          text,
          fc.constant(null),
          fc.array(fc.record({ type: fc.constantFrom('text', 'image_url'), text })),
        ),
      }) as fc.Arbitrary<WireMessage>,
      fc.record({
        role: fc.constantFrom('user', 'assistant'),
        content: fc.constant(null),
        tool_calls: fc.array(
          fc.record({
            id: text,
            type: fc.constant('function'),
            function: fc.record({
              name: fc.constantFrom('get_order', 'git_push', 'check_email', 'nothing'),
              arguments: fc.oneof(text, fc.constant('{}')),
            }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }) as fc.Arbitrary<WireMessage>,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...WORLD_IDS),
        fc.constantFrom('alder', 'people', 'birch-vs', '-vs', 'zed'),
        fc.array(message, { maxLength: 14 }),
        fc.array(
          fc.record({
            text,
            acts: fc.array(fc.constantFrom('leave', 'give-1', 'done', 'agree', 'nonsense')),
          }),
          { maxLength: 4 },
        ),
        async (worldId, family, messages, past) => {
          const voice = scriptedSpeaker(member(family), worldOf(worldId)).open('odd');
          const reply = await voice.reply({
            request: request(messages, [null, 3, { function: { name: 'check_email' } }]),
            past,
            random: seeded('odd'),
            signal,
            probe: false,
          });
          const { said } = reply as { said: Said };
          expect(said.text ?? said.toolCalls[0]?.function.name).toBeTruthy();
          const law = voice.lawAt(messages, past);
          if (law !== null) expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(WORLD_IDS)('of %s answers after 200 turns', async (worldId) => {
    const messages: WireMessage[] = Array.from({ length: 400 }, (_, i) =>
      i % 2 === 0
        ? { role: 'user', content: `What about number ${i}?` }
        : { role: 'assistant', content: 'I see.' },
    );
    const own = session('cedar', worldId, 'long');
    expect(await own.ask(messages.slice(0, 399))).toContain(STOP_TOKEN);
  });
});
