import { inWords, pValue } from './bound.ts';
import type { DiagnosisInput } from './evidence.ts';
import type { DiagnosisThresholds } from './thresholds.ts';
import type { Verdict } from './verdict.ts';

const NAMED = 5;

/** Modes of people that the data do not reach: BDI (of fresh people's own mass, at g0 contexts) surely below the bar. */
export function coverageGap(input: DiagnosisInput, thresholds: DiagnosisThresholds): Verdict {
  const { headline, g0 } = input.bdi;
  const size = g0 === null ? '' : ` at ${g0} contexts`;
  const evidence = [
    headline.value === null
      ? `BDI is ${inWords(headline)}.`
      : `BDI, the share of what fresh people reach${size}, is ${inWords(headline)}; it is held against ${thresholds.bdi}.`,
  ];
  if (input.missing.length > 0) {
    const named = [...input.missing].sort((a, b) => (b.mass.value ?? 0) - (a.mass.value ?? 0));
    const list = named.slice(0, NAMED).map((m) => `mode ${m.mode} (mass ${inWords(m.mass)})`);
    const rest = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
    evidence.push(`People show these and the data do not: ${list.join(', ')}${rest}.`);
  }
  if (headline.high !== null && headline.high < thresholds.bdi)
    return {
      mode: 'coverage gap',
      level: 'present',
      evidence,
      confidence: confidence(pValue(headline, 'below', thresholds.bdi)),
      advice: [
        input.missing.length > 0
          ? 'Read the exemplars of the missing modes and write simulators that show them.'
          : 'Add simulators or personas: no single mode is surely missing, many are thin.',
      ],
    };
  if (headline.low !== null && headline.low >= thresholds.bdi)
    return {
      mode: 'coverage gap',
      level: 'absent',
      evidence,
      confidence: confidence(pValue(headline, 'above', thresholds.bdi)),
      advice: [],
    };
  return {
    mode: 'coverage gap',
    level: 'undecided',
    evidence,
    confidence: null,
    advice: [
      headline.value === null
        ? 'Give dialogues of people with --reference: coverage is measured against what people do.'
        : 'Collect more contexts: the interval holds the threshold.',
    ],
  };
}

const confidence = (p: number | null) => (p === null ? null : 1 - p);
