import { join } from 'node:path';
import type { JudgeVote } from '../curation/gate/check.ts';
import type { JudgeRecipe } from '../curation/gate/gate-recipe.ts';
import { judgeFindings } from '../curation/gate/judge-findings.ts';
import { judgePrompt } from '../curation/gate/judge-prompt.ts';
import { judgeQuestions, questionsFor } from '../curation/gate/judge-questions.ts';
import { readJudgeReply } from '../curation/gate/judge-reply.ts';
import type { JudgeAccount } from '../curation/manifest.ts';
import { type Backoff, OpenAiEndpoint, stopWith } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { type Ballot, BallotBox } from './judge-ballot.ts';
import { openJudgeCache } from './judge-cache.ts';
import { Drought, type RowEnd } from './judge-drought.ts';
import { tallyVotes, type VoteLine, type VoteLog } from './vote-log.ts';
import { willingChat } from './willing-chat.ts';

const CONCURRENCY = 8;
/** Of one reply, in ms: it is not streamed, so its first byte comes when all of it is written, and local models write slowly. */
const SLOWEST = 180_000;

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
   * logged together, in order. Errors: CA_ENDPOINT_FAILED where the endpoint cannot be reached when it is first asked,
   * or gave no reply for 20 rows in a row; CA_ENDPOINT_REPLY where its replies for 20 in a row hold no usable vote; the
   * signal's reason.
   */
  vote(rows: readonly JudgedRow[]): Promise<(readonly JudgeVote[] | 'unchecked')[]>;
  /** After the last row. @throws CA_ENDPOINT_FAILED, CA_ENDPOINT_REPLY where not one row got a usable vote. */
  finish(): void;
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
    limits: { firstByte: SLOWEST, total: SLOWEST },
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
  const drought = new Drought(endpoint.name, join(options.cacheDirectory, 'judge'));
  const counts = { rows: 0, votes: 0, invalid: 0, unchecked: 0 };

  /** Null where nothing can be asked of the row. */
  async function ask({ hash, trajectory }: JudgedRow, signal: AbortSignal): Promise<Asked | null> {
    const questions = questionsFor(trajectory, asked);
    if (questions.length === 0) return null;
    const messages = judgePrompt(trajectory, questions);
    const casts = await Promise.allSettled(
      Array.from({ length: recipe.votes }, (_, vote) => box.cast(messages, questions, vote, signal)),
    );
    signal.throwIfAborted();
    const ballots: Ballot[] = [];
    for (const cast of casts) {
      if (cast.status === 'fulfilled') ballots.push(cast.value);
      else if (!(cast.reason instanceof CollapseAwareError)) throw cast.reason;
      // Not this row's fault, and a wrong address does not mend.
      else if (!endpoint.reached) throw cast.reason;
      else return { lines: [], end: { is: 'failed', error: cast.reason } };
    }
    const lines = ballots.flatMap(({ text, model }, vote) =>
      [...readJudgeReply(text, questions)].map(([question, { answer, reason }]) => ({
        hash,
        question,
        vote,
        answer,
        reason,
        model,
      })),
    );
    const cached = ballots.every((ballot) => ballot.cached);
    return {
      lines,
      end: lines.some(({ answer }) => answer !== 'invalid')
        ? { is: 'usable', cached }
        : { is: 'unusable', cached, said: ballots[0]?.text ?? '' },
    };
  }

  return {
    async vote(rows) {
      const distinct = [...new Map(rows.map((row) => [row.hash, row])).values()];
      const found: (Asked | null | undefined)[] = Array(distinct.length).fill(undefined);
      const stop = stopWith(options.signal);
      let counted = 0;
      const settle = async (at: number) => {
        stop.signal.throwIfAborted();
        const one = await ask(distinct[at]!, stop.signal);
        found[at] = one;
        if (one !== null) drought.note(one.end);
        for (let done = found[counted]; done !== undefined; done = found[++counted])
          if (done !== null) drought.count(done.end);
      };
      const running = new Set<Promise<void>>();
      try {
        for (const at of distinct.keys()) {
          // No row is asked that the run would not come to if those under way get nothing: a second run then asks nothing.
          while (running.size >= concurrency || at - counted >= drought.room) await Promise.race(running);
          const work = settle(at).finally(() => running.delete(work));
          running.add(work);
        }
        await Promise.all(running);
      } catch (error) {
        stop.raise(error);
        await Promise.allSettled(running);
        throw error;
      } finally {
        stop.release();
      }
      const votes = new Map<string, readonly JudgeVote[] | 'unchecked'>();
      for (const [at, { hash }] of distinct.entries()) {
        const one = found[at] ?? null;
        for (const line of one?.lines ?? []) await options.log?.(line);
        const own = one?.end.is === 'failed' ? 'unchecked' : tallyVotes(one?.lines ?? [], names);
        votes.set(hash, own);
        if (one === null) continue;
        counts.rows++;
        counts.votes += one.lines.length;
        counts.invalid += Number(one.lines.some(({ answer }) => answer === 'invalid'));
        counts.unchecked += Number(judgeFindings(recipe, own).unchecked.length > 0);
      }
      return rows.map(({ hash }) => votes.get(hash)!);
    },
    finish: () => drought.finish(),
    account: () => ({ model: recipe.model, ...counts }),
    spending: () => ({ ...box.count }),
    close: () => endpoint.close(),
  };
}

interface Asked {
  readonly lines: readonly VoteLine[];
  readonly end: RowEnd;
}
