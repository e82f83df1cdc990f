import { expect, describe as group, it } from 'vitest';
import { describe, type Embedder, episodeFacts, excerpt, fitLsa } from '../../src/embedding/index.ts';
import { episode } from './episode.ts';

/** Counts what it is asked; a text is its first two letters' codes. */
function counting(): Embedder & { calls: string[][] } {
  const calls: string[][] = [];
  return {
    id: 'test',
    dimension: 2,
    calls,
    async embed(texts) {
      calls.push([...texts]);
      return Float32Array.from(texts.flatMap((text) => (text.startsWith('x') ? [0, 1] : [1, 0])));
    },
  };
}

group('describe', () => {
  it('embeds each text once, many to a call, and keeps the order of the episodes', async () => {
    const embedder = counting();
    const episodes = [
      episode('a: hello', 'u: yes', 'u: xyz'),
      episode('a: hello', 'u: yes'),
      episode('u: xyz', 'u: xyz', 'a: bye'),
    ];
    const found = await describe(episodes, embedder);
    expect(embedder.calls).toEqual([['yes', 'xyz', 'hello', 'bye']]);
    expect(found.map(({ facts }) => facts.id)).toEqual(episodes.map(({ id }) => id));
    expect(found.map(({ semantic }) => [...semantic])).toEqual([
      [0.5, 0.5],
      [1, 0],
      [0, 1],
    ]);
    expect([...found[0]!.turns]).toEqual([1, 0, 0, 1]);
    expect([...found[2]!.policyTurns]).toEqual([1, 0]);
  });

  it('gives the same in small batches, and none of the agent where nobody asks', async () => {
    const lsa = fitLsa(['yes it is', 'no it is not', 'is it so', 'not so'], { rank: 2 });
    const episodes = [episode('a: is it', 'u: no', 'u: it is so'), episode('u: yes')];
    const whole = await describe(episodes, lsa);
    expect(await describe(episodes, lsa, { batch: 1 })).toEqual(whole);
    const alone = await describe(episodes, lsa, { policyTurns: false });
    expect(alone.map(({ policyTurns }) => policyTurns.length)).toEqual([0, 0]);
    expect(alone.map(({ turns }) => turns)).toEqual(whole.map(({ turns }) => turns));
  });

  it('takes no words from tools, systems, harness signals or turns of tool calls only', async () => {
    const embedder = counting();
    const [found] = await describe(
      [
        episode(
          { role: 'system', text: 'be nice' },
          { role: 'user', text: null, toolCalls: [{ name: 'look', arguments: {} }] },
          { role: 'tool', text: 'rain', requestor: 'user' },
          'u: API output: rain',
          'u: it rains ###STOP###',
        ),
      ],
      embedder,
    );
    expect(embedder.calls).toEqual([['it rains']]);
    expect(found!.turns.length).toBe(2);
  });

  it('gives a zero vector where the user never spoke', async () => {
    const [found] = await describe([episode('a: hello')], counting());
    expect([[...found!.semantic], found!.turns.length]).toEqual([[0, 0], 0]);
    expect(await describe([], counting())).toEqual([]);
  });

  it('stops when told to', async () => {
    await expect(describe([episode('u: hi')], counting(), { signal: AbortSignal.abort('no') })).rejects.toBe(
      'no',
    );
  });
});

group('facts', () => {
  it('carry acts along the spoken turns, null where there are none', () => {
    const annotated = episode(
      { role: 'user', text: 'hi', acts: ['greeting'] },
      { role: 'user', text: null, acts: ['lost'] },
      { role: 'user', text: 'why' },
    );
    expect(episodeFacts(annotated).acts).toEqual([['greeting'], []]);
    expect(episodeFacts(episode('u: hi')).acts).toBeNull();
  });

  it('show a readable stretch of at most 1,200 characters', () => {
    const long = episode(
      ...Array.from({ length: 40 }, (_, at) => `${at % 2 ? 'a' : 'u'}: ${'word 😀 '.repeat(60)}`),
    );
    expect(excerpt(long).length).toBeLessThanOrEqual(1200);
    expect(encodeURIComponent(excerpt(long))).not.toBe(''); // throws on half a surrogate pair
    expect(
      excerpt(
        episode({ role: 'system', text: 's' }, 'a: Hello\n there', {
          role: 'user',
          text: 'ok',
          toolCalls: [{ name: 'look', arguments: {} }],
        }),
      ),
    ).toBe('agent: Hello there\nuser: ok [look]');
  });
});
