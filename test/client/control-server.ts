import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** Answers as the control API does, for tests of its clients; `answer` gets the request and its number from 0. */
export async function controlServer(
  answer: (asked: Asked, number: number, response: ServerResponse) => unknown,
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url!, 'http://x');
    const one = {
      method: request.method!,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    asked.push(one);
    const value = await answer(one, asked.length - 1, response);
    if (value !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function refuse(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  code = 'x',
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { message: `refused with ${status}`, type: 't', param: null, code } }));
}

export const gate = (level: string, revision: number, more: object = {}) => ({
  schema: 'collapse-aware/gate@1',
  training: level === 'red' || level === 'half-open' ? 'hold' : 'go',
  level,
  rules: level,
  reasons: [`level ${level}`],
  epoch: 4,
  psod: { due: true, lastEpoch: null, every: 5, contexts: ['t-1', 't-2'], contextsEpoch: 3 },
  revision,
  ...more,
});
