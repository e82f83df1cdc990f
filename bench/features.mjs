// How well each rule of the interaction features finds what people annotated: P4G, sentences of the persuadee.
// Prints a markdown table; writes nothing.  npm run build:ts && node bench/features.mjs [--misses CUE]
import { join } from 'node:path';
import { DIST, needData, p4gSentences } from './corpora.mjs';

needData('p4g');
const { has, sentenceCues } = await import(join(DIST, 'embedding', 'cues.js'));
const { sentences } = await import(join(DIST, 'embedding', 'sentences.js'));

/** Which annotated acts each cue should find. */
const ACTS = {
  asks: [
    'ask-org-info',
    'task-related-inquiry',
    'personal-related-inquiry',
    'ask-donation-procedure',
    'ask-persuader-donation-intention',
  ],
  clarifies: ['ask-org-info', 'ask-donation-procedure', 'task-related-inquiry'],
  refuses: [
    'disagree-donation',
    'disagree-donation-more',
    'negative-reaction-to-donation',
    'negative-to-inquiry',
  ],
  agrees: [
    'agree-donation',
    'confirm-donation',
    'positive-reaction-to-donation',
    'positive-to-inquiry',
    'provide-donation-amount',
    'acknowledgement',
  ],
  thanks: ['thank'],
  greets: ['greeting'],
  parts: ['closing'],
};

const spoken = (await p4gSentences()).filter((sentence) => sentence.persuadee);
const read = spoken.map(({ text, act, second, dialogue }) => ({
  text,
  dialogue,
  acts: second === null ? [act] : [act, second],
  cues: sentences(text).reduce((bits, sentence) => bits | sentenceCues(sentence), 0),
}));

/** Wilson interval of a share. */
function share(k, n) {
  if (n === 0) return '-';
  const z = 1.959964;
  const p = k / n;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return `${p.toFixed(2)} [${(centre - half).toFixed(2)}, ${(centre + half).toFixed(2)}]`;
}

console.log(
  `${read.length} sentences of persuadees in ${new Set(read.map((row) => row.dialogue)).size} dialogues\n`,
);
console.log('| cue | annotated acts | annotated | found | precision | recall |');
console.log('|---|---|---|---|---|---|');
for (const [cue, acts] of Object.entries(ACTS)) {
  const is = (row) => row.acts.some((act) => acts.includes(act));
  const truth = read.filter(is);
  const found = read.filter((row) => has(row, cue));
  const hit = found.filter(is).length;
  console.log(
    `| ${cue} | ${acts.join(', ')} | ${truth.length} | ${found.length} | ${share(hit, found.length)} | ${share(hit, truth.length)} |`,
  );
}

const wanted = process.argv.indexOf('--misses');
if (wanted !== -1) {
  const cue = process.argv[wanted + 1];
  const is = (row) => row.acts.some((act) => ACTS[cue].includes(act));
  for (const row of read)
    if (has(row, cue) !== is(row))
      console.log(has(row, cue) ? 'extra' : 'missed', row.acts.join('+'), '|', row.text);
}
