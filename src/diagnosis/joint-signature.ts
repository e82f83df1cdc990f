import { inWords, pValue } from './bound.ts';
import { type DiagnosisInput, SIGNATURE } from './evidence.ts';
import type { Verdict } from './verdict.ts';

/**
 * What collapse looks like while training, all four at once: train reward up, held-out down, the simulators' side of
 * the variance down, zero-variance groups up. A claim of all four holds as far as its weakest part.
 */
export function jointSignature(input: DiagnosisInput): Verdict {
  const parts = SIGNATURE.map(({ metric, words, direction }) => {
    const slope = input.trend.find((t) => t.metric === metric)?.slope ?? null;
    const known = slope !== null && slope.value !== null && slope.low !== null && slope.high !== null;
    const side = direction > 0 ? 'above' : 'below';
    const shown = known && (direction > 0 ? slope.low! > 0 : slope.high! < 0);
    const refuted = known && (direction > 0 ? slope.high! < 0 : slope.low! > 0);
    return {
      text: `${words}: slope per epoch ${slope === null ? `unknown (${unmeasured(metric)})` : inWords(slope)}, expected ${direction > 0 ? 'up' : 'down'}`,
      metric,
      known,
      shown,
      refuted,
      p: slope === null ? null : pValue(slope, side, 0),
      counter: slope === null ? null : pValue(slope, direction > 0 ? 'below' : 'above', 0),
    };
  });
  const shown = parts.filter((part) => part.shown).length;
  const evidence = [...parts.map((part) => `${part.text}.`), `${shown} of ${parts.length} shown.`];
  const build = (level: Verdict['level'], p: number | null, advice: string[]): Verdict => ({
    mode: 'joint signature',
    level,
    evidence,
    confidence: p === null ? null : 1 - p,
    advice,
  });
  if (shown === parts.length)
    return build('present', Math.max(...parts.map((part) => part.p ?? 1)), [
      'Stop or slow training and re-diversify the simulators before going on.',
    ]);
  const refuted = parts.filter((part) => part.refuted);
  if (refuted.length > 0)
    return build('absent', Math.min(...refuted.map((part) => part.counter ?? 1)) * parts.length, []);
  // What nobody can record is no advice.
  const unrecorded = parts.filter((part) => !part.known && part.metric !== NESTED).length;
  return build('undecided', null, [
    unrecorded > 0
      ? 'Record epochs, rewards, groups and a held-out panel: part of the signature is not measured.'
      : 'Go on watching: part of the signature is not shown.',
  ]);
}

/** Comes from nested re-simulation only, so that an audit of rollout files never shows all four. */
const NESTED = 'variance.simulator';

const unmeasured = (metric: string) =>
  metric === NESTED ? 'needs nested re-simulation, which no rollout file holds' : 'not measured';
