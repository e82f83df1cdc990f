import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideGroup, type FoundSession, type SessionVerdict } from '../../../src/gateway/steering/index.ts';
import type { Trajectory } from '../../../src/trajectory/index.ts';
import { labRollouts, shuffled } from '../../curator/curated-columns.ts';
import { shelf, steering } from './sessions.ts';

const ROWS = labRollouts(3, 1);
const groupsOf = (rows: readonly Trajectory[]) =>
  [...new Set(rows.map(({ group }) => group))].map((group) =>
    rows.filter((row) => row.group === group).map(({ id }) => id),
  );
const [FIRST] = groupsOf(ROWS) as [string[]];
const decide = async (
  sessions: readonly string[],
  more: Readonly<Record<string, Partial<FoundSession>>> = {},
  rows: readonly Trajectory[] = ROWS,
) => (await steering(shelf(rows, more).source, null).decide([{ sessions }]))[0]!;
const changed = (id: string, change: Partial<Trajectory>) =>
  ROWS.map((row) => (row.id === id ? { ...row, ...change } : row));

describe('a group', () => {
  it('is accepted where all of it is over, rewarded and sound', async () => {
    const decision = await decide(FIRST);
    expect(decision).toMatchObject({ decision: 'accept', usable: FIRST, dropped: [] });
    expect(decision.group).toBe(ROWS.find(({ id }) => id === FIRST[0])!.group);
  });

  it('waits for a session that is open or has no reward, by name', async () => {
    expect(await decide(FIRST, { [FIRST[2]!]: { state: 'open' } })).toMatchObject({
      decision: 'defer',
      reasons: [`session ${FIRST[2]} is still open`],
    });
    const unpaid = changed(FIRST[1]!, { reward: null });
    expect(await decide(FIRST, {}, unpaid)).toMatchObject({
      decision: 'defer',
      reasons: [`session ${FIRST[1]} has no reward yet`],
    });
  });

  it('loses one failed rollout and not the step', async () => {
    const broken = changed(FIRST[1]!, { reward: null, termination: 'infrastructure_error' });
    const decision = await decide(FIRST, {}, broken);
    expect(decision.decision).toBe('accept');
    expect(decision.usable).toEqual(FIRST.filter((id) => id !== FIRST[1]));
    expect(decision.dropped).toMatchObject([{ session: FIRST[1], check: 'infrastructure-failure' }]);
    expect(decision.reasons[0]).toBe(`1 of ${FIRST.length} sessions dropped`);
  });

  it('drops a session that the trainer says has no reward, an orphan and a stranger', async () => {
    const unpaid = changed(FIRST[1]!, { reward: null });
    const decision = await decide(
      [...FIRST, 'nobody'],
      { [FIRST[1]!]: { rewarded: true }, [FIRST[2]!]: { state: 'orphan' } },
      unpaid,
    );
    expect(decision.decision).toBe('accept');
    expect(decision.dropped.map(({ session, check }) => [session, check])).toEqual([
      [FIRST[1], 'missing-reward'],
      [FIRST[2], 'orphan'],
      ['nobody', 'unknown'],
    ]);
  });

  it('is rejected where fewer than two rollouts are left, unless it was asked for alone', async () => {
    expect(await decide([FIRST[0]!, 'nobody'])).toMatchObject({ decision: 'reject', usable: [FIRST[0]] });
    expect(await decide([FIRST[0]!])).toMatchObject({ decision: 'accept' });
    expect(await decide(['nobody'])).toMatchObject({ decision: 'reject' });
    expect(await decide([])).toMatchObject({ decision: 'reject', reasons: ['the group has no session'] });
  });

  it('of equal rewards is accepted with a word, or rejected where that is asked', async () => {
    const equal = ROWS.map((row) => ({ ...row, reward: 1 }));
    const own = steering(shelf(equal).source, null);
    const [kept] = await own.decide([{ id: 'g', sessions: FIRST }]);
    const [refused] = await own.decide([{ id: 'g', sessions: FIRST }], 'reject');
    expect([kept!.decision, refused!.decision]).toEqual(['accept', 'reject']);
    expect(kept!.reasons).toEqual([`all ${FIRST.length} rewards are 1: no advantage to learn from`]);
    expect(refused!.reasons).toEqual(kept!.reasons);
  });

  it('counts a session once, whatever names it stands under', async () => {
    const own = steering(shelf(ROWS, {}, { alias: FIRST[0]! }).source, null);
    const [decision] = await own.decide([{ sessions: [FIRST[0]!, 'alias', FIRST[0]!] }]);
    expect(decision!.usable).toEqual([FIRST[0]]);
  });

  it('is decided alike in any order of groups and sessions, in a batch of any size of chunks', async () => {
    const broken = ROWS.map((row, at) => (at % 7 === 0 ? { ...row, turns: row.turns.slice(0, 1) } : row));
    const groups = groupsOf(broken).map((sessions, at) => ({ id: `${at}`, sessions }));
    const own = shelf(broken);
    const sorted = (list: readonly { group: string; decision: string; usable: readonly string[] }[]) =>
      list.map(({ group, decision, usable }) => [group, decision, [...usable].sort()]).sort();
    const straight = await steering(own.source, null).decide(groups);
    const mixed = await steering(own.source, null).decide(
      shuffled(
        groups.map(({ id, sessions }) => ({ id, sessions: shuffled(sessions, id) })),
        'groups',
      ),
    );
    expect(sorted(mixed)).toEqual(sorted(straight));
    expect(straight.map(({ group }) => group)).toEqual(groups.map(({ id }) => id));
    expect(own.largest()).toBeLessThanOrEqual(64);
  });
});

describe('the rule', () => {
  const verdict: fc.Arbitrary<SessionVerdict> = fc.oneof(
    fc.record({
      kind: fc.constant('usable' as const),
      group: fc.constant(null),
      reward: fc.constantFrom(0, 1, null),
    }),
    fc.record({ kind: fc.constant('waiting' as const), group: fc.constant(null), reason: fc.string() }),
    fc.record({
      kind: fc.constant('dropped' as const),
      group: fc.constant(null),
      check: fc.string(),
      reason: fc.string(),
    }),
  );

  it('accepts exactly where nothing is to come and two are left', () => {
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 2, maxLength: 12 }), (verdicts) => {
        const sessions = verdicts.map((_, at) => `${at}`);
        const { decision, usable, dropped } = decideGroup(
          { sessions },
          (session) => verdicts[Number(session)]!,
        );
        const count = (kind: string) => verdicts.filter((one) => one.kind === kind).length;
        expect([usable.length, dropped.length]).toEqual([count('usable'), count('dropped')]);
        expect(decision).toBe(count('waiting') > 0 ? 'defer' : count('usable') < 2 ? 'reject' : 'accept');
      }),
    );
  });
});
