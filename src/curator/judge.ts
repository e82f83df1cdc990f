import type { JudgeVote } from '../curation/gate/check.ts';
import type { JudgeRecipe } from '../curation/gate/gate-recipe.ts';
import { judgePrompt } from '../curation/gate/judge-prompt.ts';
import { judgeQuestions, questionsFor } from '../curation/gate/judge-questions.ts';
import { readJudgeReply } from '../curation/gate/judge-reply.ts';
import type { JudgeAccount } from '../curation/manifest.ts';
import { type Backoff, OpenAiEndpoint, stopWith } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { type Ballot, BallotBox } from './judge-ballot.ts';
import { openJudgeCache } from './judge-cache.ts';
import { tallyVotes, type VoteLine, type VoteLog } from './vote-log.ts';
import { willingChat } from './willing-chat.ts';

/** Rows one after another that got no answer: then the endpoint is down, not the row odd. */
const MOST_FAILURES = 20;
const CONCURRENCY = 8;

export interface JudgeOptions {
  /** Replies are kept below it (`cacheHome()`). */
  readonly cacheDirectory: string;
  readonly signal?: AbortSignal | undefined;
  readonly log?: VoteLog;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Requests under way at once (default 8). */
  readonly concurrency?: number;
  readonly backoff?: Partial<Backoff>;
}

export interface JudgeSpending {
  readonly asked: number;
  readonly failed: number;
  readonly fromCache: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface JudgedRow {
  /** Content hash. */
  readonly hash: string;
  readonly trajectory: Trajectory;
}

export interface Judge {
  /**
   * Votes on each row, in the order of the rows, one entry for every question that can be asked of it; 'unchecked'
   * where the endpoint kept failing. May be called many times. Hand it some hundreds of rows a call: their votes are
   * logged together, in order. Errors: CA_ENDPOINT_FAILED after 20 rows in a row without an answer; the signal's reason.
   */
  vote(rows: readonly JudgedRow[]): Promise<(readonly JudgeVote[] | 'unchecked')[]>;
  /** What was said so far, of rows that differ. */
  account(): JudgeAccount;
  /** Requests sent (with the failed ones among them) and answered by the cache, and the tokens that the server counted. */
  spending(): JudgeSpending;
  close(): Promise<void>;
}

/** @throws CA_USAGE for a URL that is none or a key that is not set, CA_CONFIG_INVALID for an unknown question. */
export function openJudge(recipe: JudgeRecipe, options: JudgeOptions): Judge {
  const { environment = process.env, concurrency = CONCURRENCY } = options;
  const asked = judgeQuestions(recipe.questions);
  const names = asked.map(({ name }) => name);
  const endpoint = new OpenAiEndpoint({
    baseUrl: recipe.url,
    model: recipe.model,
    environment,
    concurrency,
    ...(recipe.keyEnv === null ? {} : { apiKeyEnv: recipe.keyEnv }),
    ...(options.backoff === undefined ? {} : { backoff: options.backoff }),
  });
  const key = recipe.keyEnv === null ? '' : (environment[recipe.keyEnv]?.trim() ?? '');
  const box = new BallotBox(
    willingChat(endpoint),
    openJudgeCache(options.cacheDirectory, endpoint.name, recipe.model),
    recipe.model,
    (text) => (key === '' ? text : text.replaceAll(key, '***')),
  );
  let judged = 0;
  let votes = 0;
  let failures = 0;

  /** Lines of one row; null where a vote could not be had. */
  async function lines({ hash, trajectory }: JudgedRow, signal: AbortSignal): Promise<VoteLine[] | null> {
    const questions = questionsFor(trajectory, asked);
    if (questions.length === 0) return [];
    const messages = judgePrompt(trajectory, questions);
    const casts = await Promise.allSettled(
      Array.from({ length: recipe.votes }, (_, vote) => box.cast(messages, questions, vote, signal)),
    );
    signal.throwIfAborted();
    const ballots: Ballot[] = [];
    for (const cast of casts) {
      if (cast.status === 'fulfilled') ballots.push(cast.value);
      else if (!(cast.reason instanceof CollapseAwareError)) throw cast.reason;
      else if (++failures >= MOST_FAILURES) throw gaveUp(cast.reason);
      else return null;
    }
    // A row that the cache answered says nothing of the endpoint.
    if (ballots.some(({ cached }) => !cached)) failures = 0;
    votes += ballots.length;
    return ballots.flatMap(({ text, model }, vote) =>
      [...readJudgeReply(text, questions)].map(([question, { answer, reason }]) => ({
        hash,
        question,
        vote,
        answer,
        reason,
        model,
      })),
    );
  }

  return {
    async vote(rows) {
      const distinct = [...new Map(rows.map((row) => [row.hash, row])).values()];
      const found = new Map<string, readonly VoteLine[] | null>();
      const stop = stopWith(options.signal);
      let next = 0;
      const lane = async () => {
        for (let row = distinct[next++]; row !== undefined; row = distinct[next++]) {
          stop.signal.throwIfAborted();
          found.set(row.hash, await lines(row, stop.signal));
        }
      };
      try {
        await Promise.all(Array.from({ length: Math.min(concurrency, distinct.length) }, lane));
      } catch (error) {
        stop.raise(error);
        throw error;
      } finally {
        stop.release();
      }
      judged += distinct.length;
      for (const { hash } of distinct) for (const line of found.get(hash) ?? []) await options.log?.(line);
      return rows.map(({ hash }) => {
        const own = found.get(hash) ?? null;
        return own === null ? 'unchecked' : tallyVotes(own, names);
      });
    },
    account: () => ({ model: recipe.model, rows: judged, votes }),
    spending: () => ({ ...box.count }),
    close: () => endpoint.close(),
  };
}

function gaveUp(last: CollapseAwareError): CollapseAwareError {
  return new CollapseAwareError(
    'CA_ENDPOINT_FAILED',
    `the judge gave no answer for ${MOST_FAILURES} rows in a row; the last: ${last.message}`,
    {
      todo: `${last.todo ?? 'check the endpoint'}; what was answered is cached, so run again`,
      cause: last,
    },
  );
}
