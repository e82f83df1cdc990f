import { inWords, lowerBound, pValue } from './bound.ts';
import type { DiagnosisInput, JudgedSimulator } from './evidence.ts';
import type { DiagnosisThresholds } from './thresholds.ts';
import type { Verdict } from './verdict.ts';

/** The pool is collapsed (SCD2 above its bar), or single simulators are narrow; and which of the two ways. */
export function modeCollapse(input: DiagnosisInput, thresholds: DiagnosisThresholds): Verdict {
  const { pooled2 } = input.scd;
  const people = input.reference?.scd2 ?? null;
  const bar =
    people !== null && people.value !== null ? people.value + thresholds.scdOverPeople : thresholds.scd;
  const barWords =
    people !== null && people.value !== null
      ? `people's own ${inWords(people)} plus ${thresholds.scdOverPeople}`
      : `the threshold ${thresholds.scd}`;
  const evidence = [
    `SCD2 of the pool (0: all modes equally often, 1: one mode only) is ${inWords(pooled2)}; it is held against ${barWords}.`,
  ];

  const narrow = input.simulators.filter((s) => s.verdict === 'narrow');
  const styled = input.simulators.filter((s) => s.verdict === 'one style, varied');
  const outside = input.simulators.filter((s) => s.verdict === 'off support');
  const open = input.simulators.filter((s) => s.verdict === 'undecided');
  for (const s of narrow)
    evidence.push(
      `${s.id} is narrow: MCI ${inWords(s.mci)}${
        s.versusReference === null ? '' : `, above people's by ${inWords(s.versusReference.mci)}`
      }, spread ${inWords(s.spread)}, n = ${s.n}.`,
    );
  for (const s of styled)
    evidence.push(
      `${s.id} has one style but varied replies: MCI ${inWords(s.mci)}, spread ${inWords(s.spread)}.`,
    );
  if (outside.length > 0)
    evidence.push(`Off support, so not judged: ${outside.map((s) => s.id).join(', ')}.`);

  const poolP = pValue(pooled2, 'above', bar);
  const low = lowerBound(pooled2, thresholds.alpha);
  const poolHigh = low !== null && low > bar;
  if (poolHigh || narrow.length > 0) {
    evidence.push(...whichWay(input, thresholds));
    return {
      mode: 'mode collapse',
      level: 'present',
      evidence,
      confidence: confidenceOf(poolP, narrow, thresholds),
      advice: adviceFor(narrow, poolHigh),
    };
  }
  const poolLow = pooled2.high !== null && pooled2.high < bar;
  if (poolLow && open.length === 0 && outside.length < input.simulators.length)
    return {
      mode: 'mode collapse',
      level: 'absent',
      evidence,
      confidence: 1 - (pValue(pooled2, 'below', bar) ?? 1),
      advice: [],
    };
  if (open.length > 0) evidence.push(`Not decided for ${open.map((s) => s.id).join(', ')}.`);
  return {
    mode: 'mode collapse',
    level: 'undecided',
    evidence,
    confidence: null,
    advice: [
      pooled2.value === null
        ? 'See the reason above: without SCD2 the pool cannot be judged.'
        : input.reference === null && input.simulators.length < 2
          ? 'Audit a second simulator, or people, beside it: one alone is its own yardstick.'
          : 'Collect more contexts: the interval is too wide to say.',
    ],
  };
}

/** log(1/c_mix) = log(1/c_within) + log(c_within/c_mix): small first part = narrow each, small second = all alike. */
function whichWay(input: DiagnosisInput, thresholds: DiagnosisThresholds): string[] {
  const { pooled2Within: within, pooled2Alike: between } = input.scd;
  if (within.value === null || between.value === null)
    return [`Narrow each or all alike is unknown (${within.reason ?? between.reason ?? 'no split'}).`];
  const logK = Math.log(input.space.k);
  const narrowEach = within.value < (1 - thresholds.scd) * logK;
  const alike = between.value < within.value;
  const word =
    input.simulators.length < 2
      ? 'one simulator, narrow by itself'
      : `${narrowEach ? 'narrow each' : 'not narrow on average'}, ${alike ? 'much alike' : 'unlike one another'}`;
  return [
    `Of what variety there is, ${inWords(within)} lies within simulators and ${inWords(between)} between them ` +
      `(nats, of at most log K = ${logK.toFixed(2)}): ${word}.`,
  ];
}

/** Several ways to one claim: the best p-value times the ways there were; Holm's are one way together. */
function confidenceOf(
  poolP: number | null,
  narrow: readonly JudgedSimulator[],
  thresholds: DiagnosisThresholds,
): number | null {
  const ways = narrow.map((s) => {
    const concentration =
      s.versusReference === null
        ? null
        : (s.versusReference.mciHolm ?? pValue(s.versusReference.mci, 'above', 0));
    const spread = pValue(s.spread, 'below', thresholds.spreadNarrow);
    return concentration === null ? spread : spread === null ? null : Math.max(concentration, spread);
  });
  const known = [poolP, ...ways].filter((p): p is number => p !== null);
  if (known.length === 0) return null;
  const adjusted = narrow.some((s) => (s.versusReference?.mciHolm ?? null) !== null);
  return Math.max(0, 1 - Math.min(...known) * (adjusted ? Math.min(2, known.length) : known.length));
}

function adviceFor(narrow: readonly JudgedSimulator[], poolHigh: boolean): string[] {
  const advice: string[] = [];
  if (narrow.length > 0)
    advice.push(`Give ${narrow.map((s) => s.id).join(', ')} less weight, or vary their prompts or sampling.`);
  if (poolHigh)
    advice.push(
      'Add simulators that behave differently from those there are: more copies of one do not help.',
    );
  return advice;
}
