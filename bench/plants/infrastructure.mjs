// Calls that failed: the error stands where words should be, or nothing does.
import { cut, userForms, withTurns } from './host.mjs';

const said = {
  'rate limit, as the client prints it': () =>
    "Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4.1 in organization org-x81 on tokens per min (TPM): Limit 30000, Used 29581, Requested 1280. Please try again in 1.722s.', 'type': 'tokens', 'param': None, 'code': 'rate_limit_exceeded'}}",
  'litellm exception': () =>
    'litellm.RateLimitError: RateLimitError: OpenAIException - You exceeded your current quota, please check your plan and billing details.',
  traceback: () =>
    'Traceback (most recent call last):\n  File "/app/envs/user.py", line 112, in generate_next_message\n    message = res.choices[0].message\nIndexError: list index out of range',
  'bad gateway page': () =>
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>',
  'retries used up': () => '[ERROR] Failed to generate a response after 3 retries',
  'connection error': () => 'openai.APIConnectionError: Connection error.',
  'proxy reset': () =>
    'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
  'context length': () =>
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens. Please reduce the length of the messages.",
  'out of memory': () =>
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.31 GiB is free.',
  'internal server error': () => '{"detail":"Internal Server Error"}',
  'service unavailable': () =>
    'Error: 503 Service Unavailable. The model is overloaded. Please try again later.',
  'content filter': () =>
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
  'read timeout': () =>
    "requests.exceptions.ReadTimeout: HTTPConnectionPool(host='localhost', port=8000): Read timed out. (read timeout=600)",
  'engine died': () =>
    'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace above for the root cause.',
  'overloaded error': () =>
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}',
  'gateway timeout': () => '504 Gateway Time-out',
  'wrong key': () =>
    'AuthenticationError: Incorrect API key provided: sk-****. You can find your API key in the dashboard.',
  'placeholder of the harness': () => '[simulator error: empty completion]',
};

const asUser = userForms(said);

/** The same failures on the policy's side are no fault of the policy either. */
const asAgent = [
  'connection error',
  'rate limit, as the client prints it',
  'internal server error',
  'traceback',
].map((name) => ({
  name: `agent: ${name}`,
  fits: (host) => host.agentSaid.length >= 2,
  plant(host) {
    const { episode } = host;
    const index = episode.turns.findLastIndex((turn) => turn.role === 'agent' && (turn.text ?? '') !== '');
    return withTurns(
      episode,
      episode.turns.map((turn, at) => (at === index ? { role: 'agent', text: said[name]() } : turn)),
    );
  },
}));

const ended = [
  'infrastructure_error',
  'unexpected_error',
  'user_error',
  'error: APITimeoutError',
  'exception',
].map((termination) => ({
  name: `ended with ${termination}`,
  fits: (host) => host.task && host.episode.turns.length > 6,
  plant: (host, random) => ({
    ...cut(host.episode, 3 + random.integer(host.episode.turns.length - 5)),
    termination,
  }),
}));

const empty = [
  {
    name: 'user turns come back empty from the middle on',
    fits: (host) => host.users.length >= 3,
    plant: (host) => emptied(host, '', Math.floor(host.users.length / 2)),
  },
  {
    name: 'every user turn is null',
    fits: (host) => host.users.length >= 2,
    plant: (host) => emptied(host, null, 0),
  },
  {
    name: 'every user turn is the word None',
    fits: (host) => host.users.length >= 3,
    plant: (host) => emptied(host, 'None', 0),
  },
  {
    name: 'blanks only',
    fits: (host) => host.users.length >= 3,
    plant: (host) => emptied(host, ' \n', 1),
  },
  {
    name: 'nothing after the greeting',
    fits: (host) => host.episode.turns.some((turn) => turn.role === 'agent'),
    plant: (host) =>
      cut(
        host.episode,
        host.episode.turns.findIndex((turn) => turn.role === 'agent'),
      ),
  },
  { name: 'no turns', fits: () => true, plant: (host) => withTurns(host.episode, []) },
  {
    name: 'no tool could be reached',
    fits: (host) => host.episode.turns.filter((turn) => turn.role === 'tool').length >= 2,
    plant: (host) =>
      withTurns(
        host.episode,
        host.episode.turns.map((turn) =>
          turn.role === 'tool'
            ? {
                ...turn,
                text: "HTTPSConnectionPool(host='tools.internal', port=443): Max retries exceeded (Caused by NewConnectionError: Failed to establish a new connection: [Errno 111] Connection refused)",
              }
            : turn,
        ),
      ),
  },
];

function emptied(host, text, from) {
  const gone = new Set(host.users.slice(from));
  return withTurns(
    host.episode,
    host.episode.turns.map((turn, at) => (gone.has(at) ? { role: 'user', text } : turn)),
  );
}

export const infrastructure = {
  kind: 'infrastructure failure',
  expect: 'drop',
  forms: [...asUser, ...asAgent, ...ended, ...empty],
};
