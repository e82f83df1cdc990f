/** What contractions stand for, whichever way round they were written. */
const LONG: readonly (readonly [RegExp, string])[] = [
  [/\bwon't/g, 'will not'],
  [/\bcan't/g, 'can not'],
  [/n't/g, ' not'],
  [/'m\b/g, ' am'],
  [/'ll\b/g, ' will'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'d\b/g, ' would'],
  [/'s\b/g, ' is'],
];

/** Without capitals and contractions. */
export function plain(text: string): string {
  const low = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'");
  return LONG.reduce((now, [from, to]) => now.replace(from, to), low);
}

/** Letters and digits alone: what a hand of writing (capitals, marks, spaces, contractions) cannot change. */
export function folded(text: string): string {
  return plain(text).replace(/[^\p{L}\p{N}_]+/gu, '');
}

/** Words without their endings, pairs of neighbours, and a mark for a question. */
export function tokensOf(text: string): string[] {
  const low = plain(text);
  const words = (low.match(/[\p{L}\p{N}_]+/gu) ?? []).map(stem);
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  return [...words.filter((word) => !LITTLE.has(word)), ...pairs, ...(low.includes('?') ? ['?'] : [])];
}

/** Words that stand in whatever is said: only beside another do they say something. */
const LITTLE: ReadonlySet<string> = new Set(
  'a an and as at be by for from in is it of on or over that the there this to'.split(' '),
);

function stem(word: string): string {
  if (word.length < 5) return word.length === 4 ? word.replace(/s$/, '') : word;
  return word.replace(/(?:ations?|ings?|ers?|ed|es|ly|s)$/, '').replace(/(?:e|i|y)$/, '');
}
