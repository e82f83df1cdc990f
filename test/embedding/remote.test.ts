import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  FacetEmbedder,
  facetText,
  parseFacets,
  RemoteEmbedder,
  type VectorCache,
} from '../../src/embedding/index.ts';
import { OpenAiEndpoint } from '../../src/endpoint/index.ts';
import { openDiskCache } from '../../src/store/index.ts';
import { embedded, json, said, serve, vectorOf } from '../endpoint/server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close().catch(() => {});
});
async function start(answer: Parameters<typeof serve>[0]) {
  const server = await serve(answer);
  const endpoint = new OpenAiEndpoint({
    baseUrl: server.url,
    model: 'tiny',
    backoff: { first: 1, most: 2, retries: 2 },
  });
  open.push(server, endpoint);
  return { server, endpoint };
}
function memory(): VectorCache & { held: Map<string, Uint8Array> } {
  const held = new Map<string, Uint8Array>();
  return {
    held,
    get: async (key) => held.get(key) ?? null,
    set: async (key, value) => void held.set(key, value.slice()),
  };
}
const unit = (text: string) => {
  const vector = vectorOf(text);
  const norm = Math.hypot(...vector);
  return vector.map((value) => Math.fround(value / norm));
};
const rowsOf = (all: Float32Array, d: number) =>
  Array.from({ length: all.length / d }, (_, row) => [...all.subarray(row * d, (row + 1) * d)]);
const shuffled = (texts: string[]) => {
  const body = embedded(texts);
  body.data.reverse();
  return body;
};

describe('the remote embedder', () => {
  it('batches, keeps order, sends equal texts once and empty ones never', async () => {
    const { server, endpoint } = await start((seen, _, response) =>
      json(response, 200, shuffled(seen.body.input as string[])),
    );
    const embedder = await RemoteEmbedder.open(endpoint, { batch: 2 });
    expect([embedder.id, embedder.dimension]).toEqual(['remote-tiny-3', 3]);
    const texts = ['one', 'three', '', 'one', 'fivefive', ' '];
    const rows = rowsOf(await embedder.embed(texts), 3);
    texts.forEach((text, at) => {
      const expected = text.trim() === '' ? [0, 0, 0] : unit(text);
      for (const [k, value] of rows[at]!.entries()) expect(value).toBeCloseTo(expected[k]!, 6);
    });
    expect(server.seen.slice(1).map(({ body }) => body.input)).toEqual([['one', 'three'], ['fivefive']]);
  });

  it('asks again only for what the cache does not hold, a damaged entry included', async () => {
    const { server, endpoint } = await start((seen, _, response) =>
      json(response, 200, embedded(seen.body.input as string[])),
    );
    const cache = memory();
    const embedder = await RemoteEmbedder.open(endpoint, { cache });
    const first = await embedder.embed(['a', 'b']);
    const sent = server.seen.length;
    expect(await embedder.embed(['a', 'b'])).toEqual(first);
    expect(server.seen.length).toBe(sent);
    cache.held.set([...cache.held.keys()][0]!, new Uint8Array(3));
    expect(await embedder.embed(['b', 'c', 'a'])).toHaveLength(9);
    expect(server.seen.at(-1)!.body.input).toEqual(['c', 'a']);
  });

  it('works with the cache on disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ca-vectors-'));
    try {
      const { server, endpoint } = await start((seen, _, response) =>
        json(response, 200, embedded(seen.body.input as string[])),
      );
      const embedder = await RemoteEmbedder.open(endpoint, { cache: openDiskCache(folder) });
      const first = await embedder.embed(['a', 'b']);
      const again = await RemoteEmbedder.open(endpoint, { cache: openDiskCache(folder) });
      const sent = server.seen.length;
      expect(await again.embed(['a', 'b'])).toEqual(first);
      expect(server.seen.length).toBe(sent);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses a dimension that changes midway', async () => {
    const { endpoint } = await start((seen, number, response) =>
      json(response, 200, {
        data: (seen.body.input as string[]).map((_, index) => ({
          index,
          embedding: number === 0 ? [1, 2] : [1, 2, 3],
        })),
      }),
    );
    const embedder = await RemoteEmbedder.open(endpoint);
    await expect(embedder.embed(['a'])).rejects.toMatchObject({
      code: 'CA_ENDPOINT_REPLY',
      message: expect.stringContaining('3 numbers a vector after 2'),
    });
  });

  it('ends as a whole when one batch fails for good', async () => {
    const { endpoint } = await start((seen, number, response) =>
      number > 0 && (seen.body.input as string[])[0] === 'bad'
        ? json(response, 400, 'too long')
        : json(response, 200, embedded(seen.body.input as string[])),
    );
    const embedder = await RemoteEmbedder.open(endpoint, { batch: 1 });
    await expect(embedder.embed(['a', 'bad', 'c', 'd'])).rejects.toMatchObject({
      code: 'CA_ENDPOINT_FAILED',
    });
  });

  it('passes dimensions on and cuts long texts', async () => {
    const { server, endpoint } = await start((seen, _, response) =>
      json(response, 200, embedded(seen.body.input as string[])),
    );
    const embedder = await RemoteEmbedder.open(endpoint, { dimensions: 3, maxCharacters: 4 });
    await embedder.embed(['abcdefgh']);
    expect(server.seen.at(-1)!.body).toMatchObject({ dimensions: 3, input: ['abcd'] });
  });
});

