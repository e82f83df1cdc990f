/** What one simulator reads as (metrics.md, "Style"). */
export type SimulatorVerdict = 'narrow' | 'one style, varied' | 'off support' | 'not narrow' | 'undecided';

export type DiagnosisMode = 'mode collapse' | 'coverage gap' | 'co-adaptation' | 'joint signature';

/** One diagnosis: a claim, whether it holds, and the numbers it rests on. */
export interface Verdict {
  readonly mode: DiagnosisMode;
  readonly level: 'present' | 'absent' | 'undecided';
  /** Sentences that carry the numbers and their intervals. */
  readonly evidence: readonly string[];
  /** 0..1: 1 - the (Holm-adjusted) p-value of the claim, null where undecided. */
  readonly confidence: number | null;
  /** Plain words: what to do next. */
  readonly advice: readonly string[];
}
