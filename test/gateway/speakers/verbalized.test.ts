import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientTurn } from '../../../src/gateway/server/client-turn.ts';
import type { TokenSums } from '../../../src/gateway/speakers/token-sums.ts';
import { isRawJson } from '../../../src/gateway/speakers/verbalized-parse.ts';
import { ApiError } from '../../../src/gateway/wire/api-error.ts';
import type { FakeAnswer, FakeRequest } from '../fake-upstream.ts';
import { says, stage, turn } from './stage.ts';

const VS = { kind: 'verbalized', candidates: 3 };
const list = (...all: readonly [string, unknown][]) =>
  all.map(([text, probability]) => ({ text, probability }));
const THREE = list(['Yes.', 0.5], ['No.', 0.3], ['Maybe.', 0.2]);
const formatOf = ({ body }: FakeRequest) =>
  (body.response_format as { type: string } | undefined)?.type ?? 'none';
const textOf = (request: FakeRequest) => JSON.stringify(request.body.messages);
/** What is said when candidates are asked for, and when the turn is asked for directly. */
const model =
  (candidates: string, direct: FakeAnswer = { text: 'Said directly.' }) =>
  (request: FakeRequest): FakeAnswer =>
    textOf(request).includes('candidates') ? { text: candidates } : direct;
const TOOLS = [
  { type: 'function', function: { name: 'pay', parameters: { type: 'object', required: ['sum'] } } },
  { type: 'function', function: { name: 'leave' } },
];

describe('asking', () => {
  it('holds the server to exactly k items, behind the system prompt of the client', async () => {
    const at = await stage({ candidates: THREE });
    const speaker = at.speaker({ ...VS, tail: 0.1 });
    await says(
      speaker,
      turn({ stop: ['X'], logprobs: true, max_tokens: 50, own: 1, stream: true, top_p: 0.9 }),
    );
    const { body } = at.fake.requests[0]!;
    expect(body).toMatchObject({ own: 1, top_p: 0.9, max_tokens: 334, model: 'm' });
    for (const key of ['stop', 'logprobs', 'stream', 'stream_options']) expect(body).not.toHaveProperty(key);
    const { json_schema: schema } = body.response_format as {
      json_schema: { strict: boolean; schema: object };
    };
    expect(schema).toMatchObject({
      strict: true,
      schema: { additionalProperties: false, properties: { candidates: { minItems: 3, maxItems: 3 } } },
    });
    const system = (body.messages as { content: string }[])[0]!.content;
    expect(system).toMatch(/^You want a refund\.\n\n[\s\S]*below 0\.1[\s\S]*exactly 3/);
  });

  it('puts persona and described exemplars in front, also where the turn is asked for directly', async () => {
    const at = await stage(model('no list'));
    const speaker = at.speaker({ ...VS, persona: 'You are cross.', exemplars: ['short turns', 'objects'] });
    await says(speaker, turn());
    const systems = at.fake.requests.map(({ body }) => (body.messages as { content: string }[])[0]!.content);
    expect(systems).toHaveLength(3);
    for (const system of systems)
      expect(system).toMatch(/^You are cross\.\n\n[^\n]+\n- short turns\n- objects\n\nYou want a refund\./);
    expect(systems.map((system) => system.includes('candidates'))).toEqual([true, true, false]);
    expect(speaker.open('s').person).toMatch(/^persona-/);
    expect(at.speaker(VS).open('s').person).toBeNull();
  });

  it('draws for a described person from the luck that a client has in its turn', async () => {
    const at = await stage({ candidates: THREE });
    const speaker = at.speaker({ ...VS, persona: 'You are cross.' });
    const ask = (seed: string) => {
      const { request, signal } = turn();
      return says(speaker, new ClientTurn(request, [], seed, signal, 0));
    };
    const said = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`${at}`)));
    expect(new Set(said.map(({ text }) => text))).toEqual(new Set(THREE.map(({ text }) => text)));
    expect((await ask('7')).text).toBe(said[7]!.text);
  });

  it('asks for reasons first, or for others over several turns', async () => {
    const at = await stage();
    await says(at.speaker({ ...VS, mode: 'cot' }), turn());
    const schema = JSON.stringify(at.fake.requests[0]!.body.response_format);
    expect(schema.indexOf('reasoning')).toBeGreaterThan(0);
    const said = await says(at.speaker({ ...VS, candidates: 5, mode: 'multi' }), turn());
    expect(said.candidates).toHaveLength(5);
    expect(said).toMatchObject({ attempts: 3, fallback: null });
    expect(at.fake.requests.slice(1).map(({ body }) => (body.messages as unknown[]).length)).toEqual([
      2, 4, 6,
    ]);
  });

  it.each([
    ['schema', ['json_schema', 'json_object', 'json_object']],
    ['json', ['json_schema', 'json_object', 'none', 'none']],
  ] as const)('steps down where a server refuses %s, and remembers it', async (refuses, formats) => {
    const at = await stage({ candidates: THREE, refuses });
    const speaker = at.speaker(VS);
    const first = await says(speaker, turn());
    expect(first).toMatchObject({ fallback: null, attempts: formats.length - 1 });
    expect(first.candidates).toHaveLength(3);
    await says(speaker, turn());
    expect(at.fake.requests.map(formatOf)).toEqual(formats);
  });

  it('passes on a refusal that has nothing to do with the format', async () => {
    const at = await stage({ status: 400, message: 'context too long' });
    await expect(says(at.speaker(VS), turn())).rejects.toMatchObject({
      status: 400,
      message: 'context too long',
    });
  });

  it('leaves the client its own response format', async () => {
    const at = await stage({ text: '{"mood":"bad"}' });
    const said = await says(at.speaker(VS), turn({ response_format: { type: 'json_object' } }));
    expect(said).toMatchObject({
      text: '{"mood":"bad"}',
      fallback: expect.stringContaining('response format'),
    });
    expect(at.fake.requests).toHaveLength(1);
  });
});

