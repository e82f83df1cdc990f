import { isDrawn } from '../metrics/psod-headline.ts';
import { inWords, pValue } from './bound.ts';
import type { DiagnosisInput } from './evidence.ts';
import type { DiagnosisThresholds } from './thresholds.ts';
import type { Verdict } from './verdict.ts';

/**
 * Policy and training simulators drift together. PSOD's *rise* over the base checkpoint counts: harder held-out
 * users make PSOD itself positive before any training.
 */
export function coAdaptation(input: DiagnosisInput, thresholds: DiagnosisThresholds): Verdict {
  const { rise, trend, ...value } = input.psod;
  const gap = `PSOD (reward on training simulators minus that on held-out ones) is ${inWords(value)}`;
  const evidence =
    value.value === null
      ? [`${gap}.`]
      : [
          `${gap}; its rise over the base checkpoint is ${inWords(rise)}.`,
          `Its trend over checkpoints is ${inWords(trend)}.`,
        ];
  if (isDrawn(value) || isDrawn(rise))
    evidence.push(
      'Not every simulator played every context: these are means of the simulators as they were drawn.',
    );
  const verdict = (level: Verdict['level'], p: number | null, advice: string[]): Verdict => ({
    mode: 'co-adaptation',
    level,
    evidence,
    confidence: p === null ? null : 1 - p,
    advice,
  });
  if (rise.value === null)
    return verdict('undecided', null, [
      'Roll out the base checkpoint, on the training and on held-out simulators, over the same contexts.',
    ]);
  if (rise.low !== null && rise.low > 0) {
    if (trend.value === null)
      return verdict('undecided', null, ['Add checkpoints between base and last: the trend is unknown.']);
    if (trend.value > 0)
      return verdict('present', pValue(rise, 'above', 0), [
        'Train against more, or fresher, simulators; pick checkpoints on held-out ones.',
      ]);
    evidence.push('The rise does not go on over checkpoints.');
    return verdict('undecided', null, ['Look at the single checkpoints: the rise is not steady.']);
  }
  if (rise.high !== null && rise.high < thresholds.psodMargin)
    return verdict('absent', pValue(rise, 'below', thresholds.psodMargin), []);
  return verdict('undecided', null, [
    'Use more contexts, or more trials of each: the interval of the rise is wide.',
  ]);
}
