// GET of a URL, with the key of the control API where the URL is one of it: node experiments/ask.mjs URL
// The key comes from the environment: arguments of a process can be read by others.
import { pipeline } from 'node:stream/promises';

const url = new URL(process.argv[2]);
const headers = url.pathname.startsWith('/api/')
  ? { authorization: `Bearer ${process.env.CA_ADMIN_KEY}` }
  : {};
try {
  const reply = await fetch(url, { headers });
  if (reply.ok) await pipeline(reply.body, process.stdout);
  else process.stderr.write(`${url.pathname}: ${reply.status} ${(await reply.text()).slice(0, 300)}\n`);
  process.exitCode = reply.ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`${url.origin}: ${error.cause?.code ?? error.message}\n`);
  process.exitCode = 1;
}
