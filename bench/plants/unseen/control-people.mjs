// Unseen controls: real manners of real people, none of which is an error.
import { inUserTurn, pick, userForms } from '../host.mjs';

const low = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const plain = (text) => text.replace(/[.!?]+$/, '');

const manners = {
  'very polite': (_, __, text) =>
    `Good afternoon, and thank you ever so much for your patience with me. If it is not too much trouble: ${low(text)} I do appreciate your kind assistance.`,
  'grateful at length': (_, __, text) =>
    `${text} You have no idea how much this helps, my week has been a nightmare, my daughter was ill, the car broke down, and now this. Honestly you are a lifesaver. Thank you, thank you, thank you!`,
  'tells its life': (_, __, text) =>
    `Well, so, it started last spring when my brother-in-law, he is a plumber, told me about it, and I said no at first because we had just moved and everything was in boxes. Anyway. ${text} Sorry, I ramble.`,
  'a letter': (host, __, text) =>
    `Dear Sir or Madam,\n\n${text}\n\nYours faithfully,\n${(host.name ?? ['Margaret', 'Ellis']).join(' ')}`,
  angry: (_, __, text) =>
    `This is RIDICULOUS. I have been going round in circles for an hour. ${plain(text)}!!! I will never use you people again.`,
  swears: (_, __, text) => `oh for f*** sake. ${text} is that so damn hard`,
  sarcastic: (_, __, text) => `Oh wonderful. Brilliant. Just what I hoped to hear today. ${text}`,
  'capitals throughout': (_, __, text) => text.toUpperCase(),
  'lower case, no stops': (_, __, text) => text.toLowerCase().replace(/[.,!?]+(?=\s|$)|'/g, ''),
  'in many typing errors': (_, random, text) =>
    // Words only: an id with an error in it would be another id.
    text.replace(/(?<!\S)([a-z])([a-z])([a-z])([a-z]*)(?=[.,!?]*(?:\s|$))/gi, (all, a, b, c, rest) =>
      random.integer(4) === 0 ? `${a}${c}${b}${rest}` : all,
    ),
  'not its first language': (_, __, text) =>
    `Hello my friend, excuse me for my english is not so good, I am from Brazil. ${text} I am wait for your answer, please and thanks you.`,
  'articles missing': (_, __, text) => `${text.replace(/\b(?:the|a|an) /gi, '')} Please kindly do needful.`,
  'thinks aloud': (_, __, text) =>
    `hmm wait let me think... no... actually yes. ok so ${low(text)} i think? yeah`,
  'says please thrice': (_, __, text) => `please please please ${low(text)}`,
  'old style of texting': (_, __, text) =>
    `hi there dear.... hope u r well.... ${text} .... ok thx.... bye 4 now`,
  'asks back, unsure': () =>
    'Sorry, what? I do not quite follow. Do you mean the first one or the second one? My hearing aid is acting up and my grandson is reading this to me.',
  'dictated by voice': (_, __, text) =>
    `${plain(text).toLowerCase()} period can you hear me question mark ok send`,
};

const terse = {
  yes: () => 'yes',
  letter: () => 'k',
  'one number': () => '2',
  'only a question mark': () => '?',
  idk: () => 'idk',
  'no thanks': () => 'no thx',
  dots: () => '...',
  both: () => 'Both.',
  lol: () => 'lol ok',
  stretched: () => 'Nooooooo wayyyy sooo goooood!!!!!',
  'yes many times': () => 'yes yes yes yes, go ahead',
  laughs: () => 'hahahahaha that is a good one',
  what: () => 'wat',
  later: () => 'one sec brb',
};

const FACES = ['😀', '🙏', '😭', '🔥', '👍', '💕'];
const emoji = {
  'thumb alone': () => '👍',
  'three of a kind': () => '😂😂😂',
  prayer: (_, __, text) => `${text} 🙏🙏`,
  'face after each part': (_, random, text) =>
    text.replace(/([.!?])(?=\s|$)/g, (stop) => `${stop} ${pick(random, FACES)}`),
  'hearts in front': (_, __, text) => `💕💕 ${text}`,
  flag: (_, __, text) => `${text} 🇧🇷`,
  'family sign': () => '👨‍👩‍👧‍👦 for the four of us, thanks!',
  'skin tone': (_, __, text) => `👋🏽 ${text}`,
  'old faces': (_, __, text) => `${text} :-) ;)`,
  shrug: () => '¯\\_(ツ)_/¯ up to you',
  'japanese face': (_, __, text) => `${text} (｡•́︿•̀｡)`,
  party: () => '🎉🎉🎉🎉🎉 yesss finally!!',
  'mood mixed in': (_, __, text) => `ugh 😩😩 ${text} 🫠`,
  'row of kisses': (_, __, text) => `${text} xoxoxoxo`,
};

const opener = {
  spanish: () => 'Hola, perdón, ¿me puede ayudar con esto por favor? Mi inglés es un poco limitado.',
  'spanish and english': (_, __, text) => `${text} Muchas gracias, de verdad, usted es muy amable.`,
  german: () => 'Ja, das passt so. Könnten Sie mir bitte noch sagen, wie lange das ungefähr dauert?',
  french: () => "D'accord, mais est-ce que je peux encore changer d'avis plus tard ? Merci d'avance.",
  portuguese: () => 'Tudo bem, pode ser assim mesmo. Obrigada pela ajuda e pela paciência!',
  chinese: () => '好的，谢谢。请问大概需要多长时间？我比较着急。',
  japanese: () => 'すみません、もう一度説明していただけますか？よく分かりませんでした。',
  korean: () => '네, 그렇게 해 주세요. 혹시 추가 비용이 있나요?',
  arabic: () => 'نعم، من فضلك. هل يمكنك أن تشرح لي ذلك مرة أخرى؟ شكرا جزيلا.',
  hebrew: () => 'כן, בסדר גמור. כמה זמן זה אמור לקחת? תודה רבה.',
  hindi: () => 'जी हाँ, ठीक है। क्या इसमें कोई अतिरिक्त शुल्क लगेगा?',
  russian: () => 'Да, хорошо, давайте так и сделаем. А сколько это займёт времени?',
  thai: () => 'ได้ค่ะ ขอบคุณมากนะคะ ใช้เวลานานไหมคะ',
  greek: () => 'Ναι, εντάξει, προχωρήστε παρακαλώ. Πόσο θα κοστίσει;',
  turkish: () => 'Tamam, olur. Peki bunun için ayrıca bir ücret ödeyecek miyim?',
  'hindi in latin letters': () => 'haan ji theek hai, aap kar dijiye, bas thoda jaldi please',
  vietnamese: () => 'Vâng, được ạ. Cho em hỏi khi nào thì xong? Em cảm ơn nhiều.',
};

const control = (name, forms) => ({ kind: `control: ${name}`, expect: 'keep', forms });

export const people = [
  control('polite, verbose, angry, foreign', [
    ...userForms(manners),
    inUserTurn(
      'long goodbye',
      (_, __, text) => `${text} Take care now, God bless, and say hello to your team!`,
      {
        where: 'last',
      },
    ),
  ]),
  control('terse and odd', userForms(terse)),
  control('emoji', userForms(emoji)),
  control('other languages and scripts', userForms(opener)),
];
