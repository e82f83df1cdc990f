import type { JudgeQuestion } from './judge-questions.ts';

export interface JudgeAnswer {
  readonly answer: 'yes' | 'no' | 'invalid';
  /** One sentence of evidence, at most 300 characters; null where none was given. */
  readonly reason: string | null;
}

const MOST_REASON = 300;
const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i;
/** Reasoning models put their thoughts before the answer. */
const THOUGHT = /^\s*<think>[\s\S]*?<\/think>/;

/**
 * Answers of one reply by the question's name: strict JSON, bare or in one code fence. A question that is missing, or
 * answered by anything but "yes" or "no", is invalid; so are all where the text is not such JSON.
 */
export function readJudgeReply(
  text: string | null,
  questions: readonly Pick<JudgeQuestion, 'name'>[],
): ReadonlyMap<string, JudgeAnswer> {
  const answers = answersIn(text ?? '');
  return new Map(questions.map(({ name }) => [name, answerOf(own(answers, name))]));
}

function answersIn(text: string): unknown {
  const bare = text.replace(THOUGHT, '').trim();
  try {
    return own(JSON.parse(FENCE.exec(bare)?.[1] ?? bare), 'answers');
  } catch {
    return null;
  }
}

function answerOf(value: unknown): JudgeAnswer {
  const said = own(value, 'answer');
  const answer = typeof said === 'string' ? said.trim().toLowerCase() : '';
  if (answer !== 'yes' && answer !== 'no') return { answer: 'invalid', reason: null };
  const evidence = own(value, 'evidence');
  const reason = typeof evidence === 'string' ? evidence.replace(/\s+/g, ' ').trim() : '';
  return { answer, reason: reason === '' ? null : cut(reason) };
}

function cut(text: string): string {
  if (text.length <= MOST_REASON) return text;
  return `${text.slice(0, MOST_REASON - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Names come from outside: only what the reply itself holds counts. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
