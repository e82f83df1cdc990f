// How well each rule of the interaction features finds what people annotated: P4G, sentences of the persuadee.
// Then, on whole dialogues: how far a feature moves when a dialogue is cut to half its turns, how well it tells people
// from LLM targets of the same persuaders, and how often English is taken for another language.
// Prints markdown tables; writes nothing.  npm run build:ts && node bench/features.mjs [--misses CUE]
import { join } from 'node:path';
import { DIST, needData, p4gEpisodes, p4gSentences, persuasion, tau2 } from './corpora.mjs';

for (const folder of ['p4g', 'persuasiontrace', 'tau2']) needData(folder);
const { has, sentenceCues } = await import(join(DIST, 'embedding', 'cues.js'));
const { FEATURES, interactionFeatures } = await import(join(DIST, 'embedding', 'index.js'));
const { isEnglish, readEpisode } = await import(join(DIST, 'embedding', 'reading.js'));
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

const people = await p4gEpisodes();
const debates = persuasion();
/** The first half of the dialogue. */
const half = (episode) => {
  const spoken = episode.turns.filter((turn) => turn.role === 'user').length;
  let left = Math.ceil(spoken / 2);
  const turns = [];
  for (const turn of episode.turns) {
    if (turn.role === 'user' && left-- === 0) break;
    turns.push(turn);
  }
  return { ...episode, turns };
};
const known = (rows, k) => rows.map((row) => row[k]).filter((value) => !Number.isNaN(value));
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const deviation = (values) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
/** P(x > y) + P(x = y) / 2: 0.5 = no difference. */
function auc(a, b) {
  const all = [...a.map((value) => [value, 1]), ...b.map((value) => [value, 0])].sort((x, y) => x[0] - y[0]);
  let rank = 0;
  let total = 0;
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && all[end][0] === all[at][0]) end++;
    for (; at < end; at++) if (all[at][1] === 1) total += (rank + 1 + end) / 2;
    rank = end;
  }
  return (total - (a.length * (a.length + 1)) / 2) / (a.length * b.length);
}
const full = people.map(interactionFeatures);
const cut = people.map((episode) => interactionFeatures(half(episode)));
const human = debates.filter((episode) => episode.simulator.id === 'people').map(interactionFeatures);
const model = debates.filter((episode) => episode.simulator.id !== 'people').map(interactionFeatures);
console.log(
  `\n${people.length} dialogues of P4G; persuasiontrace: ${human.length} rounds of people, ${model.length} of LLM targets\n`,
);
console.log('| feature | family | P4G mean (sd) | shift at half the turns, sd | LLM above people, AUC |');
console.log('|---|---|---|---|---|');
FEATURES.forEach(({ name, family }, k) => {
  const both = full
    .map((row, at) => [row[k], cut[at][k]])
    .filter(([a, b]) => !Number.isNaN(a) && !Number.isNaN(b));
  const values = known(full, k);
  const sd = deviation(values);
  const shift = both.length < 30 || !(sd > 0) ? '-' : (mean(both.map(([a, b]) => b - a)) / sd).toFixed(2);
  const [a, b] = [known(model, k), known(human, k)];
  const scale = values.length < 30 ? '-' : `${mean(values).toFixed(2)} (${sd.toFixed(2)})`;
  console.log(
    `| ${name} | ${family} | ${scale} | ${shift} | ${a.length < 30 || b.length < 30 ? '-' : auc(a, b).toFixed(2)} |`,
  );
});

console.log('\n| corpus (all English) | episodes | taken for another language |');
console.log('|---|---|---|');
for (const [corpus, episodes] of [
  ['P4G', people],
  ['persuasiontrace', debates],
  ['tau2', tau2(/./)],
])
  console.log(
    `| ${corpus} | ${episodes.length} | ${episodes.filter((episode) => !isEnglish(readEpisode(episode))).length} |`,
  );

const wanted = process.argv.indexOf('--misses');
if (wanted !== -1) {
  const cue = process.argv[wanted + 1];
  const is = (row) => row.acts.some((act) => ACTS[cue].includes(act));
  for (const row of read)
    if (has(row, cue) !== is(row))
      console.log(has(row, cue) ? 'extra' : 'missed', row.acts.join('+'), '|', row.text);
}
