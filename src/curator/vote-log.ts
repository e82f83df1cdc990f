import type { JudgeVote } from '../curation/gate/check.ts';
import type { JudgeAnswer } from '../curation/gate/judge-reply.ts';

/** One answer of a model to one question about one row: a line of votes.jsonl. */
export interface VoteLine {
  /** Content hash of the row. */
  readonly hash: string;
  readonly question: string;
  /** Number of the vote, from 0. */
  readonly vote: number;
  readonly answer: JudgeAnswer['answer'];
  readonly reason: string | null;
  /** The model that answered, by its own account where it gives one. */
  readonly model: string;
}

/** Receives every line, in the order of the rows, then of the votes, then of the questions; it is awaited. */
export type VoteLog = (line: VoteLine) => void | Promise<void>;

/** Lines of one row as counts by question, in the order of `questions`; none where it was not asked. */
export function tallyVotes(lines: readonly VoteLine[], questions: readonly string[]): readonly JudgeVote[] {
  return questions.map((question) => {
    const own = lines.filter((line) => line.question === question);
    const count = (answer: VoteLine['answer']) => own.filter((line) => line.answer === answer).length;
    return {
      question,
      yes: count('yes'),
      no: count('no'),
      invalid: count('invalid'),
      reason: own.find(({ answer, reason }) => answer === 'yes' && reason !== null)?.reason ?? null,
    };
  });
}
