import { describe, expect, it } from 'vitest';
import {
  CHECKS,
  type Check,
  defaultGate,
  GATE_PROFILES,
  type GateRecipe,
  type JudgeRecipe,
  planGate,
} from '../../../src/curation/gate/index.ts';
import { CollapseAwareError } from '../../../src/errors.ts';
import { episode } from './episode.ts';

const row = episode([
  ['user', 'Hi, my lamp is broken.'],
  ['agent', 'Sorry to hear it.'],
]);
const recipe = (change: Partial<GateRecipe> = {}): GateRecipe => ({ ...defaultGate('standard'), ...change });
const own = (change: Partial<Check>): Check => ({
  name: 'own',
  blame: 'simulator',
  title: 'own',
  inspect: () => null,
  ...change,
});
const found = (blame: Check['blame']) => ({
  check: 'own',
  blame,
  reason: 'it is so',
  evidence: '',
  turn: null,
});

describe('profiles', () => {
  it('say what every check does, and nothing else', () => {
    for (const profile of GATE_PROFILES)
      expect(Object.keys(defaultGate(profile).actions)).toEqual(CHECKS.map(({ name }) => name));
  });

  it('grow stricter', () => {
    const strength = { off: 0, flag: 1, drop: 2 };
    for (const { name } of CHECKS) {
      const [lenient, standard, strict] = GATE_PROFILES.map(
        (profile) => strength[defaultGate(profile).actions[name]!],
      );
      expect(lenient).toBeLessThanOrEqual(standard!);
      expect(standard).toBeLessThanOrEqual(strict!);
    }
  });

  it('never let a policy failure drop a row, whatever the recipe says', () => {
    const gate = planGate(recipe({ actions: { 'policy-failure': 'drop' } }));
    const verdict = gate.inspect(
      episode([
        ['user', 'Hi, my lamp is broken.'],
        ['agent', '{"message": "hello"}'],
      ]),
    );
    expect(verdict.kept).toBe(true);
    expect(verdict.flags.map(({ check }) => check)).toEqual(['policy-failure']);
  });
});

describe('own checks', () => {
  it('drop what they find, unless the recipe says otherwise', () => {
    const check = own({ inspect: () => found('simulator') });
    expect(planGate(recipe(), [check]).inspect(row)).toMatchObject({
      kept: false,
      findings: [found('simulator')],
    });
    expect(planGate(recipe({ actions: { own: 'flag' } }), [check]).inspect(row)).toMatchObject({
      kept: true,
      flags: [found('simulator')],
    });
    const off = planGate(recipe({ actions: { own: 'off' } }), [check]);
    expect(off.inspect(row)).toMatchObject({ kept: true, flags: [] });
    expect(off.checks.map(({ name }) => name)).not.toContain('own');
  });

  it('that fail leave the row unchecked: kept, but dropped under strict', () => {
    const check = own({
      inspect: () => {
        throw new Error('no');
      },
    });
    expect(planGate(recipe(), [check]).inspect(row)).toEqual({
      kept: true,
      findings: [],
      flags: [],
      unchecked: ['own'],
    });
    expect(planGate(defaultGate('strict'), [check]).inspect(row)).toEqual({
      kept: false,
      findings: [],
      flags: [],
      unchecked: ['own'],
    });
    const blind = own({
      observe: () => {
        throw new Error('no');
      },
      inspect: () => found('data'),
    });
    const gate = planGate(recipe(), [blind]);
    gate.observe(row);
    expect(gate.inspect(row).unchecked).toEqual(['own']);
  });

  it.each([
    ['a check that does not exist', recipe({ actions: { 'role-reversl': 'drop' } }), [], 'role-reversl'],
    ['an action that does not exist', recipe({ actions: { duplicate: 'keep' as 'drop' } }), [], 'keep'],
    ['two checks of one name', recipe(), [own({ name: 'duplicate' })], 'duplicate'],
    ['a name that is not kebab-case', recipe(), [own({ name: 'My check' })], 'My check'],
    ['a range whose ends cross', recipe({ rewardRange: [1, 0] }), [], '1 .. 0'],
    ['a range without an end', recipe({ rewardRange: [Number.NaN, 1] }), [], 'NaN'],
  ] as const)('refuses %s', (_, bad, checks, named) => {
    expect(() => planGate(bad, checks)).toThrow(CollapseAwareError);
    expect(() => planGate(bad, checks)).toThrow(named);
  });
});

