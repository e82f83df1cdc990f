// Stands in for the servers of the user simulators in a dry run: one OpenAI-compatible server on loopback, in this process.
// Behind every model name it is asked for stands a scripted user of the lab, whose narrowness is drawn by that name.
// Nothing it says is evidence about the model whose name it answers to.
import { createServer } from 'node:http';
import { scriptedSpeaker } from '../../dist/gateway/speakers/scripted.js';
import { worldOf } from '../../dist/lab/index.js';
import { seeded } from '../../dist/math/random.js';

/** Bodies of a dry run are far smaller. */
const MOST_BYTES = 4_000_000;

/**
 * @param worldId whose users: `persuasion`, `service` or `pair-coding`
 * @param whoOf who answers a request, by its body; the model alone where nothing else is said
 * @returns its base URL (`http://127.0.0.1:PORT/v1`), the models that were asked for with how often, and `close`
 */
export async function fakeUsers(worldId, whoOf = ({ model }) => model) {
  const world = worldOf(worldId);
  const speakers = new Map();
  const asked = new Map();
  const speakerOf = (who) => {
    if (!speakers.has(who))
      speakers.set(
        who,
        scriptedSpeaker(
          {
            id: who,
            family: who,
            model: null,
            recipe: { kind: 'scripted', family: who },
            checkpoint: null,
            sampling: null,
          },
          world,
        ),
      );
    return speakers.get(who);
  };

  const server = createServer(async (request, response) => {
    const send = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      return send(404, {
        error: { message: 'no such path', type: 'invalid_request_error', param: null, code: null },
      });
    const body = await bodyOf(request);
    if (body === null)
      return send(400, {
        error: { message: 'no JSON', type: 'invalid_request_error', param: null, code: null },
      });
    const { model, messages } = body;
    const who = whoOf(body);
    asked.set(model, (asked.get(model) ?? 0) + 1);
    // Equal requests are answered alike, whatever came before or runs beside.
    const luck = seeded(`fake-users/${who}/${body.seed ?? ''}/${JSON.stringify(messages)}`);
    const say = (random, number) =>
      speakerOf(who)
        .open(`${body.seed ?? ''}/${number}`)
        .reply({ request: { messages, tools: undefined }, past: [], random });
    const count = candidatesWanted(body);
    const reply =
      count === null
        ? (await say(luck, 0)).said.text
        : JSON.stringify({
            candidates: (
              await Promise.all(
                Array.from({ length: count }, (_, at) => say(luck.fork(`candidate ${at}`), at)),
              )
            ).map(({ said }) => ({ text: said.text, probability: 1 / count })),
          });
    send(200, completion(model, messages, reply));
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** How many candidates the schema of Verbalized Sampling asks for; null = an ordinary reply. */
function candidatesWanted({ response_format: format }) {
  const list = format?.json_schema?.schema?.properties?.candidates;
  return list === undefined ? null : (list.minItems ?? 2);
}

function completion(model, messages, content) {
  const [prompt, reply] = [words(messages.map((one) => one.content ?? '').join(' ')), words(content)];
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: prompt, completion_tokens: reply, total_tokens: prompt + reply },
  };
}

const words = (text) => text.split(/\s+/).filter((word) => word !== '').length;

async function bodyOf(request) {
  const pieces = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) return null;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return null;
  }
}
