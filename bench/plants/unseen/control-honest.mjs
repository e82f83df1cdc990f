// Unseen controls: people who have honest reasons for what else would be a sign of an error.
import { inUserTurn, pick, userForms, withTurns } from '../host.mjs';

const service = { fits: (host) => host.task };

const machines = {
  'asks whether it is a bot': () =>
    'Am I talking to a real person or is this one of those AI language models?',
  'wants a human': () => "I'd rather not talk to a robot, no offence. Can I get a human please?",
  'tried a chatbot': () =>
    'I asked ChatGPT about this before and it told me something totally different, so who is right?',
  'works with models': () =>
    'I work on AI systems myself, so I know how these assistants get things wrong. Please double check.',
  'asks about instructions': () =>
    'The instructions on your website say to click on "Manage", but there is no such button. What should I do?',
  'instructions of a parent': () =>
    'My mother gave me clear instructions: do not agree to anything without asking her first.',
  'system is down': () =>
    'Is your system down again? It said "something went wrong, try again later" when I tried online.',
  'got an error': () =>
    'When I tried it on the app I got "Error 500", then a time-out. That is why I am writing to you now.',
  'json for an expense tool': () =>
    'Could you send me the receipt in a machine-readable form, JSON or CSV? My expense tool cannot read PDFs.',
  'roles in a play': (_, __, text) =>
    `${text} Sorry for the slow replies, I am at rehearsal, I play the assistant in a comedy.`,
  prompt: (_, __, text) => `${text} Thank you for the prompt reply by the way.`,
  token: () => 'As a token of goodwill, could you maybe waive it this once? I have been loyal for a decade.',
  scenario: () => 'In a scenario where it does not work out, what would happen? Just so I know my options.',
  'simulation in games': () =>
    'I only ever play simulation games, so I am not good with real-life things like this.',
  'options weighed': () =>
    'So I have two options as I see it: either I go on with it now, or I wait until next month. What would you do?',
  'numbered questions': () =>
    'Three quick questions:\n1. Does it cost anything?\n2. How long does it take?\n3. Can I change my mind later?',
  'stop it': () => 'Please stop. Stop asking me the same thing, I already told you. Now, can we go on?',
  'as an expert': () =>
    "As a former customer service agent, I know there's usually something you can do. What can I do to help you help me?",
  'happy to help': () => "I'm happy to help with whatever you need from my side, just tell me what to send.",
  probability: () => 'What are the chances that it works? 50%? 80%? I do not want to get my hopes up.',
};

const pasted = {
  'mail of confirmation': (_, random) =>
    `This is the mail I got:\n\n> Dear customer,\n> Thank you for your purchase. Your request has been received and will be processed within 3 business days.\n> Reference: ${100000 + random.integer(899999)}\n> Please do not reply to this e-mail.\n\nIs that the right one?`,
  receipt: () =>
    'Here is what my receipt says:\n\nSubtotal      $84.00\nTax            $6.72\nShipping       $4.99\n-------------------\nTOTAL         $95.71\n\nwhy was I charged 105 then?',
  'table of options': () =>
    'I put it in a table so I do not mix it up:\n\n| what | when | price |\n|------|------|-------|\n| first | Monday | 120 |\n| second | Friday | 95 |\n\nI want the second.',
  'chat with another agent': () =>
    'Your colleague wrote this yesterday: "I have gone ahead and submitted the request. Is there anything else I can help you with?" but nothing happened.',
  'error on the screen': () =>
    'It shows me this on the screen:\n\nHTTP 503 Service Unavailable\nRequest ID: 7f3c-21\n\nand then it goes back to the start page.',
  'rows of a bank': () =>
    'From my bank:\n05/02  CARD PAYMENT  -120.00\n05/02  CARD PAYMENT  -120.00\n05/04  REVERSAL       +60.00\nso you took it twice and gave back half??',
  'steps it took': () =>
    'I did it exactly like this:\n- opened the page\n- signed in\n- pressed Continue\n- waited five minutes\nNothing.',
  link: () => 'I mean this one: https://www.example.com/help/article?id=4421&lang=en - the third paragraph.',
  'terms quoted': () =>
    'Your own terms say: "Customers may request a change at any time before processing begins." So I may, right?',
  'data of an export': () =>
    'The download from my profile only has this in it: {"status": "pending", "updated": "yesterday"} - what does pending mean?',
  'address block': () => 'Please use this:\n\nJ. Carter\nFlat 4, 12 Elm Row\nBack entrance, ring twice',
  'forwarded text': () =>
    'FW: my wife writes: "Tell them we can do either day, but not before noon." So either day.',
};

const helpdesk = {
  'ping lines': () =>
    'this is what it prints\n\nReply from 192.168.1.1: bytes=32 time=4ms TTL=64\nRequest timed out.\nRequest timed out.\nReply from 192.168.1.1: bytes=32 time=2811ms TTL=64',
  'trace of an app': () =>
    'The app crashed and the report says:\njava.lang.NullPointerException\n    at com.carrier.app.Main.onCreate(Main.java:52)\nDo you need the rest?',
  'log with times': () =>
    '12:01:07 wifi: disconnected (reason 3)\n12:01:09 wifi: scanning\n12:01:15 wifi: connected\n12:03:41 wifi: disconnected (reason 3)\n\nit does this all day',
  'settings as they are': () =>
    'Airplane mode: off\nMobile data: on\nRoaming: off\nData saver: on\n\nis any of these wrong?',
  'config file': () => 'my router file has\n\n[wan]\nproto=dhcp\nmtu=1492\n\nshould mtu be 1500?',
  'command failed': () =>
    'I typed it and it said "bash: netsh: command not found". I am on a Mac, maybe that is why?',
  'status of a modem': () => 'lights on the box: power green, DSL blinking orange, internet OFF, wifi green',
  'apn object': () =>
    'The APN screen shows {apn: "internet", proxy: not set, port: not set}. Is "not set" bad?',
  'connection refused': () =>
    'ERR_CONNECTION_REFUSED in Chrome, but Firefox only says "Unable to connect". Same thing?',
  'rate limit of a site': () =>
    'The site told me "Too many requests, try again in 60 seconds" though I clicked once. Bug?',
  'speed test': () =>
    'Speed test: ping 48 ms, down 1.2 Mbps, up 0.4 Mbps. Run it three times: 1.2, 1.1, 1.3.',
  'out of memory': () =>
    'It says "storage almost full" and then "out of memory" and the picture does not send.',
};