describe('rewards', () => {
  const rewarded = (reward: number | null, benchmark: string | null = null) =>
    episode(
      [
        ['user', `Hi, lamp ${reward} ${benchmark} is broken.`],
        ['agent', 'Sorry.'],
      ],
      { reward, benchmark },
    );

  it('are invalid where they are no number or out of range', () => {
    const gate = planGate(recipe({ rewardRange: [0, 1] }));
    for (const reward of [Number.NaN, Number.POSITIVE_INFINITY, -0.5, 1.5])
      expect(gate.inspect({ ...row, reward }).findings[0]).toMatchObject({
        check: 'invalid-reward',
        blame: 'data',
        evidence: `${reward}`,
      });
    for (const reward of [0, 0.5, 1]) expect(gate.inspect(rewarded(reward)).kept).toBe(true);
    expect(planGate(recipe()).inspect(rewarded(-7)).kept).toBe(true);
  });

  it('are missing only where other rows of the benchmark have one, in any order', () => {
    const rows = [rewarded(null, 'tau'), rewarded(1, 'tau'), rewarded(null, 'talk')];
    for (const order of [rows, rows.toReversed()]) {
      const gate = planGate(recipe());
      for (const one of order) gate.observe(one);
      expect(rows.map((one) => gate.inspect(one).findings.map(({ check }) => check))).toEqual([
        ['missing-reward'],
        [],
        [],
      ]);
    }
  });

  it('are unchecked where the data were not observed', () => {
    expect(planGate(recipe()).inspect(rewarded(null)).unchecked).toEqual(['missing-reward']);
  });
});

describe('votes', () => {
  const judge: JudgeRecipe = {
    url: 'http://localhost/v1',
    model: 'm',
    keyEnv: null,
    questions: ['off-task'],
    votes: 3,
    agree: 2,
  };
  const vote = (yes: number, no: number, invalid = 0) => [
    { question: 'off-task', yes, no, invalid, reason: 'because' },
  ];
  const judged = planGate(recipe({ judge }));

  it('make a finding from `agree` on', () => {
    expect(judged.inspect(row, vote(2, 1)).findings[0]).toMatchObject({
      check: 'judge:off-task',
      blame: 'simulator',
      evidence: 'because',
    });
    expect(judged.inspect(row, vote(1, 2))).toMatchObject({ kept: true, unchecked: [] });
  });

  it('that are missing or unreadable leave the row unchecked', () => {
    for (const votes of [vote(1, 1, 1), vote(0, 0, 3), [], 'unchecked'] as const)
      expect(judged.inspect(row, votes)).toMatchObject({ kept: true, unchecked: ['judge:off-task'] });
    expect(judged.inspect(row, vote(0, 2, 1)).unchecked).toEqual([]);
  });

  it('are nothing where no model was asked, or none is set', () => {
    expect(judged.inspect(row)).toEqual({ kept: true, findings: [], flags: [], unchecked: [] });
    expect(planGate(recipe()).inspect(row, vote(3, 0)).kept).toBe(true);
  });

  it('act as the recipe says', () => {
    const gate = planGate(recipe({ judge, actions: { 'judge:off-task': 'flag' } }));
    expect(gate.inspect(row, vote(3, 0))).toMatchObject({ kept: true, flags: [{ check: 'judge:off-task' }] });
  });
});
