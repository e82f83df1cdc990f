// What people and sound simulators do, and a careless rule would drop. Each must stay.
import { pick, say, userForms, withTurns } from './host.mjs';

const firstPerson = (text) =>
  text
    .replace(/\b[Yy]ou are\b/g, "I'm")
    .replace(/\b[Yy]ou want\b/g, "I'd like")
    .replace(/\b[Yy]ou\b/g, 'I')
    .replace(/\b[Yy]our\b/g, 'my');

/** A need, and no direction of how to play it. */
const needOnly = (text) => /^You want\b/.test(text) && !/agent|insist|mention|asked/i.test(text);

const control = (kind, forms) => ({ kind: `control: ${kind}`, expect: 'keep', forms });
const task = { fits: (host) => host.task };

const facts = control('facts of the scenario', [
  ...userForms(
    {
      'user id': (host) => `Sure, my user ID is ${host.userIds[0]}.`,
      'user id alone': (host) => host.userIds[0],
    },
    { fits: (host) => host.task && host.userIds.length === 1, where: 'first' },
  ),
  ...userForms(
    {
      orders: (host) => `It's about ${host.orders.join(' and ')}.`,
      'order without its sign': (host) => `The order is ${host.orders[0].slice(1)}.`,
    },
    { fits: (host) => host.task && host.orders.length > 0, where: 'first' },
  ),
  ...userForms(
    {
      reservations: (host) => `My reservation numbers: ${host.reservations.join(', ')}.`,
      'reservation in lower case': (host) => `its ${host.reservations[0].toLowerCase()}`,
    },
    { fits: (host) => host.task && host.reservations.length > 0, where: 'first' },
  ),
  ...userForms(
    {
      'name and zip': (host) => `${host.name.join(' ')}, ${host.zips[0]}.`,
      'name, zip, in a sentence': (host) =>
        `My name is ${host.name.join(' ')} and my zip code is ${host.zips[0]}.`,
    },
    { fits: (host) => host.task && host.name !== null && host.zips.length > 0, where: 'first' },
  ),
  ...userForms(
    {
      'the need in the first person': (host) => firstPerson(host.sentences.find(needOnly)),
    },
    {
      fits: (host) => host.task && host.sentences.some(needOnly),
      where: 'first',
    },
  ),
  ...userForms(
    {
      'the topic itself': (host) => `${host.episode.scenario} That is what I believe.`,
      'the topic denied': (host) => `I do not think so: "${host.episode.scenario}" goes too far for me.`,
    },
    { fits: (host) => host.domain === 'opinion' },
  ),
]);

const ANSWERS = [
  ['Yes'],
  ['yes'],
  ['Yes.', 'yes'],
  ['Yes, please.'],
  ['Yes, please proceed.', 'Yes, go ahead.'],
  ['ok', 'Yes'],
  ['No.', 'no', 'No'],
  ['Yes, I confirm.'],
  ['Sure', 'Sure!', 'sure'],
  ['Yep', 'yes', 'yeah'],
  ['Thanks!', 'ok thanks'],
  ['I agree', 'I agree.'],
  ['Correct.'],
  ['y'],
  ['Yes, that works.', 'Yes, that works'],
];
const confirmations = control(
  'the same short answer five times',
  ANSWERS.map((words) => ({
    name: words.join(' / '),
    fits: (host) => host.users.length >= 6,
    plant(host) {
      const places = new Map(
        host.users
          .slice(1, -1)
          .slice(0, 5)
          .map((index, n) => [index, n]),
      );
      return withTurns(
        host.episode,
        host.episode.turns.map((turn, at) =>
          places.has(at) ? { role: 'user', text: words[places.get(at) % words.length] } : turn,
        ),
      );
    },
  })),
);

const farewells = control(
  'short farewells',
  [
    'Bye',
    'bye!',
    'Thanks, bye.',
    'Thank you!',
    'ok',
    'Have a good one',
    'take care',
    'Thank you for your help! ###STOP###',
    "That's all, thanks. ###STOP###",
    '###STOP###',
    'You too!',
    'Great, thanks. Have a nice day!',
    'gotta go',
    'thx',
    'Nice talking to you',
  ].map((words) => ({
    name: words,
    fits: (host) => host.users.length >= 4 && (host.task || !words.includes('###')),
    plant(host) {
      const index = host.users.at(-1);
      return withTurns(
        host.episode,
        host.episode.turns.map((turn, at) => (at === index ? { role: 'user', text: words } : turn)),
      );
    },
  })),
);

const part = (host, random) =>
  pick(random, host.agentSaid)
    .split(/(?<=[.!?])\s+/)[0]
    .slice(0, 180);