export const honest = [
  { kind: 'control: speaks of AI, systems, instructions', expect: 'keep', forms: userForms(machines) },
  { kind: 'control: pasted texts', expect: 'keep', forms: userForms(pasted) },
  { kind: 'control: log excerpts for a help desk', expect: 'keep', forms: userForms(helpdesk, service) },
];

/** An agent that does not listen, and a user who asks again: the agent's replies are put in as well. */
const ignored = (name, again) => ({
  name,
  fits: (host) => host.task && host.users.length >= 4,
  plant(host, random) {
    const [first] = host.users;
    const head = host.episode.turns.slice(0, first + 1);
    const rest = host.episode.turns.slice(first + 1);
    const deaf = [
      'Would you like to hear about our rewards programme?',
      'Our opening hours are 9 am to 5 pm on weekdays.',
      'I can tell you about our new mobile app.',
    ];
    const lines = again(host, random).flatMap((text, at) => [
      { role: 'agent', text: deaf[at % deaf.length] },
      { role: 'user', text },
    ]);
    return withTurns(host.episode, [...head, ...lines, ...rest]);
  },
});
const need = (host) => host.request.split('\n')[0];

honest.push({
  kind: 'control: asks again as the agent did not listen',
  expect: 'keep',
  forms: [
    ignored('the same once more', (host) => [`No. ${need(host)}`]),
    ignored('as I said', (host) => [`As I said: ${need(host)}`]),
    ignored('twice, angrier', (host) => [`That is not what I asked. ${need(host)}`, `HELLO? ${need(host)}`]),
    ignored('did you read', (host) => [`Did you even read my message? I wrote "${need(host)}"`]),
    ignored('copy and paste', (host) => [`I'll paste it again for you:\n${need(host)}`]),
    ignored('once more, slowly', (host) => [
      `Let me try again, slowly. ${need(host)}`,
      'Can you do that or not?',
    ]),
    ignored('capitals', (host) => [need(host).toUpperCase()]),
    ignored('no thanks, twice', () => [
      'No thanks, I want my problem solved.',
      'No thanks. My problem, please.',
    ]),
    ignored('short', () => ['That is not my question.', 'Still not my question.']),
    ignored('please, twice', (host) => [`Please, ${need(host)}`, `I beg you: ${need(host)}`]),
    ignored('quotes the agent', (host) => [`Rewards programme? No! ${need(host)}`]),
    ignored('asks whether anyone is there', (host) => ['Is anyone there?', `Is anyone there? ${need(host)}`]),
    ignored('in other words', (host) => [
      `Maybe I was not clear, sorry. What I meant was this: ${need(host)}`,
    ]),
  ],
});

const slip = (code, random) =>
  code.replace(/\d(?!.*\d)/, (digit) => String((Number(digit) + 1 + random.integer(8)) % 10));
const fact = (host) => [...host.userIds, ...host.reservations, ...host.zips, ...host.emails][0];
const corrected = (name, write) =>
  inUserTurn(name, (host, random) => write(fact(host), slip(fact(host), random), host, random), {
    fits: (host) => host.task && fact(host) !== undefined && /\d/.test(fact(host)),
  });

honest.push({
  kind: 'control: sets its own data right',
  expect: 'keep',
  forms: [
    corrected('sorry, not that', (right, wrong) => `Sorry, it's not ${wrong}, it's ${right}.`),
    corrected('typing error', (right, wrong) => `${wrong} - oops, typo, I meant ${right}`),
    corrected('star', (right, wrong) => `It's ${wrong}\n*${right}`),
    corrected('wait', (right, wrong) => `It is ${wrong}. Wait, no. Let me look... ${right}. Yes, that one.`),
    corrected(
      'read it wrong',
      (right, wrong) => `I read the number wrong before: ${right} instead of ${wrong}.`,
    ),
    corrected(
      'two on the card',
      (right, wrong) => `My note has both ${right} and ${wrong}, but I'm sure it is ${right}.`,
    ),
    corrected(
      'the agent had it wrong',
      (right, wrong) => `You have ${wrong} there? That's wrong, mine is ${right}.`,
    ),
    corrected('once more', (right) => `Here it is once more: ${right}. Please check it against what I sent.`),
    corrected('spelled', (right) => `${right}, I spell it for you: ${[...right].join(' ')}`),
    corrected('scratch that', (right, wrong) => `${wrong}, scratch that, ${right}`),
    corrected('old one', (right, wrong) => `Don't use ${wrong}, that was an old one. Use ${right}.`),
    corrected(
      'of my husband',
      (right, wrong) => `I gave you my husband's by mistake, that's ${wrong}. Mine is ${right}.`,
    ),
    corrected('unsure', (right, wrong, _, random) =>
      pick(random, [
        `Was it ${wrong} or ${right}? The mail says ${right}.`,
        `I think ${right}. Not ${wrong}, that was another time.`,
      ]),
    ),
  ],
});
