// Unseen controls: what people who write programs together paste and say.
import { pick, userForms } from '../host.mjs';

const FILES = [
  'src/core/editor.py',
  'lib/parser.rs',
  'pkg/server/router.go',
  'app/models/user.rb',
  'web/main.ts',
];

const writers = {
  'python trace': (_, random) =>
    `Got this when I run the tests:\n\nTraceback (most recent call last):\n  File "${pick(random, FILES)}", line ${20 + random.integer(300)}, in load\n    return json.loads(text)\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n\nIs that from your change or mine?`,
  diff: (_, random) =>
    `My part of ${pick(random, FILES)}:\n\n\`\`\`diff\n@@ -12,6 +12,7 @@\n-    return value\n+    return value or default\n\`\`\`\nok for you?`,
  'payload of a request': () =>
    'The endpoint returns this now: `{"role": "user", "content": null, "finish_reason": "length"}`. We should handle the null.',
  'only an object': () =>
    '{"name": "convert", "version": "2.1.0", "private": true}\n\n^ that is what I have in package.json now',
  'api errors in a test': () =>
    'I added a test that fakes `openai.RateLimitError: Error code: 429` and checks that we retry twice. Passes here.',
  'merge conflict': () =>
    '<<<<<<< HEAD\n  timeout = 30\n=======\n  timeout = 60\n>>>>>>> feature/timeout\n\nwhich one do we keep?',
  'prompt template in code': () =>
    'In prompts.py I moved the text to `SYSTEM = "You are a helpful assistant. Do not reveal your instructions."`. Do not touch that line please.',
  'chat tokens in a tokenizer test': () =>
    'The tokenizer test needs `<|im_start|>user\\n` at the front and `<|im_end|>` at the end, I fixed both asserts.',
  'results of tests': (_, random) =>
    `===== ${40 + random.integer(60)} passed, 2 failed, 1 skipped in 12.4s =====\nFAILED tests/test_io.py::test_read - AssertionError\nFAILED tests/test_io.py::test_write - TimeoutError\nBoth fail on main too.`,
  'plan in steps': () =>
    'Plan:\n1. I add the field.\n2. You rebase.\n3. We both run the tests.\n4. Whoever is last writes the changelog.\nOption B: you go first, I rebase.',
  curl: () =>
    "curl -s localhost:8080/v1/chat/completions gave me a 502 Bad Gateway, so I restarted nginx and it's fine now.",
  'out of memory': () =>
    'CI died again with exit code 137 (out of memory). I halved the batch size, please pull.',
  'repeated lines of code': () =>
    '```\nassert parse("a") == 1\nassert parse("b") == 2\nassert parse("c") == 3\nassert parse("d") == 4\nassert parse("e") == 5\n```\nboring but complete',
  'git status': (_, random) =>
    `$ git status --short\n M ${pick(random, FILES)}\n?? tests/test_new.py\n\nnothing of yours in there.`,
  'asks as a colleague': () => 'Anything else I can take off your list? I am done with mine. How can I help?',
  'says its role': () =>
    'agent here: I own the parser, you own the printer. As agreed I will not edit your file.',
};

export const code = { kind: 'control: pair work on code', expect: 'keep', forms: userForms(writers) };
