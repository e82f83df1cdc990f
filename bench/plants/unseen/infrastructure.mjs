// Unseen wordings: what servers, clients and harnesses leave where a user's words should be.
import { clean, inUserTurn, place, userForms, withTurns } from '../host.mjs';

const digits = (random, n) => Array.from({ length: n }, () => random.integer(10)).join('');
/** The first words of what would have been said, as a broken stream leaves them. */
const begun = (text, words) => text.split(/\s+/).slice(0, words).join(' ');

const whole = {
  'litellm rate limit': () =>
    'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for gpt-4.1 in organization org-**** on tokens per min (TPM): Limit 30000, Used 29412, Requested 1871. Please try again in 2.566s.',
  'openai 429 body': () =>
    "Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan and billing details.', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}",
  'anthropic overloaded': (_, random) =>
    `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011C${digits(random, 8)}"}`,
  'gemini 503': () =>
    '503 UNAVAILABLE. The model is overloaded. Please try again later. (status: UNAVAILABLE)',
  'vllm context length': (_, random) =>
    `ValueError: This model's maximum context length is 8192 tokens. However, you requested ${8200 + random.integer(900)} tokens (7700 in the messages, 512 in the completion). Please reduce the length of the messages or completion.`,
  'vllm engine dead': () =>
    'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
  'sglang too long': () =>
    "The input (40213 tokens) is longer than the model's context length (32768 tokens). [sglang] finish_reason: abort",
  'cuda memory': () =>
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total capacity of 79.15 GiB of which 812.00 MiB is free.',
  'aiohttp disconnect': () => 'aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected',
  'httpx read timeout': () =>
    'Traceback (most recent call last):\n  File "rollout/user_client.py", line 118, in next_turn\n    reply = await self.client.chat(messages)\n  File "httpx/_transports/default.py", line 118, in map_httpcore_exceptions\n    raise mapped_exc(message) from exc\nhttpx.ReadTimeout',
  'envoy upstream': () =>
    'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
  'nginx page': () =>
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>',
  'cloudflare code': () => 'error code: 524',
  'azure filter': () =>
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
  'gemini recitation': () =>
    "Invalid operation: The `response.text` quick accessor requires the response to contain a valid `Part`, but none were returned. The candidate's finish_reason is 4 (RECITATION).",
  'ray actor died': () =>
    'ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task. class_name: AsyncRolloutWorker',
  'ollama runner': () => 'Error: llama runner process has terminated: exit status 2 (POST "/api/chat": 500)',
  'bedrock throttled': () =>
    'An error occurred (ThrottlingException) when calling the Converse operation (reached max retries: 4): Too many requests, please wait before trying again.',
  'key refused': () => 'AuthenticationError: Incorrect API key provided: sk-****. HTTP 401',
  'model not found': () =>
    '{"object":"error","message":"The model `user-sim-qwen2.5-3b` does not exist.","type":"NotFoundError","param":null,"code":404}',
  'word of nothing': (_, random) => ['None', 'null', 'undefined', 'nan'][random.integer(4)],
  'only white space': (_, random) => ['', ' \n', '\n\n\n', '\u200b'][random.integer(4)],
  'harness placeholder': (_, random) =>
    [
      '[ERROR: no response from user model after 3 retries]',
      '<EMPTY_RESPONSE>',
      '[generation failed]',
      '(user simulator returned an empty message)',
    ][random.integer(4)],
  'finish reason only': () =>
    "ChatCompletionMessage(content=None, refusal=None, role='assistant', tool_calls=None)",
  'retry log': () =>
    'Retrying request to /chat/completions in 7.912884 seconds\nRetrying request to /chat/completions in 8.000000 seconds\nopenai.APIConnectionError: Connection error.',
};

const broken = {
  'stream broken after some words': (_, __, text) =>
    `${begun(text, 6)} [stream error: peer closed connection without sending complete message body (incomplete chunked read)]`,
  'words, then an aborted request': (_, __, text) =>
    `${begun(text, 4)}\n\nError: Request was aborted. finish_reason=abort`,
};

/** The agent's side may fail as well: its reply is an error, and the user has nothing to answer. */
const ofAgent = (name, text) => ({
  name,
  fits: (host) => host.users.length >= 3,
  plant(host, random) {
    const { turns } = host.episode;
    const user = place(host, 'middle', random);
    const reply = turns.findIndex(
      (turn, at) => at > user && turn.role === 'agent' && clean(turn.text) !== '',
    );
    const at = reply === -1 ? user : reply;
    return withTurns(
      host.episode,
      turns.map((turn, index) => (index === at ? { role: turn.role, text } : turn)),
    );
  },
});

export const infrastructure = {
  kind: 'infrastructure failure',
  expect: 'drop',
  forms: [
    ...userForms(whole),
    ...userForms(broken),
    inUserTurn(
      'last turn is a time-out',
      () => 'asyncio.exceptions.TimeoutError: user simulator did not answer within 120.0 s',
      { where: 'last' },
    ),
    ofAgent(
      'agent: service unavailable',
      'litellm.ServiceUnavailableError: OpenAIException - upstream returned 503: no healthy upstream',
    ),
    ofAgent('agent: internal error', 'Internal Server Error'),
  ],
};