describe('drawing', () => {
  const SEEDS = Array.from({ length: 300 }, (_, i) => `turn ${i}`);
  const share = async (recipe: object, candidates: unknown[]) => {
    const at = await stage({ candidates }, { queue: SEEDS.length });
    const speaker = at.speaker(recipe);
    const all = await Promise.all(SEEDS.map((seed) => says(speaker, turn({}, { seed }))));
    for (const said of all) expect(said.text).toBe(said.candidates![said.drawn!]!.text);
    return { yes: all.filter(({ text }) => text === 'Yes.').length / all.length, said: all[0]! };
  };

  it('follows the stated probabilities over their sum', async () => {
    const { yes, said } = await share(VS, list(['Yes.', 0.3], ['No.', 0.05], ['Maybe.', 0.05]));
    expect(yes).toBeGreaterThan(0.65);
    expect(yes).toBeLessThan(0.85);
    expect(said.probability).toBeCloseTo({ 'Yes.': 0.75 }[said.text!] ?? 0.125);
    expect(said.candidates!.map(({ probability }) => probability)).toEqual([0.3, 0.05, 0.05]);
    expect(said.fallback).toBeNull();
  });

  it('takes each alike where it is told to', async () => {
    const { yes, said } = await share(
      { ...VS, draw: 'random' },
      list(['Yes.', 0.98], ['No.', 0.01], ['Maybe.', 0.01]),
    );
    expect(yes).toBeGreaterThan(0.23);
    expect(yes).toBeLessThan(0.44);
    expect(said).toMatchObject({ probability: expect.closeTo(1 / 3), fallback: null });
  });

  it.each<[string, unknown[], (number | null)[], RegExp | null]>([
    ['numbers as strings', ['0.5', ' 30% ', '.2'], [0.5, 0.3, 0.2], null],
    ['percentages', [50, 30, 20], [0.5, 0.3, 0.2], null],
    ['one above 1', [0.5, 7, 0.2], [0.5, null, 0.2], /1 of 3 stated probabilities/],
    ['a missing one', [0.5, undefined, 0.2], [0.5, null, 0.2], /1 of 3/],
    ['negative ones and words', [-1, 'likely', null], [null, null, null], /3 of 3/],
    ['nothing but zeros', [0, 0, 0], [0, 0, 0], /all stated probabilities are 0/],
  ])('copes with %s, and says so where it cannot follow', async (_, given, stated, note) => {
    const at = await stage({ candidates: list(['a b', given[0]], ['c d', given[1]], ['e f', given[2]]) });
    const said = await says(at.speaker(VS), turn());
    expect(said.candidates!.map(({ probability }) => probability)).toEqual(stated);
    if (note === null) expect(said.fallback).toBeNull();
    else expect(said.fallback).toMatch(note);
  });

  it('counts candidates that say the same together, and ends texts at stop sequences', async () => {
    const at = await stage({ candidates: list(['Yes. Bye', 0.4], ['Yes. Now', 0.4], ['STOP', 0.2]) });
    const said = await says(at.speaker(VS), turn({ stop: [' Bye', ' Now', 'STOP'] }));
    expect(said).toMatchObject({ text: 'Yes.', probability: 1, fallback: '2 candidates instead of 3' });
  });
});

