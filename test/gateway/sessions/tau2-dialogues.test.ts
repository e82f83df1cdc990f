import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Spoken } from '../../../src/gateway/sessions/session.ts';
import { sessionIds } from '../../../src/gateway/sessions/session-id.ts';
import { SessionTable } from '../../../src/gateway/sessions/session-table.ts';
import type { WireMessage } from '../../../src/gateway/wire/chat-request.ts';
import { type Random, seeded } from '../../../src/math/random.ts';
import { DATA, hasData } from '../../data.ts';
import { agent, type Dialogue, dialogue, GREETING, play, Records, type Trouble } from './dialogue.ts';

const NO_TROUBLE: Trouble = { failed: 0, hungUp: 0, timedOut: 0, lost: 0, drawn: 1 };
/** litellm tries again by itself and does not say so; a hung-up attempt is seen as one. */
const LITELLM: Trouble = { ...NO_TROUBLE, failed: 0.15, hungUp: 0.1 };
const OPENAI: Trouble = { ...LITELLM, timedOut: 0.1 };

const prompt = (task: number) =>
  `# User Simulation Guidelines\nYou are a customer.\n\n<scenario>\nDomain: telecom\ntask ${task}\n</scenario>`;

const table = (seed: number) =>
  new SessionTable({
    retryMs: 1e7,
    idleMs: 1e9,
    turns: 100,
    sessions: 300,
    newId: sessionIds(seeded(seed)),
  });

/** At temperature 0 equal histories get equal replies; calls have ids of their own even then. */
function simulator(drawn: number) {
  let calls = 0;
  return (asked: { readonly messages: readonly WireMessage[] }, random: Random): Spoken => {
    const style = random.next() < drawn ? random.integer(3) : asked.messages.length % 3;
    if (style < 2) return { text: `reply of kind ${style}`, toolCalls: [] };
    const toolCalls = ['check_status_bar', 'run_speed_test'].map((name) => ({
      id: `call_${calls++}`,
      type: 'function' as const,
      function: { name, arguments: '{"verbose":true}' },
    }));
    return { text: null, toolCalls };
  };
}

function nextMessages(one: Dialogue, random: Random): WireMessage[] {
  const calls = one.history.at(-1)?.tool_calls ?? [];
  if (one.replies === 0) return [agent(GREETING)];
  if (calls.length === 0) return [agent(`Could you tell me more? (${random.integer(2)})`)];
  return calls.map(({ id }, at) => ({ role: 'tool' as const, content: `result ${at}`, tool_call_id: id }));
}

describe('200 dialogues of stock tau2-bench, 50 tasks by 4 trials, without an id', () => {
  for (const [name, trouble, sayTries, drawn] of [
    ['with replies that are drawn', NO_TROUBLE, false, 1],
    ['with replies that are equal for equal histories', NO_TROUBLE, false, 0],
    ['tried again by litellm', LITELLM, false, 0.5],
    ['tried again by an OpenAI client', OPENAI, true, 0.5],
  ] as const)
    it(`are 200 sessions, none mixed, ${name}`, () => {
      for (let seed = 0; seed < 5; seed++) {
        const records = new Records();
        const random = seeded(seed);
        const dialogues = Array.from({ length: 200 }, (_, at) =>
          dialogue(`${at}`, prompt(at % 50), 2 + random.integer(6)),
        );
        play(
          {
            table: table(seed),
            records,
            random,
            trouble,
            sayTries,
            asked: new Set(),
            now: 0,
            replyTo: simulator(drawn),
            say: nextMessages,
          },
          dialogues,
        );
        expect(records.sessions.size).toBe(200);
        expect(records.histories().sort()).toEqual(
          dialogues.map(({ history }) => JSON.stringify(history)).sort(),
        );
      }
    });
});

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly requestor?: string;
  readonly id?: string;
  readonly tool_calls: readonly { id: string; name: string; arguments: unknown }[] | null;
}

describe.skipIf(!hasData('tau2'))(
  'published tau2-bench dialogues, played again by 5 trials each at once',
  () => {
    it('are one session each, tool calls of the user included', () => {
      const file = 'telecom__user-gpt-4.1__agent-gpt-4.1__40sims__e27af7e.json.gz';
      const { simulations } = JSON.parse(gunzipSync(readFileSync(join(DATA, 'tau2', file))).toString()) as {
        simulations: { task_id: string; messages: Message[] }[];
      };
      const scripts = simulations.map(({ task_id, messages }) => ({ prompt: task_id, ...script(messages) }));
      expect(scripts.some(({ replies }) => replies.some(({ toolCalls }) => toolCalls.length > 0))).toBe(true);
      const dialogues = [0, 1, 2, 3, 4].flatMap((trial) =>
        scripts.map((one, at) => dialogue(`${at}/${trial}`, one.prompt, one.replies.length)),
      );
      const byName = (name: string) => scripts[Number(name.split('/')[0])]!;
      const records = new Records();
      const asks = new Map<string, Spoken>();
      play(
        {
          table: table(1),
          records,
          random: seeded(1),
          trouble: LITELLM,
          sayTries: false,
          asked: new Set(),
          now: 0,
          say: (one) => {
            const { said, replies } = byName(one.name);
            const fresh = said[one.replies]!;
            asks.set(JSON.stringify([...one.history, ...fresh]), replies[one.replies]!);
            return fresh;
          },
          replyTo: ({ messages }) => asks.get(JSON.stringify(messages))!,
        },
        dialogues,
      );
      expect(records.sessions.size).toBe(dialogues.length);
      expect(records.histories().sort()).toEqual(
        dialogues.map(({ history }) => JSON.stringify(history)).sort(),
      );
    });
  },
);

/** What the simulated user is told before each of its turns, and what it said, as tau2-bench sends it. */
function script(messages: readonly Message[]): { said: WireMessage[][]; replies: Spoken[] } {
  const said: WireMessage[][] = [[]];
  const replies: Spoken[] = [];
  for (const { role, content, requestor, id, tool_calls: calls } of messages) {
    if (role === 'user') {
      const toolCalls = (calls ?? []).map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      }));
      replies.push({ text: content, toolCalls });
      said.push([]);
    } else if (role === 'assistant' && (calls ?? []).length === 0) said.at(-1)!.push(agent(content ?? ''));
    else if (role === 'tool' && requestor === 'user')
      said.at(-1)!.push({ role: 'tool', content: content ?? '', tool_call_id: id ?? '' });
  }
  return { said, replies };
}
