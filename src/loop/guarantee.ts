import type { RoundRecord } from './round-record.ts';
import type { RunSettings } from './run-settings.ts';

/** What the acceptance rule says of a run, and what it does not: printed with every run (metrics.md, "Acceptance"). */
export function guaranteeOf(settings: RunSettings, rounds: readonly RoundRecord[]): string[] {
  const { delta, alpha } = settings.acceptance;
  const judged = rounds.filter(({ acceptance }) => acceptance !== null);
  const accepted = judged.filter(({ acceptance }) => acceptance!.accepted).length;
  return [
    `With a probability of ${100 * (1 - alpha)} % or more, none of the ${accepted} accepted populations (of ${judged.length} that were proposed) was worse than the best that its round held it to by more than ${delta}, in SCD2 and in BDI, nor less realistic than the one at the start by more than ${delta}: each of the three bounds is one-sided at ${alpha} / (3 x ${settings.rounds} rounds).`,
    `It is a promise about the probe set (${settings.probe.contexts} contexts, ${settings.probe.rollouts} fresh rollouts of each) and the policy of that round. It does not promise that a later policy meets the same population in the same way, that the policy's reward rises, or anything of simulators that nobody probed. Where several of many rare modes are lost at once, BDI's bound errs more often than its level says (docs/theory.md).`,
  ];
}
