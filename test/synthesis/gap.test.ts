import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/math/random.ts';
import { readMember } from '../../src/population/index.ts';
import { planGaps, verifyGap } from '../../src/synthesis/index.ts';
import { disguised, plant } from './rows.ts';

const base = (id: string, more: object = {}) => readMember({ id, family: 'f', model: 'm', ...more });
const drafts = (mode: number) => [
  { text: `One who shows mode ${mode}.`, exemplars: ['short turns'] },
  { text: `Another who shows mode ${mode}.` },
];
const gaps = [
  { mode: 3, mass: 0.05 },
  { mode: 1, mass: 0.2 },
  { mode: 2, mass: 0.05 },
];

describe('the plan of gaps', () => {
  const plan = planGaps({ gaps, bases: [base('x'), base('y', { sampling: { temperature: 1 } })], drafts });

  it('takes the largest first, every base with a draft before the next draft', () => {
    expect(plan.targets.map(({ mode }) => mode)).toEqual([1, 2, 3]);
    expect(plan.targets[0]!.members.map(({ member }) => [member.id, member.recipe])).toEqual([
      ['x+gap1.1', expect.objectContaining({ persona: 'One who shows mode 1.', exemplars: ['short turns'] })],
      ['y+gap1.2', expect.objectContaining({ persona: 'One who shows mode 1.' })],
      ['x+gap1.3', expect.objectContaining({ persona: 'Another who shows mode 1.', exemplars: [] })],
    ]);
    expect(plan.targets[0]!.members[1]).toMatchObject({
      member: {
        family: 'f',
        model: 'm',
        sampling: { temperature: 1 },
        recipe: { kind: 'verbalized', candidates: 5 },
      },
      origin: { kind: 'gap', mode: 1, mass: 0.2, base: 'y' },
    });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('makes no more than there are drafts and bases, and says where there are none', () => {
    const few = planGaps({
      gaps,
      bases: [base('x')],
      drafts: (mode) => (mode === 2 ? [] : drafts(mode)),
      perGap: 9,
      candidates: 8,
    });
    expect(few.targets.map(({ members, reason }) => [members.length, reason])).toEqual([
      [2, null],
      [0, 'no draft of a person'],
      [2, null],
    ]);
    expect(few.targets[0]!.members[0]!.member.recipe).toMatchObject({ candidates: 8 });
  });

  it.each([
    [{ gaps: [{ mode: 1, mass: 0 }] }, /mass 0/],
    [{ gaps: [gaps[0]!, gaps[0]!] }, /mode 3/],
    [{ gaps: [{ mode: -1, mass: 0.1 }] }, /mode -1/],
    [{ gaps: [{ mode: 1, mass: Number.NaN }] }, /NaN/],
    [{ bases: [] }, /no base/],
    [{ bases: [readMember({ id: 's', family: 's', recipe: { kind: 'scripted' } })] }, /is scripted/],
    [{ perGap: 0 }, /0 members/],
    [{ candidates: 99 }, /candidates/],
    [{ drafts: () => [{ text: '' }] }, /persona/],
  ])('refuses %j', (wrong, words) => {
    expect(() => planGaps({ gaps, bases: [base('x')], drafts, ...wrong })).toThrow(words);
  });
});

describe('the verification of a gap', () => {
  const target = { mode: 2, member: 'm', mass: 0.1 };
  const law = [0.3, 0.1, 0.6];

  it('finds the planted yield, and what a landed episode takes', () => {
    const rows = plant({ simulator: 'm', law, contexts: 60, each: 4, outside: 0.1 });
    const found = verifyGap(target, rows, { realismFloor: 0.8, tokensOf: () => 100 });
    expect(found.n).toBe(240);
    expect(found.yield.method).toBe('jackknife-context(G=60, groups=50)');
    expect(found.yield.low!).toBeLessThan(0.54);
    expect(found.yield.high!).toBeGreaterThan(0.54);
    expect(found.realism.value!).toBeCloseTo(0.9, 1);
    expect(found).toMatchObject({ verdict: 'accepted', landed: found.accepted.length });
    expect(found.cost!.episodes).toBeCloseTo(240 / found.landed);
    expect(found.cost!.turns).toBeCloseTo(8 * found.cost!.episodes);
    expect(found.cost!.tokens).toBeCloseTo(100 * found.cost!.episodes);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of found.accepted) expect(byId.get(id)).toMatchObject({ cell: 2, outside: false });
    for (const { id, reason } of found.refused)
      expect(reason).toBe(byId.get(id)!.outside ? 'off support' : 'another mode');
    expect(found.accepted.length + found.refused.length).toBe(240);
  });

  it('takes nothing from who is not shown to be realistic', () => {
    const rows = plant({ simulator: 'm', law, contexts: 30, each: 2, outside: 0.4 });
    const found = verifyGap(target, rows, { realismFloor: 0.8 });
    expect(found).toMatchObject({ verdict: 'refused', accepted: [] });
    expect(found.reason).toMatch(/not shown to reach 0\.80: 0\.[56]/);
    expect(found.refused.filter(({ reason }) => reason === 'member refused')).toHaveLength(found.landed);
    expect(found.cost!.tokens).toBeNull();
  });

  it('refuses where nobody landed, and where nobody played', () => {
    const rows = plant({ simulator: 'm', law: [1, 0, 0], contexts: 20, each: 2 });
    expect(verifyGap(target, rows, { realismFloor: 0.5 })).toMatchObject({
      verdict: 'refused',
      reason: 'none of 40 episodes landed in the mode',
      cost: null,
      yield: { value: 0, low: 0, method: 'clopper-pearson-context(G=20, all rows alike)' },
    });
    expect(verifyGap({ ...target, member: 'other' }, rows, { realismFloor: 0.5 })).toMatchObject({
      n: 0,
      verdict: 'refused',
      yield: { value: null, reason: 'no episode' },
    });
  });

  it('has an exact interval where contexts do not repeat, and says so', () => {
    const rows = plant({ simulator: 'm', law, contexts: 10, each: 1 }).map((row, i) => ({
      ...row,
      cell: i < 2 ? 2 : 0,
    }));
    const { yield: share } = verifyGap(target, rows, { realismFloor: 0.5 });
    // Clopper & Pearson (1934): 2 of 10.
    expect(share.low!).toBeCloseTo(0.02521, 5);
    expect(share.high!).toBeCloseTo(0.5561, 5);
    expect(share.method).toBe('clopper-pearson-episode(n=10, contexts do not repeat)');
  });

  it('does not know the cost where tokens of one episode are not known', () => {
    const rows = plant({ simulator: 'm', law, contexts: 20, each: 2 });
    const first = rows[0]!.id;
    const tokensOf = (id: string) => (id === first ? null : 5);
    expect(verifyGap(target, rows, { realismFloor: 0.5, tokensOf }).cost!.tokens).toBeNull();
  });

  it('hangs on no order, no name and no duplicate', () => {
    const rows = plant({ simulator: 'm', law, contexts: 40, each: 3, outside: 0.1 });
    const plain = ({ accepted, refused, ...rest }: ReturnType<typeof verifyGap>) => ({
      ...rest,
      accepted: accepted.length,
      refused: refused.length,
    });
    const of = (all: typeof rows) => plain(verifyGap(target, all, { realismFloor: 0.7 }));
    expect(of(disguised(rows, seeded(5)))).toEqual(of(rows));
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses a floor of %s', (realismFloor) => {
    expect(() => verifyGap(target, [], { realismFloor })).toThrow(/floor/);
  });
});
