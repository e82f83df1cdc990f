// A policy that says one of a few sentences, behind POLICY_URL: node fake-policy.mjs MODEL
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const SAID = [
  'Hello, how are you today?',
  'Have you heard of Save the Children?',
  'Would you be willing to give some of your payment to the charity?',
  'How much would you like to give?',
];
const { port, pathname } = new URL(process.env.POLICY_URL);
appendFileSync(process.env.FAKE_POLICY_LOG, `${process.argv.at(-1)}\n`);

createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.url === `${pathname}/models`) return send(200, { object: 'list', data: [{ id: 'policy' }] });
  const { model, messages } = JSON.parse(text);
  if (model !== 'policy') return send(404, { error: { message: 'no such model' } });
  const content = SAID[Math.floor(messages.length / 2) % SAID.length];
  send(200, { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] });
}).listen(Number(port), '127.0.0.1');