const quotes = control(
  'quoting the other side',
  userForms(
    {
      'you said': (host, random) => `You said "${part(host, random)}" - what do you mean by that?`,
      'earlier you told me': (host, random) =>
        `Earlier you told me: ${part(host, random)} Is that still right?`,
      'quote sign': (host, random) => `> ${part(host, random)}\n\nI don't follow this bit.`,
      'what was meant': (host, random) => `When you say "${part(host, random)}", does that hold for me too?`,
      'not what you said': (host, random) =>
        `That's not what you told me before. Your words: "${part(host, random)}"`,
      assured: (host, random) => `But I was told "${part(host, random)}" by you just now.`,
      'offer of help': () => 'You asked "how can I help you?" and now you say you cannot help me?',
      colleague: () => 'Your colleague said "I have processed your refund" last week, and nothing has come.',
      mail: () => 'I got a mail that says "Your order has been cancelled", but I never asked for that!',
      policy: () => 'So your policy does not allow any exception, is that what you are saying?',
      transferred: () => 'The last person said they would transfer me to a human agent. Are you that?',
      'asked twice': () => 'You already asked me for my details, and I gave them to you. Please check again.',
      'read back': (host, random) => `Let me read that back: ${part(host, random)} Did I get it right?`,
      'thanks for': () => 'Thank you for looking into this for me, I appreciate your patience.',
      'anything more': () => 'Is there anything else you need from me?',
    },
    { fits: (host) => host.agentSaid.length >= 2 },
  ),
);

const lists = control('pasted lists', [
  ...userForms(
    {
      'orders in lines': (host) =>
        `These are the ones:\n${(host.orders.length > 0 ? host.orders : ['the keyboard', 'the lamp']).map((id) => `- ${id}`).join('\n')}`,
      'answers by number': () =>
        "1. One-way\n2. Economy\n3. It's just me traveling.\n4. No insurance, please.",
      'answers by letter': () => 'a) yes\nb) no\nc) the black one, size M',
      'items with prices': () =>
        'From my receipt:\n1. Mechanical keyboard $208.60\n2. Desk lamp $94.80\n3. Water bottle $12.40\nI want to return 1 and 3.',
      'items with a total': () => 'Keyboard 208.60\nLamp 94.80\nBottle 12.40\nTotal 315.80',
      'table from a mail': () =>
        'Item | Qty | Price\nT-shirt | 2 | $46.85\nBackpack | 1 | $193.38\nThat is what your mail says.',
      'flights in lines': () => 'HAT136 JFK-ATL 11:00-13:30\nHAT039 ATL-SEA 15:10-17:40\nThose two please.',
      passengers: () => 'Passengers:\nKevin Smith, 2001-04-12\nAva Smith, 1999-11-02',
      'address block': () => '1234 Elm St\nSuite 641\nSpringfield, IL 62701\nUSA',
      'steps tried': () =>
        '1. Restarted it\n2. Took the SIM out and put it back\n3. Airplane mode on and off\nStill no data.',
      'options ranked': () => 'My order of preference: 1) the bamboo one 2) the plastic one 3) just a refund',
      'comparison by percent': () => 'I would split it: 60% to the card, 40% to the gift card.',
      'chance in words': () => 'I am 90% sure it was the gold one, maybe 10% it was silver.',
      'two questions': () => '1. What does it cost?\n2. When will it arrive?',
      tracking: () => 'Tracking: 1Z999AA10123456784\nStatus: delivered\nBut nothing is here.',
    },
    task,
  ),
]);

const languages = control(
  'users who write other languages',
  userForms({
    Spanish: () =>
      'Hola, la verdad es que no entiendo por qué tarda tanto. ¿Me lo puede explicar otra vez, por favor?',
    German: () =>
      'Das verstehe ich noch nicht ganz. Können Sie mir bitte sagen, wie lange das ungefähr dauert?',
    French: () =>
      "Je ne suis pas sûr d'avoir bien compris. Est-ce que c'est possible sans frais supplémentaires ?",
    Chinese: () => '我还是不太明白，可以再解释一下吗？我想知道大概需要多长时间。',
    Japanese: () => 'すみません、もう一度説明していただけますか。まだよく分かりません。',
    Korean: () => '죄송하지만 아직 잘 이해가 안 돼요. 다시 한번 설명해 주시겠어요?',
    Arabic: () => 'عذرًا، لم أفهم ذلك جيدًا. هل يمكنك أن تشرح لي مرة أخرى من فضلك؟',
    Hindi: () => 'माफ़ कीजिए, मुझे ठीक से समझ नहीं आया। क्या आप दोबारा बता सकते हैं?',
    Russian: () => 'Извините, я не совсем понял. Можете объяснить ещё раз, сколько это займёт времени?',
    Turkish: () => 'Kusura bakmayın, tam anlayamadım. Bunun ne kadar süreceğini söyleyebilir misiniz?',
    Vietnamese: () => 'Xin lỗi, tôi vẫn chưa hiểu rõ. Bạn có thể giải thích lại giúp tôi được không?',
    Thai: () => 'ขอโทษค่ะ ยังไม่ค่อยเข้าใจ ช่วยอธิบายอีกครั้งได้ไหมคะ',
    Hebrew: () => 'סליחה, לא הבנתי עד הסוף. אפשר להסביר שוב בבקשה?',
    Greek: () => 'Συγγνώμη, δεν το κατάλαβα καλά. Μπορείτε να μου το εξηγήσετε ξανά;',
    Finnish: () => 'Anteeksi, en ihan ymmärtänyt. Voisitteko selittää sen vielä kerran?',
    'mixed Hindi and English': () =>
      'Arre yaar, mujhe samajh nahi aaya, please ek baar aur check kar lo na order ka status.',
    Polish: () => 'Przepraszam, nie do końca zrozumiałam. Czy mogę prosić o wyjaśnienie jeszcze raz?',
  }),
);

