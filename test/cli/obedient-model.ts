import { seeded } from '../../src/math/random.ts';
import { json, type Seen, type Served, serve } from '../endpoint/server.ts';

const WORDS =
  'people money time kids work house food school plan week thing story place reason idea road'.split(' ');

/** Chance of something, by what the description in a system prompt says of it. */
function chance(system: string, what: string, usual: number): number {
  if (new RegExp(`${what} in (nearly every|most)`).test(system)) return 0.9;
  if (new RegExp(`${what} in about half`).test(system)) return 0.5;
  if (new RegExp(`(almost never|rarely) ${what}`).test(system)) return 0.03;
  return usual;
}

/** Word salad that has what is described of a person: length, questions, objections, agreement, capitals, marks. */
export function obedientMessage(system: string, seed: string): string {
  const random = seeded(seed);
  const length = Number(/about (\d+) words/.exec(system)?.[1] ?? 14);
  const words = Math.max(1, Math.round(length * Math.exp(0.4 * (random.next() + random.next() - 1))));
  const said: string[] = [];
  if (random.next() < chance(system, 'refuse, object or doubt', 0.1)) said.push("i don't think so");
  if (random.next() < chance(system, 'agree or give in', 0.1)) said.push('yes i agree');
  while (said.join(' ').split(' ').length < words) said.push(WORDS[random.integer(WORDS.length)]!);
  const text = said.join(' ').split(' ').slice(0, words).join(' ');
  const end =
    random.next() < chance(system, 'ask something', 0.2) ? '?' : /leave out the last/.test(system) ? '' : '.';
  return `${/without a capital/.test(system) ? text[0] : text[0]!.toUpperCase()}${text.slice(1)}${end}`;
}

export interface ObedientModel extends Served {
  /** Requests for a message of a user. */
  readonly users: () => readonly Seen[];
}

/** Users by any model name but `policy`, which is the agent; candidates where they are asked for. */
export async function obedientModel(
  before: (seen: Seen, number: number) => Promise<number | undefined> | number | undefined = () => undefined,
): Promise<ObedientModel> {
  const server = await serve(async (seen, number, response) => {
    const status = await before(seen, number);
    if (status !== undefined) return json(response, status, { error: { message: `fault ${status}` } });
    const messages = seen.body.messages as { content: string }[];
    const text = JSON.stringify(messages);
    const system = messages[0]!.content;
    const count = Number(/exactly (\d+)/.exec(system)?.[1] ?? 0);
    const content =
      seen.body.model === 'policy'
        ? `Would you do it for the ${WORDS[text.length % WORDS.length]}?`
        : count === 0
          ? obedientMessage(system, text)
          : JSON.stringify({
              candidates: Array.from({ length: count }, (_, i) => ({
                text: obedientMessage(system, `${text}/${i}`),
                probability: 1 / count,
              })),
            });
    json(response, 200, {
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    });
  });
  return { ...server, users: () => server.seen.filter(({ body }) => body.model !== 'policy') };
}
