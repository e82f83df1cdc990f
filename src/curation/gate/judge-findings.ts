import type { Finding, JudgeVote } from './check.ts';
import { finding } from './evidence.ts';
import type { JudgeRecipe } from './gate-recipe.ts';

/**
 * What a model's votes say of a row. A question with `agree` or more answers "yes" is a finding `judge:<question>`
 * that blames the simulator; one that was not asked, or whose unreadable answers could have made it one, is unchecked.
 */
export function judgeFindings(
  judge: Pick<JudgeRecipe, 'questions' | 'agree'>,
  votes: readonly JudgeVote[] | 'unchecked',
): { findings: readonly Finding[]; unchecked: readonly string[] } {
  const findings: Finding[] = [];
  const unchecked: string[] = [];
  for (const question of judge.questions) {
    const name = `judge:${question}`;
    const vote = votes === 'unchecked' ? undefined : votes.find((one) => one.question === question);
    if (vote === undefined) unchecked.push(name);
    else if (vote.yes >= judge.agree)
      findings.push(
        finding(
          name,
          'simulator',
          `a model says so (${vote.yes} of ${vote.yes + vote.no + vote.invalid})`,
          vote.reason ?? '',
          null,
        ),
      );
    else if (vote.invalid > 0 && vote.yes + vote.invalid >= judge.agree) unchecked.push(name);
  }
  return { findings, unchecked };
}
