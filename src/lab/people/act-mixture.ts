import type { Random } from '../../math/index.ts';
import { type ActDialogue, CONTEXTS, USERS } from './act-dialogue.ts';
import type { Law } from './act-law.ts';

// Of this module: the loops below are the hot ones, and a binding of another module may be a getter.
const WIDTH = USERS;

/** Latent types of people: type m answers by P(act | context, m) proportional to base law * tilts[m][act]. */
export interface ActTypes {
  /** Sum to 1, largest first. */
  readonly shares: readonly number[];
  /** Factors > 0 by act; 1 leaves the base law as it is. */
  readonly tilts: readonly (readonly number[])[];
}

export interface MixtureOptions {
  readonly types: number;
  /** Seeded starts; the best by penalised likelihood is kept. */
  readonly starts: number;
  /** kappa of the Gamma(kappa + 1, kappa) prior of every tilt (mode 1): turns that say "as everyone". */
  readonly shrink: number;
  readonly limit?: number;
}

/**
 * EM (Dempster, Laird, Rubin 1977) with the base law held fixed. A type's tilts have no closed form, since each
 * context normalises them: the M step raises a minorant instead (log Z(w) is bounded by its tangent, as for
 * Bradley-Terry, Hunter 2004), so the penalised likelihood never falls. Shares have a Dirichlet prior of 1 turn each.
 */
export function fitTypes(
  dialogues: readonly ActDialogue[],
  base: Law,
  options: MixtureOptions,
  random: Random,
): ActTypes {
  let best: { types: ActTypes; value: number } | null = null;
  const sorted = [...dialogues].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let start = 0; start < (options.types === 1 ? 1 : options.starts); start++) {
    const fitted = climb(sorted, base, options, random.fork(`start ${start}`));
    if (best === null || fitted.value > best.value) best = fitted;
  }
  return inOrder(best!.types);
}

/** P(act | context, type), normalised: the law of one type. */
export function tiltedLaw(base: Law, tilt: readonly number[]): Law {
  const law = new Float64Array(base.length);
  for (let row = 0; row < base.length; row += WIDTH) {
    let scale = 0;
    for (let act = 0; act < WIDTH; act++) scale += base[row + act]! * tilt[act]!;
    for (let act = 0; act < WIDTH; act++) law[row + act] = (base[row + act]! * tilt[act]!) / scale;
  }
  return law;
}

/** Probability of each type given a dialogue, and the log-likelihood of the dialogue over all types. */
export function typeOf(
  dialogue: ActDialogue,
  shares: readonly number[],
  logLaws: readonly Float64Array[],
): { posterior: number[]; value: number } {
  const logs = shares.map((share, type) => {
    let value = Math.log(share);
    for (let i = 0; i < dialogue.acts.length; i++)
      value += logLaws[type]![dialogue.contexts[i]! * WIDTH + dialogue.acts[i]!]!;
    return value;
  });
  const top = Math.max(...logs);
  const odds = logs.map((value) => Math.exp(value - top));
  const sum = odds.reduce((a, b) => a + b, 0);
  return { posterior: odds.map((odd) => odd / sum), value: top + Math.log(sum) };
}

export function logLawsOf(base: Law, types: ActTypes): Float64Array[] {
  return types.tilts.map((tilt) => tiltedLaw(base, tilt).map(Math.log));
}

function climb(
  dialogues: readonly ActDialogue[],
  base: Law,
  { types, shrink, limit = 300 }: MixtureOptions,
  random: Random,
): { types: ActTypes; value: number } {
  const n = dialogues.length;
  let posteriors = dialogues.map(() => {
    const odds = Array.from({ length: types }, () => Math.exp(random.normal()));
    const sum = odds.reduce((a, b) => a + b, 0);
    return odds.map((odd) => odd / sum);
  });
  let tilts = Array.from({ length: types }, () => new Array<number>(WIDTH).fill(1));
  let shares: number[] = [];
  let value = Number.NEGATIVE_INFINITY;
  for (let round = 0; round < limit; round++) {
    shares = Array.from(
      { length: types },
      (_, type) => (posteriors.reduce((sum, p) => sum + p[type]!, 0) + 1) / (n + types),
    );
    tilts = tilts.map((tilt, type) => raised(dialogues, posteriors, base, tilt, type, shrink));
    const logLaws = logLawsOf(base, { shares, tilts });
    const seen = dialogues.map((dialogue) => typeOf(dialogue, shares, logLaws));
    posteriors = seen.map(({ posterior }) => posterior);
    let next = seen.reduce((sum, one) => sum + one.value, 0);
    for (const share of shares) next += Math.log(share);
    for (const tilt of tilts) for (const w of tilt) next += shrink * (Math.log(w) - w);
    const gain = next - value;
    value = next;
    if (round > 5 && gain < 1e-3) break;
  }
  return { types: { shares, tilts }, value };
}

/** One minorising step for the tilts of a type. */
function raised(
  dialogues: readonly ActDialogue[],
  posteriors: readonly (readonly number[])[],
  base: Law,
  tilt: readonly number[],
  type: number,
  shrink: number,
): number[] {
  const visits = new Float64Array(CONTEXTS);
  const said = new Float64Array(WIDTH);
  dialogues.forEach(({ contexts, acts }, d) => {
    const weight = posteriors[d]![type]!;
    for (let i = 0; i < acts.length; i++) {
      visits[contexts[i]!]! += weight;
      said[acts[i]!]! += weight;
    }
  });
  const due = new Float64Array(WIDTH);
  for (let context = 0; context < CONTEXTS; context++) {
    if (visits[context] === 0) continue;
    const row = context * WIDTH;
    let scale = 0;
    for (let act = 0; act < WIDTH; act++) scale += base[row + act]! * tilt[act]!;
    for (let act = 0; act < WIDTH; act++) due[act]! += (visits[context]! * base[row + act]!) / scale;
  }
  return tilt.map((_, act) => (said[act]! + shrink) / (due[act]! + shrink));
}

function inOrder({ shares, tilts }: ActTypes): ActTypes {
  const order = shares.map((_, type) => type).sort((a, b) => shares[b]! - shares[a]!);
  return { shares: order.map((type) => shares[type]!), tilts: order.map((type) => tilts[type]!) };
}
