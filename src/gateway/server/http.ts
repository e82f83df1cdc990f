import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyError, type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { CollapseAwareError } from '../../errors.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Log } from './log.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Asked by whoever watches the process, to its end. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The server without routes: limits, request ids, errors in the one form, no cross-origin access. `stopping`: once it
 * gives a reason, new requests are refused.
 */
export function newServer(
  settings: GatewaySettings,
  log: Log,
  stopping: () => string | null = () => null,
): FastifyInstance {
  const { limits } = settings;
  const server = fastify({
    bodyLimit: limits.bodyBytes,
    // A request that trickles in holds a connection for no longer than this.
    requestTimeout: limits.requestMs,
    // Node looks for such only every 30 s otherwise.
    http: { connectionsCheckingInterval: Math.min(5000, Math.max(50, limits.requestMs / 4)) },
    clientErrorHandler: refuseSocket,
    // Of a path that cannot be read, before there is a route.
    frameworkErrors: (cause, _, reply: FastifyReply) => {
      const error = apiErrorOf(cause, limits.bodyBytes);
      reply.code(error.status).send(error.body);
    },
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    logger: false,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
  });
  server.server.headersTimeout = Math.min(limits.requestMs, 60_000);
  server.server.maxRequestsPerSocket = 0;
  dropSilent(server);
  // Whatever a form of another site can send without asking is taken by no route.
  server.removeContentTypeParser('text/plain');
  const checkHost = hostCheck(settings.listen.host);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    const refused = checkHost(request.headers.host);
    if (refused !== null || stopping() === null || ALWAYS.has(request.url)) return done(refused ?? undefined);
    reply.header('connection', 'close');
    done(new ApiError(503, 'the gateway is stopping', { code: 'stopping', retryAfter: 5 }));
  });
  server.setNotFoundHandler((request, reply) => {
    const error = new ApiError(
      404,
      `there is no ${request.method} ${request.url.split('?')[0]!.slice(0, 200)}`,
      {
        code: 'unknown_url',
      },
    );
    return reply.code(404).send(error.body);
  });
  server.setErrorHandler((cause: FastifyError | Error, request, reply) => {
    const error = apiErrorOf(cause, limits.bodyBytes);
    if (error.status >= 500)
      // Whoever comes while the gateway ends is told so: nothing is wrong with it.
      log[error.code === 'stopping' ? 'warn' : 'error'](
        { request: request.id, status: error.status, code: error.code, why: error.message },
        'request failed',
      );
    if (error.retryAfter !== null)
      reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))));
    return reply.code(error.status).send(error.body);
  });
  return server;
}

/** What is no HTTP, or not in time, before there is a request to answer. */
function refuseSocket(cause: Error & { readonly code?: string }, socket: Socket): void {
  if (cause.code === 'ECONNRESET' || socket.destroyed) return;
  const error =
    cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new ApiError(408, 'the request did not come in time', { code: 'request_timeout' })
      : cause.code === 'HPE_HEADER_OVERFLOW'
        ? new ApiError(431, 'the headers are too large', { code: 'headers_too_large' })
        : new ApiError(400, 'this is no HTTP request', { code: 'invalid_request' });
  const body = JSON.stringify(error.body);
  // A reply under way on this socket must not be continued by a second one.
  const answering = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  if (socket.writable && answering?.headersSent !== true)
    socket.write(
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  socket.destroy();
}

/**
 * Connections on which nothing was ever asked (clients open some beforehand, and again after they left a stream) are
 * not idle to Node: closing would wait for them.
 */
function dropSilent(server: FastifyInstance): void {
  const silent = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket));
  server.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    server.server.on('connection', (socket: Socket) => socket.destroy());
  });
}

/**
 * A page elsewhere can have a browser call a loopback address under its own name (DNS rebinding): behind a name that is
 * none of this machine's nothing is answered. Off loopback keys guard.
 */
function hostCheck(listen: string): (given: string | undefined) => ApiError | null {
  if (!/^(localhost|127\.|::1$)/.test(listen)) return () => null;
  /** Clients say the same one each time. */
  let last: string | undefined;
  return (given) => {
    if (given !== undefined && given === last) return null;
    const host = (given ?? '')
      .replace(/:\d+$/, '')
      .replace(/^\[|\]$/g, '')
      .toLowerCase();
    if (host === '' || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)) {
      last = given;
      return null;
    }
    return new ApiError(403, 'this gateway answers on loopback names alone', { code: 'host_not_allowed' });
  };
}

/** Any fault as a client should see it: nothing of the inside, and never a stack. */
export function apiErrorOf(cause: unknown, bodyBytes: number): ApiError {
  if (cause instanceof ApiError) return cause;
  if (cause instanceof CollapseAwareError) {
    const usage = cause.exit === 2 || cause.code.startsWith('CA_ROW_') || cause.code === 'CA_PANEL_OVERLAP';
    const words = cause.todo === undefined ? cause.message : `${cause.message} - ${cause.todo}`;
    return new ApiError(usage ? 400 : 503, words, { code: cause.code, cause });
  }
  const { statusCode, code } = cause as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError(413, `the body is larger than ${bodyBytes} bytes`, {
      code: 'request_too_large',
      cause,
    });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(415, 'send application/json', { code: 'unsupported_media_type', cause });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError(statusCode, (cause as Error).message, { code: 'invalid_request', cause });
  if (cause instanceof SyntaxError)
    return new ApiError(400, 'the body is not JSON', { code: 'invalid_json', cause });
  return new ApiError(500, 'the gateway failed to answer', { type: 'server_error', code: 'internal', cause });
}
