// A fake upstream: every reply after a fixed latency, whole or streamed. Prints its port.
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 20);
const words = Array.from({ length: 24 }, (_, i) => `word${i} `);
const text = words.join('');
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = { prompt_tokens: 120, completion_tokens: 24, total_tokens: 144 };
const whole = Buffer.from(
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage,
  }),
);

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    const stream = body.includes('"stream":true');
    const answer = () => {
      if (!stream) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
        response.end(whole);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: '' }));
      for (const word of words) response.write(chunk({ content: word }));
      response.write(chunk({}, 'stop'));
      response.end('data: [DONE]\n\n');
    };
    if (latency === 0) answer();
    else setTimeout(answer, latency);
  });
}).listen(0, '127.0.0.1', function listening() {
  console.log(this.address().port);
});
process.on('disconnect', () => process.exit());
