// The least a proxy can be on the same server library: the body on, the reply back. Prints its port.
import { fastify } from 'fastify';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2], { connections: null });
const server = fastify();
server.post('/v1/chat/completions', async (request, reply) => {
  const answer = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  return reply
    .code(answer.statusCode)
    .header('content-type', answer.headers['content-type'])
    .send(answer.body);
});
await server.listen({ port: 0, host: '127.0.0.1' });
console.log(server.server.address().port);
process.on('disconnect', () => process.exit());