const CODE = {
  'Python function': () =>
    'Here is what I have so far:\n```python\ndef mean(xs):\n    return sum(xs) / len(xs)\n```\nIt fails on an empty list.',
  'shell output': () => '$ pytest -q\n.F..\n1 failed, 3 passed in 0.41s\n\nCan you look at the second one?',
  traceback: () =>
    'I get this when I run it:\n\nTraceback (most recent call last):\n  File "main.py", line 12, in <module>\n    run()\nKeyError: \'user\'\n\nAny idea?',
  'JSON settings asked for': () =>
    'Sure, this is my tsconfig:\n{\n  "compilerOptions": { "strict": true, "target": "ES2022" }\n}',
  'JSON body of an API': () =>
    'The endpoint returns {"id": 7, "items": []} but I expected two items. What did we break?',
  diff: () =>
    '- const limit = 10;\n+ const limit = 20;\n\nThis is my change in parser.ts, lines 40-52. Please keep off them.',
  SQL: () =>
    'SELECT id, count(*) FROM runs GROUP BY id HAVING count(*) > 1;\nThat gives me 3 rows, so there are duplicates.',
  regex: () => 'I use /^[a-z0-9_-]{3,16}$/ for names, but "anna.b" has to pass as well.',
  'Rust type': () =>
    'fn parse(input: &str) -> Result<Vec<Token>, ParseError> { todo!() }\nI take this one, you take the lexer?',
  HTML: () => 'The template is <div class="row"><span>{{ name }}</span></div> and name comes out empty.',
  'prompt code': () =>
    "We send messages=[{'role': 'system', 'content': SYSTEM}] and I think SYSTEM is stale. Check load_prompt().",
  'merge conflict': () =>
    '<<<<<<< HEAD\nlimit = 10\n=======\nlimit = 20\n>>>>>>> feature\n\nWhich one do you want to keep?',
  'long import list': () =>
    'import a\nimport b\nimport c\nimport d\nimport e\nimport f\n\nDo we need all of these?',
  'error code': () => 'CI says "Error: Process completed with exit code 1." and nothing else.',
  YAML: () =>
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n\nLooks right to me, still does not start.',
};
const code = control('code in pair work', userForms(CODE, { fits: (host) => host.domain === 'code' }));

const manners = control(
  'manners of real people',
  userForms({
    shouting: () => 'WHY DOES THIS TAKE SO LONG!!! I HAVE BEEN WAITING FOR AN HOUR!!!',
    'many marks': () => 'really?????? no way!!!!!!',
    laughing: () => 'hahahahahaha ok that is funny',
    trailing: () => 'well.......... i dont know..... maybe',
    typos: () => 'i woud liek to knwo wat teh prce is pls',
    emoji: () => 'sounds good to me \ud83d\ude0a\ud83d\udc4d\ud83d\ude02',
    robot: () => 'Am I talking to a bot? Are you an AI?',
    'error seen': () => 'Your website shows "Error 503: Service Unavailable" whenever I log in.',
    'timeout seen': () => 'The app says request timed out, please try again later. I tried four times.',
    'asks back': () => 'And how can I help? What would you need me to do?',
    'wants a person': () => 'Can you transfer me to a human agent please?',
    'offers data': () => 'Let me check my mail for the number, one moment please.',
    'no words': () => 'hmm',
    'a figure': () => '90',
    'drawn out': () => 'sooooo it is nooooot possible?',
    'role play talk': () =>
      'I play the customer in our school theatre, so trust me, I know what a bad one sounds like.',
    'instructions of a product': () =>
      'I followed the instructions in the box: do not switch it on before charging. Still dead.',
    'stop in words': () => 'Please stop. I said no already.',
    'agrees at length': () => 'Yes yes yes, I know, I know. Please just go on.',
    'same need again': (host) => `Again: ${host.request.slice(0, 140)}`,
  }),
);

