import type { AcceptancePower } from '../loop/index.ts';
import type { Figure } from '../metrics/figure.ts';

/** What a probe set should let through of populations that are as good as the best (metrics.md, "Acceptance"). */
const ENOUGH = 0.8;

/** What the acceptance rule can tell in a run, in sentences. */
export function powerWords({ contexts, rollouts, gain, equal, better }: AcceptancePower): string[] {
  const trials = equal.shared.bounds.n;
  const sentences = [
    `What the acceptance rule can tell with ${contexts} contexts and ${rollouts} rollouts of each (${trials} simulated trials a figure): a population that is as good as the best so far keeps the three bounds in ${shareText(equal.shared.bounds)} where it has the same luck, as in the lab, and in ${shareText(equal.own.bounds)} with luck of its own, as language models have.`,
    better.shared.accepted.value === null
      ? `None can be better by ${gain} in SCD2: ${better.shared.accepted.reason}.`
      : `One whose SCD2 is lower by ${gain} is accepted in ${shareText(better.shared.accepted)} and ${shareText(better.own.accepted)}.`,
  ];
  const few = [
    ...(below(equal.shared.bounds) ? ['with shared luck'] : []),
    ...(below(equal.own.bounds) ? ['with luck of its own'] : []),
  ];
  if (few.length > 0)
    sentences.push(
      `${few.join(' and ').replace(/^w/, 'W')} that is less than ${100 * ENOUGH} %: good populations are rolled back. More contexts or rollouts (--rollouts) let more of them through.`,
    );
  return sentences;
}

const below = ({ value }: Figure): boolean => value !== null && value < ENOUGH;

function shareText({ value, low, high }: Figure): string {
  const percent = (share: number) => (100 * share).toFixed(0);
  if (value === null) return 'an unknown share of trials';
  return low === null || high === null
    ? `${percent(value)} %`
    : `${percent(value)} % [${percent(low)}, ${percent(high)}]`;
}
