import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface Served {
  readonly url: string;
  readonly seen: Seen[];
  /** Most requests under way at once. */
  readonly most: () => number;
  close(): Promise<void>;
}

/** A real HTTP server in this process; `answer` gets the request and its number from 0. */
export async function serve(
  answer: (seen: Seen, number: number, response: ServerResponse) => void | Promise<void>,
): Promise<Served> {
  const seen: Seen[] = [];
  let running = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    running++;
    most = Math.max(most, running);
    response.on('close', () => running--);
    let text = '';
    for await (const chunk of request) text += chunk;
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) };
    seen.push(one);
    await answer(one, seen.length - 1, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    most: () => most,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const said = (content: string) => ({
  model: 'tiny',
  choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
});

/** A vector that depends on the text alone. */
export const vectorOf = (text: string): number[] => [text.length, text.charCodeAt(0) || 0, 1];
export const embedded = (texts: readonly string[]) => ({
  model: 'tiny',
  data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })),
  usage: { prompt_tokens: texts.length, total_tokens: texts.length },
});
