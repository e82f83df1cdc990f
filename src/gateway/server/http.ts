import { randomUUID } from 'node:crypto';
import { type FastifyError, type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { CollapseAwareError } from '../../errors.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Log } from './log.ts';

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The server without routes: limits, request ids, errors in the one form, no cross-origin access. */
export function newServer(settings: GatewaySettings, log: Log): FastifyInstance {
  const { limits } = settings;
  const server = fastify({
    bodyLimit: limits.bodyBytes,
    // A request that trickles in holds a connection for no longer than this.
    requestTimeout: limits.requestMs,
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
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    checkHost(request, settings.listen.host);
  });
  server.setNotFoundHandler((request, reply) => {
    const error = new ApiError(404, `there is no ${request.method} ${request.url.split('?')[0]}`, {
      code: 'unknown_url',
    });
    return reply.code(404).send(error.body);
  });
  server.setErrorHandler((cause: FastifyError | Error, request, reply) => {
    const error = apiErrorOf(cause, limits.bodyBytes);
    if (error.status >= 500)
      log.error(
        { request: request.id, status: error.status, code: error.code, why: error.message },
        'request failed',
      );
    if (error.retryAfter !== null)
      reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))));
    return reply.code(error.status).send(error.body);
  });
  return server;
}

/**
 * A page elsewhere can have a browser call a loopback address under its own name (DNS rebinding): behind a name that is
 * none of this machine's nothing is answered. Off loopback keys guard.
 */
function checkHost(request: FastifyRequest, listen: string): void {
  if (!/^(localhost|127\.|::1$)/.test(listen)) return;
  const host = (request.headers.host ?? '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
    .toLowerCase();
  if (host === '' || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)) return;
  throw new ApiError(403, 'this gateway answers on loopback names alone', { code: 'host_not_allowed' });
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
