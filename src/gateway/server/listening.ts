import type { FastifyInstance } from 'fastify';
import { CollapseAwareError } from '../../errors.ts';
import type { GatewaySettings } from '../settings/settings.ts';

/** The URL that is listened on. @throws CA_LISTEN_FAILED. */
export async function listen(server: FastifyInstance, { listen: at }: GatewaySettings): Promise<string> {
  try {
    await server.listen({ host: at.host, port: at.port });
  } catch (cause) {
    throw new CollapseAwareError('CA_LISTEN_FAILED', `${at.host}:${at.port}: ${(cause as Error).message}`, {
      todo: 'take another port (--port 0 finds a free one), or stop what listens there',
      cause,
    });
  }
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : at.port;
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return `http://${host}:${port}`;
}
