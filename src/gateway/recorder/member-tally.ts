import type { Said } from '../speakers/speaker.ts';
import type { JournalRecord, MemberTallies, MemberTally, TokenTally } from './records.ts';

/** Prices per million tokens of whoever answers, by id; null = unknown. */
export type PricesOf = (id: string) => { readonly prompt: number; readonly completion: number } | null;

/** What a member has done and used. */
export interface MemberCounts {
  readonly sessions: number;
  readonly turns: number;
  readonly failures: number;
  readonly fallbacks: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Replies whose upstream gave no account of tokens. */
  readonly unmetered: number;
  /** Of the tokens accounted for; null where one who answered has no price. */
  readonly cost: number | null;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };
interface Tally extends Open<Omit<MemberTally, 'tokens'>> {
  tokens: Record<string, Open<TokenTally>>;
}

/** By member; adding is all that happens to them. */
export type Tallies = Map<string, Tally>;

const EMPTY = { sessions: 0, turns: 0, failures: 0, fallbacks: 0 };

const tallyOf = (tallies: Tallies, member: string): Tally => {
  const known = tallies.get(member);
  if (known !== undefined) return known;
  const tally: Tally = { ...EMPTY, tokens: {} };
  tallies.set(member, tally);
  return tally;
};

const tokensOf = (tally: Tally, id: string): Open<TokenTally> => {
  if (!Object.hasOwn(tally.tokens, id))
    Object.defineProperty(tally.tokens, id, {
      value: { prompt: 0, completion: 0, unmetered: 0 },
      enumerable: true,
    });
  return tally.tokens[id]!;
};

/** Counts a record of a session whose member is `member` (null = the session is not on record). */
export function countRecord(tallies: Tallies, record: JournalRecord, member: string | null): void {
  if (record.kind === 'failure') tallyOf(tallies, record.member).failures++;
  else if (record.kind === 'tally') addTallies(tallies, record.members);
  else if (member === null) return;
  else if (record.kind === 'open') tallyOf(tallies, member).sessions++;
  else if (record.kind === 'exchange') countReply(tallyOf(tallies, member), record.said);
}

function countReply(tally: Tally, { fallback, answeredBy, usage }: Said): void {
  tally.turns++;
  if (fallback !== null) tally.fallbacks++;
  const tokens = tokensOf(tally, answeredBy.id);
  if (usage.promptTokens === null && usage.completionTokens === null) tokens.unmetered++;
  tokens.prompt += usage.promptTokens ?? 0;
  tokens.completion += usage.completionTokens ?? 0;
}

export function addTallies(tallies: Tallies, more: MemberTallies): void {
  for (const [member, { sessions, turns, failures, fallbacks, tokens }] of Object.entries(more)) {
    const tally = tallyOf(tallies, member);
    tally.sessions += sessions;
    tally.turns += turns;
    tally.failures += failures;
    tally.fallbacks += fallbacks;
    for (const [id, used] of Object.entries(tokens)) {
      const own = tokensOf(tally, id);
      own.prompt += used.prompt;
      own.completion += used.completion;
      own.unmetered += used.unmetered;
    }
  }
}

export const plainTallies = (tallies: Tallies): MemberTallies => Object.fromEntries(tallies);

export function memberCounts(tally: MemberTally | undefined, pricesOf: PricesOf): MemberCounts {
  const { sessions, turns, failures, fallbacks } = tally ?? EMPTY;
  let promptTokens = 0;
  let completionTokens = 0;
  let unmetered = 0;
  let cost: number | null = 0;
  for (const [id, used] of Object.entries(tally?.tokens ?? {})) {
    promptTokens += used.prompt;
    completionTokens += used.completion;
    unmetered += used.unmetered;
    const prices = pricesOf(id);
    if (prices === null) cost = null;
    else if (cost !== null) cost += (used.prompt * prices.prompt + used.completion * prices.completion) / 1e6;
  }
  return { sessions, turns, failures, fallbacks, promptTokens, completionTokens, unmetered, cost };
}