describe('with tools', () => {
  it('turns the drawn call into an ordinary one with an id of its own', async () => {
    const at = await stage({
      candidates: [
        { tool: 'pay', arguments: '{"sum": 3}', probability: 0.5 },
        { tool: 'leave', arguments: {}, probability: 0.5 },
        { tool: 'pay', arguments: '{}', probability: 0.9 },
        { tool: 'unknown', arguments: '{}', probability: 0.9 },
        { tool: 'pay', arguments: '[1]', probability: 0.9 },
      ],
    });
    const speaker = at.speaker({ ...VS, candidates: 2 });
    const said = await says(speaker, turn({ tools: TOOLS }));
    expect(said).toMatchObject({ text: null, finishReason: 'tool_calls', fallback: null, probability: 0.5 });
    expect(said.candidates).toHaveLength(2);
    expect(['{"sum": 3}', '{}']).toContain(said.toolCalls[0]!.function.arguments);
    const other = await says(speaker, turn({ tools: TOOLS }, { seed: 'other' }));
    expect(said.toolCalls[0]!.id).toMatch(/^call_\w{24}$/);
    expect(other.toolCalls[0]!.id).not.toBe(said.toolCalls[0]!.id);
    const { body } = at.fake.requests[0]!;
    expect(body).not.toHaveProperty('tools');
    expect(JSON.stringify(body.response_format)).toContain('anyOf');
  });

  it.each([
    ['none', '"text"', '"tool"'],
    ['required', '"tool"', '"text"'],
    [{ type: 'function', function: { name: 'pay' } }, '"enum":["pay"]', '"leave"'],
  ])('keeps to tool_choice %j', async (choice, has, lacks) => {
    const at = await stage();
    await says(at.speaker(VS), turn({ tools: TOOLS, tool_choice: choice }));
    const schema = JSON.stringify(at.fake.requests[0]!.body.response_format);
    expect(schema).toContain(has);
    expect(schema).not.toContain(lacks);
  });
});

describe('what cannot be read', () => {
  it('is asked for once more, under another seed', async () => {
    const at = await stage((_, n) => (n === 0 ? { text: 'I will not write JSON.' } : { candidates: THREE }));
    const said = await says(at.speaker(VS), turn({ seed: 9 }));
    expect(said).toMatchObject({ fallback: null, attempts: 2 });
    expect(at.fake.requests.map(({ body }) => body.seed)).toEqual([9, 10]);
  });

  it('ends in the turn asked for directly, and the record says so', async () => {
    const at = await stage(model('{"candidates": [}'));
    const said = await says(at.speaker(VS), turn({ stream: true }));
    expect(said).toMatchObject({
      text: 'Said directly.',
      attempts: 3,
      fallback: expect.stringMatching(/^re-asked directly/),
    });
    expect(said.candidates).toBeUndefined();
    expect(said.usage.completionTokens).toBeGreaterThan(2);
  });

  it('is an error where the model speaks JSON even then', async () => {
    const at = await stage({ text: JSON.stringify({ candidates: [] }) });
    await expect(says(at.speaker(VS), turn())).rejects.toMatchObject({ status: 502 });
  });

  it.each([
    ['Here is my answer: {"response": "hello there"}', false],
    ['I get {"message": "not found"} from it. Is that the route?', true],
  ])(
    'is an error where the reply stands in JSON, and not where a user speaks of some: %s',
    async (text, passes) => {
      const at = await stage(model('{"candidates": [}', { text }));
      const saying = says(at.speaker(VS), turn());
      if (passes) await expect(saying).resolves.toMatchObject({ text });
      else await expect(saying).rejects.toMatchObject({ status: 502 });
    },
  );

  it('tells the client of the tokens of all that was asked, as the record does', async () => {
    const at = await stage(model('{"candidates": [}'));
    const tokens: TokenSums = {};
    const reply = await at
      .speaker(VS)
      .open('s')
      .reply({ ...turn(), tokens });
    if (reply.kind !== 'whole') throw new Error('a stream');
    const { promptTokens, completionTokens } = reply.said.usage;
    expect(reply.completion!.usage).toEqual({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens! + completionTokens!,
    });
    expect(reply.text).toBeUndefined();
    expect(Object.values(tokens)).toEqual([
      { prompt: promptTokens, completion: completionTokens, unmetered: 0 },
    ]);
  });

  it('counts what was used where nothing could be said', async () => {
    const at = await stage({ text: JSON.stringify({ candidates: [] }) });
    const tokens: TokenSums = {};
    await expect(
      at
        .speaker(VS)
        .open('s')
        .reply({ ...turn(), tokens }),
    ).rejects.toMatchObject({ status: 502 });
    const [used] = Object.values(tokens);
    expect(used!.completion).toBeGreaterThan(0);
  });

  it.each<[string, string, string[]]>([
    [
      'a fence',
      `Sure!\n\`\`\`json\n${JSON.stringify({ candidates: THREE })}\n\`\`\`\nDone.`,
      ['Yes.', 'No.', 'Maybe.'],
    ],
    [
      'thoughts',
      `<think>{"candidates": [1]}</think>${JSON.stringify({ candidates: THREE })}`,
      ['Yes.', 'No.', 'Maybe.'],
    ],
    ['a bare list', JSON.stringify(THREE), ['Yes.', 'No.', 'Maybe.']],
    ['another key', JSON.stringify({ responses: THREE }), ['Yes.', 'No.', 'Maybe.']],
    ['nesting', JSON.stringify({ result: { answer: { candidates: THREE } } }), ['Yes.', 'No.', 'Maybe.']],
    [
      'too many',
      JSON.stringify({ candidates: [...THREE, ...list(['Who?', 0.1])] }),
      ['Yes.', 'No.', 'Maybe.', 'Who?'],
    ],
    ['a cut', JSON.stringify({ candidates: THREE }).slice(0, -25), ['Yes.', 'No.']],
    [
      'brackets and quotes in texts',
      JSON.stringify(list(['a "]}" b', 0.5], ['\\ {', 0.5])),
      ['a "]}" b', '\\ {'],
    ],
    ['unicode', JSON.stringify(list(['😀 ünï\u2028', 0.5], ['日本', 0.5])), ['😀 ünï\u2028', '日本']],
    [
      'JSON in a text',
      JSON.stringify({ candidates: [...THREE.slice(1), ...list([JSON.stringify(THREE), 0.5])] }),
      ['No.', 'Maybe.'],
    ],
  ])('is little: %s is read', async (_, text, texts) => {
    const at = await stage(model(text));
    const said = await says(at.speaker(VS), turn());
    expect(said.candidates!.map((one) => one.text)).toEqual(texts);
    expect(said.fallback).toBe(texts.length === 3 ? null : `${texts.length} candidates instead of 3`);
  });
});

