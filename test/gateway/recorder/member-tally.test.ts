import { describe, expect, it } from 'vitest';
import {
  addTallies,
  countRecord,
  memberCounts,
  plainTallies,
  type Tallies,
} from '../../../src/gateway/recorder/member-tally.ts';
import type { JournalRecord } from '../../../src/gateway/recorder/records.ts';
import { exchange, open, probe, said } from './records.ts';

const PRICES = { prompt: 1e6, completion: 2e6 };
const priced = (id: string) =>
  id === 'unpriced' ? null : id === 'free' ? { prompt: 0, completion: 0 } : PRICES;
const NO_ACCOUNT = { promptTokens: null, completionTokens: null };

function counted(...records: JournalRecord[]): Tallies {
  const tallies: Tallies = new Map();
  for (const record of records) countRecord(tallies, record, 'm1');
  return tallies;
}
const countsOf = (tallies: Tallies, member = 'm1') => memberCounts(tallies.get(member), priced);
const answered = (id: string, model: string | null = 'm') => ({ id, fingerprint: 'f', model });

describe('tokens of a member', () => {
  it('have probes beside those of clients, by the member that was asked and the prices of who answered', () => {
    const tallies = counted(exchange('a', 0, [], said('x', { answeredBy: answered('m1') })), {
      ...probe('a', 0, 'x'),
      tokens: {
        m1: { m1: { prompt: 4, completion: 1, unmetered: 0 } },
        m2: { part: { prompt: 3, completion: 2, unmetered: 0 } },
      },
    } as JournalRecord);
    expect(countsOf(tallies)).toMatchObject({
      promptTokens: 10,
      completionTokens: 2,
      probeTokens: { prompt: 4, completion: 1 },
      cost: 10 + 2 * 2 + 4 + 2 * 1,
      costIsLow: false,
    });
    expect(countsOf(tallies, 'm2')).toMatchObject({
      turns: 0,
      promptTokens: 0,
      probeTokens: { prompt: 3, completion: 2 },
      cost: 7,
    });
  });

  it('have what was spent on replies that never came', () => {
    const tokens = { m1: { prompt: 5, completion: 3, unmetered: 1 } };
    const tallies = counted(
      { kind: 'spent', at: 1, session: 'a', member: 'm1', probe: false, tokens },
      { kind: 'spent', at: 2, session: 'a', member: 'm1', probe: true, tokens },
    );
    expect(countsOf(tallies)).toMatchObject({
      turns: 0,
      promptTokens: 5,
      probeTokens: { prompt: 5, completion: 3 },
      unmetered: 2,
      cost: 22,
      costIsLow: true,
    });
  });

  it('have the account of some requests of a turn where others gave none', () => {
    const record = exchange('a', 0, [], said('x', { answeredBy: answered('m1'), usage: NO_ACCOUNT }));
    const tokens = { m1: { prompt: 7, completion: 1, unmetered: 1 } };
    expect(countsOf(counted({ ...record, tokens } as JournalRecord))).toMatchObject({
      turns: 1,
      promptTokens: 7,
      unmetered: 1,
      costIsLow: true,
    });
  });

  it('have a cost that says when it is too low, and none without a price', () => {
    const without = (id: string, model?: string | null) =>
      countsOf(
        counted(exchange('a', 0, [], said('x', { answeredBy: answered(id, model), usage: NO_ACCOUNT }))),
      );
    expect(without('m1')).toMatchObject({ unmetered: 1, cost: 0, costIsLow: true });
    expect(without('free')).toMatchObject({ unmetered: 1, cost: 0, costIsLow: false });
    expect(without('unpriced')).toMatchObject({ unmetered: 1, cost: null, costIsLow: false });
    // Rules and people use no tokens that anybody could give account of.
    expect(without('m1', null)).toMatchObject({ unmetered: 0, cost: 0, costIsLow: false });
  });

  it('cost nothing where nobody was asked, whatever the prices', () => {
    expect(memberCounts(undefined, () => null)).toMatchObject({ turns: 0, cost: 0, costIsLow: false });
    expect(countsOf(counted(open('a')))).toMatchObject({ sessions: 1, cost: 0 });
  });

  it('are the same after retention, and from a tally that knows of no probes', () => {
    const tallies = counted(open('a'), {
      ...probe('a', 0, 'x'),
      tokens: { m1: { m1: { prompt: 4, completion: 1, unmetered: 1 } } },
    } as JournalRecord);
    const again: Tallies = new Map();
    addTallies(again, JSON.parse(JSON.stringify(plainTallies(tallies))));
    expect(countsOf(again)).toEqual(countsOf(tallies));
    addTallies(again, {
      m1: { sessions: 1, turns: 0, failures: 0, fallbacks: 0, tokens: {} },
    });
    expect(countsOf(again)).toMatchObject({ sessions: 2, probeTokens: { prompt: 4, completion: 1 } });
  });
});