const FULL = {
  tone: 'Polite',
  stance: 'agrees',
  directness: 'direct',
  information: 'specific',
  initiative: 'follows',
  emotion: 'none',
  certainty: 'sure',
  formality: 'casual',
};

describe('facets', () => {
  it('read plain, fenced and wrapped JSON, and lines', () => {
    const text = JSON.stringify(FULL);
    const lines = Object.entries(FULL)
      .map(([name, words]) => `- ${name}: ${words}`)
      .join('\n');
    for (const reply of [text, `\`\`\`json\n${text}\n\`\`\``, `Sure! ${text} Hope it helps.`, lines])
      expect(parseFacets(reply)).toMatchObject({ tone: 'polite', formality: 'casual' });
    expect(facetText(parseFacets(text)!)).toMatch(/^tone: polite\. stance: agrees\./);
  });

  it('take half the facets and refuse less', () => {
    const { tone, stance, directness, information, ...rest } = FULL;
    expect(parseFacets(JSON.stringify({ tone, stance, directness, information, emotion: 5 }))).not.toBeNull();
    expect(parseFacets(JSON.stringify({ tone, stance, directness }))).toBeNull();
    for (const reply of ['', 'I cannot do that', '[1]', '{"tone": ', JSON.stringify({ more: rest })])
      expect(parseFacets(reply)).toBeNull();
  });

  it('describe each text once, keep the description, and count replies that cannot be read', async () => {
    const { server, endpoint } = await start((seen, _, response) => {
      const messages = seen.body.messages as { content: string }[];
      json(response, 200, said(messages[1]!.content.includes('odd') ? 'no json' : JSON.stringify(FULL)));
    });
    const asked: string[][] = [];
    const inner = {
      id: 'inner',
      dimension: 2,
      embed: async (texts: readonly string[]) => {
        asked.push([...texts]);
        return Float32Array.from(texts.flatMap(() => [0.6, 0.8]));
      },
    };
    const cache = memory();
    const embedder = new FacetEmbedder(endpoint, inner, { cache });
    const rows = rowsOf(await embedder.embed(['fine', 'odd', 'fine', '']), 2);
    expect(rows.map((row) => row.map((value) => value.toFixed(1)))).toEqual([
      ['0.6', '0.8'],
      ['0.0', '0.0'],
      ['0.6', '0.8'],
      ['0.0', '0.0'],
    ]);
    expect([server.seen.length, embedder.unreadable, asked[0]!.length]).toEqual([2, 1, 1]);
    await embedder.embed(['fine', 'odd']);
    expect([server.seen.length, embedder.unreadable]).toEqual([3, 2]);
    expect(new FacetEmbedder(endpoint, { ...inner, id: 'other' }).id).not.toBe(embedder.id);
  });

  it('run many texts at once without complaint', async () => {
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    const { endpoint } = await start((_, __, response) => json(response, 200, said(JSON.stringify(FULL))));
    const inner = {
      id: 'i',
      dimension: 1,
      embed: async (texts: readonly string[]) => new Float32Array(texts.length).fill(1),
    };
    await new FacetEmbedder(endpoint, inner).embed(
      Array.from({ length: 60 }, (_, at) => `text ${at}`),
      new AbortController().signal,
    );
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
