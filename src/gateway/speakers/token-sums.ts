import type { SpeechUsage } from './speaker.ts';

export interface TokenTally {
  readonly prompt: number;
  readonly completion: number;
  /** Replies whose upstream gave no account: they are not in the sums. */
  readonly unmetered: number;
}

/** By who answered: a member, or the part of its recipe that was drawn. */
export type Tokens = Readonly<Record<string, TokenTally>>;

/** The same while it grows: adding is all that happens to it. */
export type TokenSums = Record<string, { -readonly [K in keyof TokenTally]: TokenTally[K] }>;

/** One reply of an upstream. */
export function addUsage(sums: TokenSums, id: string, { promptTokens, completionTokens }: SpeechUsage): void {
  const own = sumsOf(sums, id);
  if (promptTokens === null && completionTokens === null) own.unmetered++;
  own.prompt += promptTokens ?? 0;
  own.completion += completionTokens ?? 0;
}

export function addTokens(sums: TokenSums, more: Tokens): void {
  for (const [id, used] of Object.entries(more)) {
    const own = sumsOf(sums, id);
    own.prompt += used.prompt;
    own.completion += used.completion;
    own.unmetered += used.unmetered;
  }
}

/** What sums say beyond the usage of the reply that came of them; undefined = nothing. */
export function tokensBeyond(usage: SpeechUsage, sums: TokenSums): Tokens | undefined {
  if (usage.promptTokens !== null && usage.completionTokens !== null) return undefined;
  const { prompt, completion, unmetered } = tokenTotal(sums);
  return prompt + completion > 0 || unmetered > 1 ? sums : undefined;
}

/** Of all who answered. */
export function tokenTotal(tokens: Tokens): TokenTally {
  const total = { prompt: 0, completion: 0, unmetered: 0 };
  for (const { prompt, completion, unmetered } of Object.values(tokens)) {
    total.prompt += prompt;
    total.completion += completion;
    total.unmetered += unmetered;
  }
  return total;
}

/** An own field, whatever the id is: somebody may be called `__proto__`. */
function sumsOf(sums: TokenSums, id: string): TokenSums[string] {
  if (!Object.hasOwn(sums, id))
    Object.defineProperty(sums, id, {
      value: { prompt: 0, completion: 0, unmetered: 0 },
      enumerable: true,
    });
  return sums[id]!;
}
