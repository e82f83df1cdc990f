import { expect, it } from 'vitest';
import { P } from '../../../../src/lab/worlds/pair-coding/acts.ts';
import { KIND } from '../../../../src/lab/worlds/pair-coding/repository.ts';
import { act, type Line, meet } from './dialogue.ts';

const AGREED: Line[] = ['sharePlan', 'partner sharePlan', 'claimExplain', 'partner yield'];
const CLOSE: Line[] = ['done', 'partner done'];

it('passes where one owner edits for both, by agreement and with the other plan known', () => {
  const over = act(meet(KIND.agent), [...AGREED, 'editOverlap', 'push', ...CLOSE]);
  expect([over.reward, over.outcome, over.termination]).toEqual([1, 'both pass', 'user']);
});
it('passes where the partner owns the overlap and knows the plan', () => {
  const over = act(meet(KIND.merge), [
    'sharePlan',
    'partner claim',
    'yield',
    'partner editOverlap',
    'acknowledge',
    'partner done',
    'done',
  ]);
  expect([over.reward, over.termination]).toEqual([1, 'agent']);
});
it('misses what an owner could not know of', () => {
  const over = act(meet(KIND.merge), [
    'claimAsk',
    'partner yield',
    'editOverlap',
    'push',
    'sharePlan',
    'partner done',
    'done',
  ]);
  expect([over.reward, over.outcome]).toEqual([0, 'missing overlap']);
});
it('misses a region that each left to the other', () => {
  const over = act(meet(KIND.merge), ['sharePlan', 'partner sharePlan', 'yield', 'partner done', 'done']);
  expect([over.reward, over.outcome]).toEqual([0, 'missing overlap']);
});
it('counts only what was pushed', () => {
  const over = act(meet(KIND.agent), [...AGREED, 'editOverlap', ...CLOSE]);
  expect(over.reward).toBe(0);
});

const BLIND: Line[] = [
  'sharePlan',
  'partner editOverlap',
  'editOverlap',
  'push',
  'askStatus',
  'partner report',
];

it('conflicts where both edit without a look at the other', () => {
  const over = act(meet(KIND.merge), [...BLIND, ...CLOSE]);
  expect([over.reward, over.outcome]).toEqual([0, 'conflict']);
});
it('is repaired by whoever reworks an edit that can be merged', () => {
  const byAgent = act(meet(KIND.merge), [...BLIND, 'pull', 'adapt', 'push', ...CLOSE]);
  expect(byAgent.reward).toBe(1);
  const byPartner = act(meet(KIND.merge), [...BLIND, 'warn', 'partner adapt', ...CLOSE]);
  expect(byPartner.reward).toBe(1);
});
it('is repaired only by the side whose signature does not hold', () => {
  expect(act(meet(KIND.agent), [...BLIND, 'pull', 'adapt', 'push', ...CLOSE]).reward).toBe(0);
  expect(act(meet(KIND.agent), [...BLIND, 'warn', 'partner adapt', ...CLOSE]).reward).toBe(1);
  expect(act(meet(KIND.partner), [...BLIND, 'pull', 'adapt', 'push', ...CLOSE]).reward).toBe(1);
  expect(act(meet(KIND.partner), [...BLIND, 'warn', 'partner adapt', ...CLOSE]).reward).toBe(0);
});
it('shows a conflict in the tests, and that it is gone', () => {
  const encounter = act(meet(KIND.merge), [...BLIND, 'runTests']);
  expect(encounter.shown).toMatchObject({ passed: false, conflicts: 1 });
  const tests = encounter.steps.at(-1)!;
  expect(JSON.parse(tests.tool!.answer)).toMatchObject({
    passed: false,
    conflicts: [encounter.setting.slots.region],
  });
  act(encounter, ['pull', 'adapt', 'push', 'runTests']);
  expect(encounter.shown).toMatchObject({ passed: true, conflicts: 0 });
});
it('conflicts where the partner edits what it gave away, unseen until a pull', () => {
  const encounter = act(meet(KIND.merge), [
    ...AGREED,
    'acknowledge',
    'partner breakPromise',
    'editOverlap',
    'push',
    'askStatus',
    'partner done',
  ]);
  expect(encounter.repository.conflicts()).toBe(1);
  act(encounter, ['pull', 'adapt', 'push', 'done']);
  expect(encounter.reward).toBe(1);
});
it('opens again what the partner takes back', () => {
  const encounter = act(meet(KIND.merge), [...AGREED, 'acknowledge', 'partner changePlan']);
  expect(encounter.accord.firstOpen()).toBe(0);
  expect(encounter.steps.at(-1)).not.toHaveProperty('tool');
});
it('does not show the agent which quiet edit it was', () => {
  const told = [0, 1].map((kept) => {
    const encounter = act(meet(KIND.agent, 50), [
      'sharePlan',
      'partner sharePlan',
      'claimAsk',
      'partner yield',
    ]);
    act(encounter, ['acknowledge', kept === 0 ? 'partner editOwn' : 'partner breakPromise']);
    const into = new Float64Array(75);
    encounter.observe(into, 0);
    return [...into];
  });
  expect(told[0]).toEqual(told[1]);
});
it('asks for a new rework when the partner changes its mind', () => {
  const encounter = act(meet(KIND.partner), [
    ...BLIND,
    'pull',
    'adapt',
    'push',
    'acknowledge',
    'partner changePlan',
    'askStatus',
    'partner report',
    'runTests',
  ]);
  expect(encounter.shown.passed).toBe(false);
  act(encounter, ['pull', 'adapt', 'push', 'runTests']);
  expect(encounter.shown.passed).toBe(true);
});
it('judges what there is when the partner leaves', () => {
  const early = act(meet(KIND.agent), [...AGREED, 'askPlan', 'partner vague', 'askPlan', 'partner leave']);
  expect([early.reward, early.termination]).toEqual([0, 'user']);
  const late = act(meet(KIND.agent), [...AGREED, 'editOverlap', 'push', 'done', 'partner leave']);
  expect(late.reward).toBe(1);
});
it('reworks less for an agent that edits what it gave away', () => {
  const law = new Float64Array(18);
  const rework = (second: Line) => {
    const encounter = act(meet(KIND.merge), ['sharePlan', 'partner claim', second, 'partner editOverlap']);
    act(encounter, ['editOverlap', 'push', 'warn']);
    encounter.law(0, law);
    return law[P.adapt]!;
  };
  const given = rework('yield');
  expect(given).toBeGreaterThan(0);
  // Nor where the partner's claim stands unanswered; a claim of its own leaves it open.
  expect(rework('askStatus')).toBeLessThan(rework('claimExplain'));
  expect(given).toBeLessThan(rework('claimExplain'));
});