it('lets no raw JSON through to a client, whatever a model says', async () => {
  const probability = fc.oneof(fc.double(), fc.constantFrom('0.2', '20%', null, undefined, -1, 5, 'x', {}));
  const inner = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      JSON.stringify({ candidates: THREE }),
      '{"text": "a", "probability": 0.1',
      '[]',
      '{}',
      ' ',
    ),
    fc.json(),
  );
  const one = fc.oneof(
    fc.record({ text: inner, probability }),
    fc.record({ response: inner, probability }),
    fc.record({
      tool: fc.constantFrom('pay', 'nope'),
      arguments: fc.oneof(inner, fc.jsonValue()),
      probability,
    }),
    inner,
    fc.jsonValue(),
  );
  const candidates = fc.array(one, { maxLength: 6 });
  const envelope = fc.oneof(
    candidates.map((all) => ({ candidates: all })),
    candidates,
    candidates.map((all) => ({ outer: { responses: all } })),
    fc.jsonValue(),
  );
  const words = fc.oneof(
    { weight: 3, arbitrary: envelope.map((value) => JSON.stringify(value) ?? 'null') },
    fc.tuple(envelope, fc.nat(100)).map(([value, cut]) => (JSON.stringify(value) ?? '').slice(0, cut)),
    envelope.map((value) => `Here:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``),
    fc.string({ unit: 'binary' }),
  );
  const at = await stage();
  const speaker = at.speaker(VS);
  await fc.assert(
    fc.asyncProperty(words, words, fc.boolean(), async (first, direct, tools) => {
      at.fake.answer(model(first, { text: direct }));
      const asked = turn(tools ? { tools: TOOLS } : {});
      const said = await says(speaker, asked).catch((cause: unknown) => cause);
      if (said instanceof ApiError) {
        expect(said.status).toBe(502);
        return;
      }
      const { text, toolCalls, candidates: all, drawn } = said as Awaited<ReturnType<typeof says>>;
      if (text !== null) {
        expect(isRawJson(text)).toBe(false);
        expect(text).not.toMatch(/"(candidates|probability)"\s*:/);
        expect(() => {
          const value: unknown = JSON.parse(text);
          if (typeof value === 'object' && value !== null) return;
          throw new Error('plain');
        }).toThrow();
      } else expect(JSON.parse(toolCalls[0]!.function.arguments)).toBeTypeOf('object');
      if (all !== undefined) {
        expect(all.length).toBeGreaterThan(1);
        expect(all[drawn!]).toBeDefined();
        for (const { probability: stated } of all)
          if (stated !== null) expect(stated >= 0 && stated <= 1).toBe(true);
      }
    }),
    { numRuns: 250 },
  );
});
