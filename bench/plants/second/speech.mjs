// Second wordings: texts that no user says to an agent.
import { inUserTurn, userForms } from '../host.mjs';

const task = { fits: (h) => h.task };
export const infrastructure = {
  kind: 'infrastructure failure',
  expect: 'drop',
  forms: userForms({
    a: () =>
      "anthropic.APIStatusError: Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}",
    b: () => 'google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded for aiplatform.googleapis.com',
    c: () => 'httpx.ConnectTimeout: timed out',
    d: () => 'Exception in user simulator: list index out of range',
    e: () =>
      '{"error": {"message": "The server had an error while processing your request. Sorry about that!", "type": "server_error", "param": null, "code": null}}',
    f: () =>
      '<!DOCTYPE html><html><head><title>524: A timeout occurred</title></head><body>cloudflare</body></html>',
    g: () =>
      'botocore.errorfactory.ThrottlingException: An error occurred (ThrottlingException) when calling the InvokeModel operation: Too many requests',
    h: () => 'ERROR: generation failed (finish_reason=content_filter)',
    i: () => 'json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)',
    j: () => 'aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected',
    k: () => 'Segmentation fault (core dumped)',
    l: () =>
      "BadRequestError: Error code: 400 - {'error': {'message': \"Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.\"}}",
  }),
};
export const roleReversal = {
  kind: 'role reversal',
  expect: 'drop',
  forms: userForms(
    {
      a: () =>
        "Certainly! I've located your account. Before I make any changes, can you verify the last four digits of your card?",
      b: () => 'Thank you for calling customer care, my name is Jamie. How may I direct your call?',
      c: () =>
        'I completely understand how you feel. Let me see what I can do on my end to make this right for you.',
      d: () =>
        'Your booking has been modified successfully, and the difference of $54 was charged to your card on file.',
      e: () => 'Sure thing! To get started, may I have your full name and the zip code on the account?',
      f: () =>
        "As a customer service representative, I have to follow our guidelines, so I can't waive this fee.",
      g: () =>
        'I have submitted a return request on your behalf. You will get a shipping label by email within 24 hours.',
      h: () =>
        "We're sorry to hear about your experience. Please allow me a few minutes while I review your case.",
      i: () => "Glad I could help! If you have any further questions, don't hesitate to contact us.",
      j: (_h, _r, t) => `Customer: ${t}\n\nRepresentative: Of course, I can do that for you right away.`,
      k: () =>
        "I'm an AI developed by OpenAI, so I don't have bookings of my own, but I can explain how cancellations usually work.",
      l: () =>
        "Here is a summary of what we've done today: your item was exchanged and your address was updated. Would you like me to email this to you?",
      m: () =>
        "I'm afraid I am not able to process that without your confirmation number. Would you mind sharing it with me?",
      n: () =>
        'Let me check our availability for you... I see three flights that match. Shall I book the cheapest one?',
    },
    task,
  ),
};
export const leakedInstructions = {
  kind: 'leaked instructions',
  expect: 'drop',
  forms: userForms({
    a: () =>
      "I'm supposed to act as a frustrated customer here, so I'll push back once more before accepting.",
    b: (_h, _r, t) => `USER SIMULATOR OUTPUT:\n${t}`,
    c: (_h, _r, t) => `[Persona: impatient, low patience] ${t}`,
    d: (_h, _r, t) => `${t}\n<|eot_id|><|start_header_id|>assistant<|end_header_id|>`,
    e: (_h, _r, t) => `<start_of_turn>user\n${t}<end_of_turn>`,
    f: () => 'The prompt tells me not to disclose the order number until I am asked for it.',
    g: (_h, _r, t) => `Reasoning: the user has not yet mentioned the refund.\nNext user turn: ${t}`,
    h: () => 'Remember: stay in character, keep it under 50 words and never break the fourth wall.',
    i: (_h, _r, t) => `*thinks: my hidden goal is a refund, so I should not accept credit*\n${t}`,
    j: () =>
      'I cannot continue this roleplay as the simulated user because the task description does not contain the requested details.',
    k: () => 'Hello, I am [NAME] and I need help with [ISSUE].',
    l: (_h, _r, t) =>
      `${t}\n\n---\nThis response stays consistent with the persona and does not reveal the goal.`,
    m: (_h, _r, t) => `<scratchpad>Goal not met yet. Keep going.</scratchpad> ${t}`,
    n: () =>
      'Since the task description says to end when the issue is resolved, I will output the stop signal now.',
    o: (_h, _r, t) => `System: You are role-playing a shopper.\nUser: ${t}`,
  }),
};
const yous = (h) => h.sentences.filter((t) => /\b[Yy]ou(r)?\b/.test(t));
const long = (h) => yous(h).sort((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
const fitsS = (h) => h.task && yous(h).length >= 2 && long(h).length > 70;
export const leakedScenarioEdited = {
  kind: 'leaked scenario, edited',
  expect: 'drop',
  forms: Object.entries({
    a: (h) => `So, ${long(h)[0].toLowerCase()}${long(h).slice(1)}`,
    b: (h) => long(h).replace(/\b(the|a|an) /g, ''),
    c: (h) => long(h).split(' ').slice(0, 14).join(' '),
    d: (h) => `Task: ${yous(h)[0]} Constraints: ${yous(h)[1]}`,
    e: (h) => yous(h).slice(0, 2).reverse().join(' '),
    f: (h) => long(h).toUpperCase(),
    g: (h) => `My details say: ${long(h)}`,
    h: (h) =>
      long(h)
        .replace(/\byou\b/gi, 'u')
        .replace(/\byour\b/gi, 'ur'),
    i: (h) => long(h).replaceAll(' ', '\n'),
    j: (h) =>
      long(h)
        .split(' ')
        .map((w, i) => (i % 8 === 5 ? `${w},` : w))
        .join(' '),
  }).map(([n, w]) => inUserTurn(n, w, { fits: fitsS })),
};