const AGENT = {
  'raw JSON': () => '{"response": "Your booking is confirmed.", "stop": true}',
  'tool call as text': () => '{"name": "cancel_order", "arguments": {"order_id": "#W1234567"}}',
  'own instructions': () =>
    'My system prompt says that I must not offer compensation unless the user asks for it.',
  'think tags': () =>
    '<think>\nI should ask for the order number first.\n</think>\nCould you give me the order number?',
  'chat template': () => '<|im_start|>assistant\nSure, I can help with that.<|im_end|>',
  'speaks as the user': () => "Hi, I'd like to cancel my order and get my money back, please.",
  'both parts': () => 'Agent: Done.\nUser: Thanks!\nAgent: You are welcome.',
  'candidate list': () =>
    '<response><text>Sure.</text><probability>0.6</probability></response><response><text>No.</text><probability>0.4</probability></response>',
  'stop token': () => 'Thank you for calling. ###STOP###',
  'wrong id': () => 'I see that your user ID is derek_holloway_0042 and your order is #W0000001.',
  nothing: () => '',
  'other language': () => '好的，我来帮您处理这个订单。',
  'template slot': () => 'Hello {{customer_name}}, how can I help you?',
  'scenario seen': (host) => host.episode.scenario ?? 'You are the customer.',
  placeholder: () => '[insert confirmation number here]',
};
const agentFailures = control('failures of the policy', [
  ...Object.entries(AGENT).map(([name, write]) => ({
    name,
    fits: (host) => host.task && host.agentSaid.length >= 3 && host.users.length >= 3,
    plant(host, random) {
      const places = host.episode.turns.flatMap((turn, at) =>
        turn.role === 'agent' && (turn.text ?? '').length > 40 ? [at] : [],
      );
      // Not the last one: the user's parting words would then answer something else.
      const index = places[1 + random.integer(Math.max(1, places.length - 2))];
      return withTurns(
        host.episode,
        host.episode.turns.map((turn, at) => (at === index ? { role: 'agent', text: write(host) } : turn)),
      );
    },
  })),
  {
    name: 'the agent says one thing only',
    fits: (host) => host.task && host.agentSaid.length >= 4,
    plant(host) {
      const spoken = (turn) => turn.role === 'agent' && (turn.text ?? '').length > 40;
      const last = host.episode.turns.findLastIndex(spoken);
      return withTurns(
        host.episode,
        host.episode.turns.map((turn, at) =>
          spoken(turn) && at < last ? { role: 'agent', text: host.agentSaid[1] } : turn,
        ),
      );
    },
  },
]);

const afterRefusal = control('leaving for a reason', [
  ...[
    'Fine, if you cannot help me I am going elsewhere. ###STOP###',
    'No, I do not accept that. Goodbye. ###STOP###',
    'Okay, please transfer me then. ###TRANSFER###',
    'I see. Then leave it as it is, thanks anyway. ###STOP###',
    'Forget it. ###STOP###',
    'That is too expensive, so no. Thanks. ###STOP###',
    'That answers my question, thank you. ###STOP###',
    'I will think about it and come back. ###STOP###',
    'Not what I hoped for, but okay. ###STOP###',
    'Useless. ###STOP###',
    'All right, I will call again tomorrow. ###STOP###',
    'Then we are done here. ###STOP###',
    "No thanks, I'll keep it. ###STOP###",
    'I understand. Goodbye. ###STOP###',
    'Never mind then. ###STOP###',
  ].map((words) => ({
    name: words,
    fits: (host) => host.task && host.users.length >= 5,
    plant(host) {
      const index = host.users.at(-1);
      const before = host.episode.turns.slice(0, index).findLastIndex((turn) => turn.role === 'agent');
      const refusal = {
        role: 'agent',
        text: `I am sorry, but I am unable to do that: ${say(host, { airline: 'this fare cannot be changed', retail: 'this order has already been processed', other: 'it is outside of what I can do here' })}.`,
      };
      const turns = host.episode.turns.slice(0, index + 1);
      turns[before] = refusal;
      turns[index] = { role: 'user', text: words };
      return withTurns(host.episode, turns);
    },
  })),
]);

export const controls = [
  facts,
  confirmations,
  farewells,
  quotes,
  lists,
  languages,
  code,
  manners,
  agentFailures,
  afterRefusal,
];
