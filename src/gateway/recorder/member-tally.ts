import type { MemberCounts } from '../api/control.ts';
import type { Said } from '../speakers/speaker.ts';
import { addTokens, addUsage, type TokenSums, type Tokens, tokenTotal } from '../speakers/token-sums.ts';
import type { JournalRecord, MemberTallies, MemberTally } from './records.ts';

/** Prices per million tokens of whoever answers, by id; null = unknown. */
export type PricesOf = (id: string) => { readonly prompt: number; readonly completion: number } | null;

type Open<T> = { -readonly [K in keyof T]: T[K] };
interface Tally extends Open<Omit<MemberTally, 'tokens' | 'probeTokens'>> {
  tokens: TokenSums;
  probeTokens: TokenSums;
}

/** By member; adding is all that happens to them. */
export type Tallies = Map<string, Tally>;

const EMPTY = { sessions: 0, turns: 0, failures: 0, fallbacks: 0 };

const tallyOf = (tallies: Tallies, member: string): Tally => {
  const known = tallies.get(member);
  if (known !== undefined) return known;
  const tally: Tally = { ...EMPTY, tokens: {}, probeTokens: {} };
  tallies.set(member, tally);
  return tally;
};

/** Counts a record of a session whose member is `member` (null = the session is not on record). */
export function countRecord(tallies: Tallies, record: JournalRecord, member: string | null): void {
  if (record.kind === 'failure') tallyOf(tallies, record.member).failures++;
  else if (record.kind === 'tally') addTallies(tallies, record.members);
  else if (record.kind === 'open' && member !== null) tallyOf(tallies, member).sessions++;
  else if (record.kind === 'exchange' && member !== null) {
    const tally = tallyOf(tallies, member);
    tally.turns++;
    if (record.said.fallback !== null) tally.fallbacks++;
  }
  for (const { member: of, probe, tokens } of tokensUsed(record, member)) {
    const tally = tallyOf(tallies, of);
    addTokens(probe ? tally.probeTokens : tally.tokens, tokens);
  }
}

/** What a record says that members used. `member` as in `countRecord`. */
export function tokensUsed(
  record: JournalRecord,
  member: string | null,
): readonly { readonly member: string; readonly probe: boolean; readonly tokens: Tokens }[] {
  if (record.kind === 'spent') return [record];
  if (record.kind === 'probe')
    return Object.entries(record.tokens ?? {}).map(([of, tokens]) => ({ member: of, probe: true, tokens }));
  if (record.kind !== 'exchange' || member === null) return [];
  return [{ member, probe: false, tokens: record.tokens ?? tokensOf(record.said) }];
}

/** Rules and people use none. */
function tokensOf({ answeredBy, usage }: Said): Tokens {
  const sums: TokenSums = {};
  if (answeredBy.model !== null) addUsage(sums, answeredBy.id, usage);
  return sums;
}

export function addTallies(tallies: Tallies, more: MemberTallies): void {
  for (const [member, { sessions, turns, failures, fallbacks, tokens, probeTokens }] of Object.entries(
    more,
  )) {
    const tally = tallyOf(tallies, member);
    tally.sessions += sessions;
    tally.turns += turns;
    tally.failures += failures;
    tally.fallbacks += fallbacks;
    addTokens(tally.tokens, tokens);
    addTokens(tally.probeTokens, probeTokens ?? {});
  }
}

export const plainTallies = (tallies: Tallies): MemberTallies => Object.fromEntries(tallies);

/** `tally` undefined: nothing was asked of the member yet, which cost nothing. */
export function memberCounts(tally: MemberTally | undefined, pricesOf: PricesOf): MemberCounts {
  const { sessions, turns, failures, fallbacks } = tally ?? EMPTY;
  const { tokens = {}, probeTokens = {} } = tally ?? {};
  const own = tokenTotal(tokens);
  const probes = tokenTotal(probeTokens);
  return {
    sessions,
    turns,
    failures,
    fallbacks,
    promptTokens: own.prompt,
    completionTokens: own.completion,
    probeTokens: { prompt: probes.prompt, completion: probes.completion },
    unmetered: own.unmetered + probes.unmetered,
    ...costOf([...Object.entries(tokens), ...Object.entries(probeTokens)], pricesOf),
  };
}

function costOf(
  used: readonly (readonly [string, Tokens[string]])[],
  pricesOf: PricesOf,
): Pick<MemberCounts, 'cost' | 'costIsLow'> {
  let cost = 0;
  let costIsLow = false;
  for (const [id, { prompt, completion, unmetered }] of used) {
    const prices = pricesOf(id);
    if (prices === null) return { cost: null, costIsLow: false };
    cost += (prompt * prices.prompt + completion * prices.completion) / 1e6;
    if (unmetered > 0 && (prices.prompt > 0 || prices.completion > 0)) costIsLow = true;
  }
  return { cost, costIsLow };
}
