import type { Random } from '../../math/random.ts';
import type { VerbalizedRecipe } from '../../population/index.ts';
import type { Candidate } from '../../trajectory/trajectory.ts';
import type { Stated } from './verbalized-parse.ts';

export interface Drawn {
  readonly index: number;
  /** Of saying this, given the candidates; candidates that say the same count together. */
  readonly probability: number;
  /** What was wrong with the stated probabilities; null where nothing was. */
  readonly note: string | null;
}

/**
 * One candidate: by the stated probabilities over their sum, or each alike. Where a stated one cannot be used there is no
 * law to follow, and each is drawn alike. `all` is not empty.
 */
export function drawCandidate(all: readonly Stated[], draw: VerbalizedRecipe['draw'], random: Random): Drawn {
  const stated = all.map(({ probability }) => probability);
  const sum = stated.reduce<number>((total, one) => total + (one ?? 0), 0);
  const bad = stated.filter((one) => one === null).length;
  const note =
    draw === 'random'
      ? null
      : bad > 0
        ? `${bad} of ${all.length} stated probabilities cannot be used: each candidate drawn alike`
        : sum > 0
          ? null
          : 'all stated probabilities are 0: each candidate drawn alike';
  const alike = draw === 'random' || note !== null;
  const shares = stated.map((one) => (alike ? 1 / all.length : one! / sum));
  let left = random.next();
  let index = -1;
  for (const [at, share] of shares.entries()) {
    if (share === 0) continue;
    index = at;
    left -= share;
    if (left < 0) break;
  }
  const same = (one: Stated) => candidateText(one) === candidateText(all[index]!);
  const probability = shares.reduce((total, share, at) => (same(all[at]!) ? total + share : total), 0);
  return { index, probability: Math.min(1, probability), note };
}

/** As it goes on record: a call as JSON. */
export const candidateOf = (one: Stated): Candidate => ({
  text: candidateText(one),
  probability: one.probability,
});

function candidateText({ text, call }: Stated): string {
  return call === null ? (text ?? '') : JSON.stringify({ tool: call.name, arguments: call.arguments });
}
