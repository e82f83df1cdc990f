import type { JudgeRecipe } from '../curation/gate/gate-recipe.ts';
import { judgePrompt } from '../curation/gate/judge-prompt.ts';
import { judgeQuestions, questionsFor } from '../curation/gate/judge-questions.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';

/** Characters a token, roughly, in English; and tokens of one answer. Only for estimates that are called so. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_ANSWER = 50;

/** What a judge would be asked: an estimate before the cache. */
export interface JudgePlan {
  /** Rows of which something can be asked. */
  readonly rows: number;
  readonly calls: number;
  /** About 4 characters a token. */
  readonly promptTokens: number;
  /** About 50 tokens an answer. */
  readonly completionTokens: number;
}

/** Counts, without asking anybody, what `rows` would cost. @throws CA_CONFIG_INVALID for an unknown question. */
export async function judgePlan(
  recipe: Pick<JudgeRecipe, 'questions' | 'votes'>,
  rows: Iterable<Trajectory> | AsyncIterable<Trajectory>,
): Promise<JudgePlan> {
  const asked = judgeQuestions(recipe.questions);
  let [count, characters, answers] = [0, 0, 0];
  for await (const row of rows) {
    const questions = questionsFor(row, asked);
    if (questions.length === 0) continue;
    count++;
    answers += questions.length;
    for (const { content } of judgePrompt(row, questions)) characters += content.length;
  }
  return {
    rows: count,
    calls: count * recipe.votes,
    promptTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) * recipe.votes,
    completionTokens: answers * TOKENS_PER_ANSWER * recipe.votes,
  };
}
