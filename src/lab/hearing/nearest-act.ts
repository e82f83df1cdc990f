import { tokensOf } from './folded-text.ts';

/** Ways to say acts, from which the nearest to another text is found. */
export interface ActIndex {
  /** Likeness of the text to each act, 0..1 (cosine of TF-IDF: half to all its wordings, half to the nearest one). */
  likeness(text: string, into: Float64Array): void;
}

interface Weighted {
  readonly weights: ReadonlyMap<string, number>;
  readonly norm: number;
}

/** @param wordings by act, what each of its ways to say it can sound like. */
export function indexActs(wordings: readonly (readonly (readonly string[])[])[]): ActIndex {
  // Of each wording, the tokens of all it can sound like.
  const bags = wordings.map((ways) => ways.map((texts) => new Set(texts.flatMap(tokensOf))));
  const among = new Map<string, number>();
  for (const ways of bags)
    for (const token of new Set(ways.flatMap((bag) => [...bag])))
      among.set(token, (among.get(token) ?? 0) + 1);
  const acts = bags.length;
  const idf = (token: string) => Math.log((acts + 1) / ((among.get(token) ?? 0) + 0.5));
  const weighted = (counts: ReadonlyMap<string, number>): Weighted => {
    let norm = 0;
    const weights = new Map<string, number>();
    for (const [token, count] of counts) {
      const weight = Math.sqrt(count) * idf(token);
      weights.set(token, weight);
      norm += weight * weight;
    }
    return { weights, norm: Math.sqrt(norm) };
  };
  const counted = (sets: readonly ReadonlySet<string>[]) => {
    const counts = new Map<string, number>();
    for (const set of sets) for (const token of set) counts.set(token, (counts.get(token) ?? 0) + 1);
    return counts;
  };
  const index = bags.map((ways) => ({
    all: weighted(counted(ways)),
    each: ways.map((bag) => weighted(counted([bag]))),
  }));
  return {
    likeness(text, into) {
      // Words that no wording has count in full: a text about something else is near to nothing.
      const asked = weighted(new Map([...new Set(tokensOf(text))].map((token) => [token, 1])));
      index.forEach(({ all, each }, act) => {
        let near = 0;
        for (const one of each) near = Math.max(near, cosine(asked, one));
        into[act] = 0.5 * near + 0.5 * cosine(asked, all);
      });
    },
  };
}

function cosine(a: Weighted, b: Weighted): number {
  if (a.norm === 0 || b.norm === 0) return 0;
  let sum = 0;
  for (const [token, weight] of a.weights) sum += weight * (b.weights.get(token) ?? 0);
  return sum / (a.norm * b.norm);
}
