import { coAdaptation } from './co-adaptation.ts';
import { coverageGap } from './coverage-gap.ts';
import type { DiagnosisInput } from './evidence.ts';
import { jointSignature } from './joint-signature.ts';
import { modeCollapse } from './mode-collapse.ts';
import { type DiagnosisThresholds, THRESHOLDS } from './thresholds.ts';
import type { Verdict } from './verdict.ts';

/**
 * The four diagnoses (metrics.md, "Diagnosis"), always all four and in this order. Where a figure is null the
 * verdict is `undecided` and its evidence says why.
 */
export function diagnose(input: DiagnosisInput, overrides: Partial<DiagnosisThresholds> = {}): Verdict[] {
  const thresholds = { ...THRESHOLDS, ...overrides };
  const verdicts = [
    modeCollapse(input, thresholds),
    coverageGap(input, thresholds),
    coAdaptation(input, thresholds),
    jointSignature(input),
  ];
  const onePolicy = input.confounds.filter((c) => c.kind === 'one-policy' && c.simulator !== null);
  if (onePolicy.length === 0) return verdicts;
  const warning = `Met one policy only, so cannot be told from it: ${onePolicy.map((c) => c.simulator).join(', ')}.`;
  return verdicts.map((verdict) =>
    verdict.mode === 'mode collapse' || verdict.mode === 'coverage gap'
      ? { ...verdict, evidence: [...verdict.evidence, warning] }
      : verdict,
  );
}
