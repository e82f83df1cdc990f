import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GateView, OverrideEntry, SessionList } from '../../../src/gateway/api/control.ts';
import type { FakeData } from './fake-data.ts';

export const KEY = 'admin-key-of-the-fake';

/** A gateway's control API with made-up numbers, on a socket of its own. */
export interface FakeControl {
  readonly url: string;
  /** Paths asked for, with their queries. */
  readonly asked: string[];
  readonly posted: unknown[];
  /** What it answers from now on; everybody at the gate is answered. */
  change(data: FakeData): void;
  /** Cuts every connection and refuses new ones until `mend`. */
  lose(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function fakeControl(page: string, first: FakeData): Promise<FakeControl> {
  let data = first;
  let gate: GateView = data.gate;
  let lost = false;
  const asked: string[] = [];
  const posted: unknown[] = [];
  const waiting = new Set<() => void>();
  const move = (next: GateView) => {
    gate = { ...next, revision: gate.revision + 1 };
    for (const answer of [...waiting]) answer();
  };
  const server = createServer((request, response) => {
    if (lost) {
      request.socket.destroy();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/') {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "frame-ancestors 'none'",
      });
      response.end(page);
      return;
    }
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      json(response, 401, error('this is not the admin key', 'authentication_error'));
      return;
    }
    void answer(request, response, url).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const path = url.pathname;
    if (path === '/api/status') json(response, 200, data.status);
    else if (path === '/api/population') json(response, 200, data.population);
    else if (path === '/api/metrics') json(response, 200, data.metrics);
    else if (path === '/api/looks') json(response, 200, data.looks);
    else if (path === '/api/map') json(response, 200, data.map);
    else if (path === '/api/evolve') json(response, 200, evolveOf(data, url.searchParams));
    else if (path === '/api/gate') atGate(response, url);
    else if (path === '/api/sessions') json(response, 200, listOf(data, url.searchParams));
    else if (path.startsWith('/api/sessions/')) {
      const found = data.session(decodeURIComponent(path.slice('/api/sessions/'.length)));
      if (found === null) json(response, 404, error('no such session', 'not_found_error'));
      else json(response, 200, found);
    } else if (path === '/api/breaker' && request.method === 'POST') {
      const body = JSON.parse(await text(request)) as OverrideEntry & { release?: boolean };
      posted.push(body);
      const level = body.release === true ? gate.rules : body.level;
      move({
        ...gate,
        level,
        training: level === 'red' || level === 'half-open' ? 'hold' : 'go',
        override:
          body.release === true ? null : { level: body.level, by: body.by, reason: body.reason, until: null },
      });
      json(response, 200, gate);
    } else json(response, 404, error('no such path', 'not_found_error'));
  }
  function atGate(response: ServerResponse, url: URL): void {
    const after = url.searchParams.get('after');
    if (after === null || Number(after) < gate.revision) {
      json(response, 200, gate);
      return;
    }
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      if (!response.writableEnded && !response.destroyed) json(response, 200, gate);
    };
    const timer = setTimeout(done, 1000 * Number(url.searchParams.get('wait') ?? 0));
    waiting.add(done);
    response.on('close', () => {
      clearTimeout(timer);
      waiting.delete(done);
    });
  }
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    posted,
    change: (next) => {
      data = next;
      move(next.gate);
    },
    lose: () => {
      lost = true;
      server.closeAllConnections();
    },
    mend: () => {
      lost = false;
    },
    close: () =>
      new Promise((down) => {
        server.close(() => down());
        server.closeAllConnections();
      }),
  };
}

/** As the gateway does: a run that the page has is not sent again. */
function evolveOf({ evolve }: FakeData, query: URLSearchParams): FakeData['evolve'] {
  const { run, ...rest } = evolve;
  return query.has('after') && Number(query.get('after')) >= (evolve.updatedAt ?? Infinity)
    ? rest
    : { ...rest, ...(run === undefined ? {} : { run }) };
}

function listOf(data: FakeData, query: URLSearchParams): SessionList {
  const want = (name: string) => query.get(name) ?? '';
  const rows = data.sessions.filter(
    ({ state, member, epoch, id }) =>
      (want('state') === '' || state === want('state')) &&
      (want('member') === '' || member === want('member')) &&
      (want('epoch') === '' || String(epoch) === want('epoch')) &&
      id.includes(want('text')),
  );
  const from = want('after') === '' ? 0 : rows.findIndex(({ id }) => id === want('after')) + 1;
  const sessions = rows.slice(from, from + Number(query.get('limit') ?? 50));
  const more = from + sessions.length < rows.length;
  return { sessions, next: more ? (sessions.at(-1)?.id ?? null) : null, total: rows.length };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function error(message: string, type: string) {
  return { error: { message, type, param: null, code: null } };
}

async function text(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += String(piece);
  return body;
}
