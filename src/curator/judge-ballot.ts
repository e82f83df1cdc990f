import type { JudgeQuestion } from '../curation/gate/judge-questions.ts';
import { readJudgeReply } from '../curation/gate/judge-reply.ts';
import type { ChatMessage } from '../endpoint/index.ts';
import type { JudgeCache, KeptReply } from './judge-cache.ts';
import type { WillingChat } from './willing-chat.ts';

/** Of one reply: six answers of one sentence are about 400 tokens, and some models think aloud first. */
const MOST_TOKENS = 2_000;
/** Characters of a reply, and of a model's name, that are kept: a server may send megabytes where six sentences were asked for. */
const MOST_KEPT = 64_000;
const MOST_NAME = 200;
const WARM = 0.7;
/** Seeds of second tries lie apart from those of votes. */
const AGAIN = 1_000_000;

export interface BallotCount {
  asked: number;
  fromCache: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
}

export interface Ballot extends KeptReply {
  readonly cached: boolean;
}

/** Fetches single votes: from the cache, or else from the model. */
export class BallotBox {
  readonly count: BallotCount = { asked: 0, fromCache: 0, failed: 0, promptTokens: 0, completionTokens: 0 };
  readonly #chat: WillingChat;
  readonly #cache: JudgeCache;
  readonly #clean: (text: string) => string;
  readonly #model: string;

  /** `clean` takes secrets out of what a server says. */
  constructor(chat: WillingChat, cache: JudgeCache, model: string, clean: (text: string) => string) {
    this.#chat = chat;
    this.#cache = cache;
    this.#model = model;
    this.#clean = clean;
  }

  /** Errors as `OpenAiEndpoint.chat`. */
  async cast(
    messages: readonly ChatMessage[],
    questions: readonly JudgeQuestion[],
    vote: number,
    signal: AbortSignal,
  ): Promise<Ballot> {
    const key = this.#cache.key(messages, vote);
    const kept = await this.#cache.get(key);
    if (kept !== null) {
      this.count.fromCache++;
      return { ...kept, cached: true };
    }
    const faults = ({ text }: KeptReply) =>
      [...readJudgeReply(text, questions).values()].filter(({ answer }) => answer === 'invalid').length;
    // The first vote is the model's likeliest answer; further ones are drawn.
    let reply = await this.#ask(messages, vote === 0 ? 0 : WARM, vote, signal);
    if (faults(reply) > 0) {
      const second = await this.#ask(messages, WARM, vote + AGAIN, signal);
      if (faults(second) < faults(reply)) reply = second;
    }
    await this.#cache.set(key, reply);
    return { ...reply, cached: false };
  }

  async #ask(
    messages: readonly ChatMessage[],
    temperature: number,
    seed: number,
    signal: AbortSignal,
  ): Promise<KeptReply> {
    this.count.asked++;
    try {
      const reply = await this.#chat(messages, { temperature, seed, maxTokens: MOST_TOKENS, signal });
      this.count.promptTokens += reply.promptTokens;
      this.count.completionTokens += reply.completionTokens;
      return {
        text: this.#clean(reply.text ?? '').slice(0, MOST_KEPT),
        model: this.#clean(reply.model ?? this.#model).slice(0, MOST_NAME),
      };
    } catch (error) {
      this.count.failed++;
      throw error;
    }
  }
}
