import { afterEach, describe, expect, it } from 'vitest';
import { OpenAiEndpoint } from '../../src/endpoint/index.ts';
import { serve } from './server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close().catch(() => {});
});

async function answering(answer: Parameters<typeof serve>[0]): Promise<OpenAiEndpoint> {
  const server = await serve(answer);
  const endpoint = new OpenAiEndpoint({
    baseUrl: server.url,
    model: 'tiny',
    backoff: { first: 1, most: 2, retries: 1 },
  });
  open.push(server, endpoint);
  return endpoint;
}
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'CA_ENDPOINT_REPLY', message: expect.stringMatching(message) });

describe('a hostile embeddings server', () => {
  it('is refused where its numbers are infinite in 32 bits', async () => {
    const endpoint = await answering((_, __, response) => {
      response.end('{"data":[{"index":0,"embedding":[1e39,1]}]}');
    });
    await expect(endpoint.embeddings(['a'])).rejects.toEqual(refused(/no numbers as embedding 0/));
  });

  it('is refused where its vectors are longer than any model makes them', async () => {
    const endpoint = await answering((_, __, response) => {
      response.end(`{"data":[{"index":0,"embedding":[${'1,'.repeat(70_000)}1]}]}`);
    });
    await expect(endpoint.embeddings(['a'])).rejects.toEqual(refused(/a vector of 70001 numbers/));
  });

  it('is left, without another try, where its reply has no end', async () => {
    let asked = 0;
    let sent = 0;
    const endpoint = await answering((_, __, response) => {
      asked++;
      const block = Buffer.alloc(1 << 20, 32);
      const more = () => {
        while (!response.destroyed && sent < 1024) {
          sent++;
          if (!response.write(block)) {
            response.once('drain', more);
            return;
          }
        }
      };
      response.on('error', () => {});
      more();
    });
    await expect(endpoint.embeddings(['a'])).rejects.toEqual(refused(/more than 128 MiB/));
    expect(asked).toBe(1);
    expect(sent).toBeLessThan(512);
  });
});
