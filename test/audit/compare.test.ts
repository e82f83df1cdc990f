import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Compared,
  type ComparedFigure,
  type Comparison,
  compare,
  comparedFigures,
  compareProfiles,
} from '../../src/audit/index.ts';
import { demoStudy } from '../../src/lab/index.ts';
import { mergeProfiles } from '../../src/space/index.ts';
import type { Trajectory } from '../../src/trajectory/trajectory.ts';
import { episodes, hasData, recordsOf } from '../data.ts';

const study = demoStudy(3);
const people = study.people.slice(0, 160);
const contexts = new Set([...new Set(study.rollouts.map(({ context }) => context))].slice(0, 24));
const inEpoch = (epoch: number) =>
  study.rollouts.filter((row) => row.epoch === epoch && contexts.has(row.context));

const compared = (a: readonly Trajectory[], b: readonly Trajectory[], reference?: readonly Trajectory[]) =>
  compare(
    {
      a: recordsOf(a),
      b: recordsOf(b),
      ...(reference === undefined ? {} : { people: recordsOf(reference) }),
    },
    { seed: 5 },
  );

/** Every compared figure, simulators' too, by path. */
function figures(comparison: Comparison): Map<string, ComparedFigure> {
  return new Map([
    ...comparedFigures(comparison).map((figure): [string, ComparedFigure] => [figure.key, figure]),
    ...comparison.simulators.flatMap(({ id, mci, spread, bdi, outside }) =>
      [mci, spread, bdi, outside].map((figure): [string, ComparedFigure] => [`${id}/${figure.key}`, figure]),
    ),
  ]);
}

function expectOpposite(forth: Comparison, back: Comparison): void {
  expect(back.space).toEqual(forth.space);
  const other = figures(back);
  const turned = { higher: 'lower', lower: 'higher' } as Readonly<Record<string, string>>;
  for (const [path, { a, b, difference, holm, change }] of figures(forth)) {
    const mirrored = other.get(path)!;
    expect(mirrored.a, path).toEqual(b);
    expect(mirrored.b, path).toEqual(a);
    if (difference.value === null) expect(mirrored.difference.value, path).toBeNull();
    else expect(difference.value + mirrored.difference.value!, path).toBe(0);
    if (difference.low != null) expect(difference.low + mirrored.difference.high!, path).toBe(0);
    expect(mirrored.holm, path).toBe(holm);
    expect(mirrored.change, path).toBe(turned[change] ?? change);
  }
}

describe('a comparison of two runs', () => {
  let first: Compared;
  beforeAll(async () => {
    first = await compared(inEpoch(0), inEpoch(2), people);
  });

  it('shows the simulator that collapsed between two epochs, and in which direction', () => {
    const { comparison } = first;
    expect(comparison.basis).toBe('rows');
    expect(comparison.units!.shared).toBeGreaterThan(0);
    const fallen = comparison.simulators.filter(({ mci }) => mci.change === 'higher');
    expect(fallen.map(({ id }) => id)).toContain('drifting');
    expect(comparison.simulators.every(({ mci }) => mci.change !== 'lower')).toBe(true);
  });

  it('states differences as B - A, with what could have been detected', () => {
    for (const [path, { a, b, difference }] of figures(first.comparison)) {
      if (difference.value === null) continue;
      expect(difference.value, path).toBeCloseTo(b.value! - a.value!, 9);
      if (difference.low !== null) expect(difference.detectable, path).toBeGreaterThanOrEqual(0);
    }
    expect(first.comparison.bdi.headline.difference.value).not.toBeNull();
    expect(first.comparison.bdi.g0).toBeGreaterThan(1);
  });

  it('turns every sign, to the last digit, when A and B change places', async () => {
    const back = await compared(inEpoch(2), inEpoch(0), people);
    expectOpposite(first.comparison, back.comparison);
  });

  it('shows 0 in every figure between a run and itself', async () => {
    const { comparison } = await compared(inEpoch(1), inEpoch(1), people);
    for (const [path, { difference, change }] of figures(comparison)) {
      if (difference.value === null) continue;
      expect(difference.value, path).toBe(0);
      expect(change, path).not.toMatch(/higher|lower/);
    }
    expect(comparison.units!.shared).toBe(comparison.units!.a);
    expect(comparison.headline).toContain('No difference shown');
    expect(comparison.bdi.relative.value).toBe(0);
  });

  it('gives the same from saved profiles, whichever of them holds the people', () => {
    const { space, a, b, comparison } = first;
    const again = compareProfiles(a, b, space, { seed: 5 }, {});
    const withoutSummary = ({ a: _, b: __, ...rest }: Comparison) => rest;
    expect(withoutSummary(again)).toEqual(withoutSummary(comparison));
    const both = compareProfiles(a, mergeProfiles([b, b]), space, { seed: 5 }, {});
    expect(withoutSummary(both)).toEqual(withoutSummary(comparison));
  });

  it('compares a simulator that only one side has with nobody', async () => {
    const without = inEpoch(2).filter(({ simulator }) => simulator.id !== 'drifting');
    const { comparison } = await compared(inEpoch(0), without, people);
    const lone = comparison.simulators.find(({ id }) => id === 'drifting')!;
    expect(lone.mci.a.value).not.toBeNull();
    expect(lone.mci).toMatchObject({ change: 'not tested', difference: { value: null, reason: 'not in B' } });
  });

  it('speaks of covered modes, not of coverage, where there are no people', async () => {
    const { comparison, space, a, b } = await compared(inEpoch(0), inEpoch(2));
    expect(comparison.bdi.headline.difference).toMatchObject({ value: null });
    expect(comparison.bdi.covered.difference.value).not.toBeNull();
    expect(comparison.bdi.relative.value).not.toBeNull();
    expectOpposite(comparison, compareProfiles(b, a, space, { seed: 5 }));
  });

  it('takes people found on both sides as the reference of both, and a side of people as a side', async () => {
    const mixed = await compared(
      [...inEpoch(0), ...people.slice(0, 80)],
      [...inEpoch(2), ...people.slice(80)],
    );
    expect(mixed.comparison.bdi.headline.a.value).not.toBeNull();
    const side = await compared(people, inEpoch(0).slice(0, 80));
    expect(side.comparison.bdi.headline.a.value).toBeNull();
    expect(side.comparison.a.kept).toBe(people.length);
  });

  it('names policies that differ as a confound', async () => {
    const moved = inEpoch(0).map((row) => ({ ...row, policy: { ...row.policy, id: 'another' } }));
    const { comparison } = await compared(inEpoch(0), moved, people);
    expect(comparison.confounds).toMatchObject([{ kind: 'policy' }]);
  });

  it('refuses a held-out simulator that neither side has, and an empty side', async () => {
    const input = { a: recordsOf(inEpoch(0).slice(0, 60)), b: recordsOf(inEpoch(2).slice(0, 60)) };
    await expect(compare(input, { heldOut: ['nobody'] })).rejects.toMatchObject({ code: 'CA_USAGE' });
    await expect(compare({ ...input, b: recordsOf([]) })).rejects.toMatchObject({ code: 'CA_INPUT_EMPTY' });
  });

  it('refuses a profile of another space', async () => {
    const few = inEpoch(1).slice(0, 60);
    const other = await compared(few, few);
    expect(() => compareProfiles(first.a, other.b, first.space)).toThrow(
      expect.objectContaining({ code: 'CA_SPACE_MISMATCH' }),
    );
  });
});

describe.skipIf(!hasData('tau2_factorial'))('two runs of one cell of tau2_factorial', () => {
  it('show no difference, whichever is A', async () => {
    const rows = await Promise.all(
      ['06_45_46', '11_31_04'].map((time) => episodes([`tau2_factorial/*${time}*.jsonl.gz`])),
    );
    const [forth, back] = [await compared(rows[0]!, rows[1]!), await compared(rows[1]!, rows[0]!)];
    for (const [path, { change }] of figures(forth.comparison))
      expect(change, path).not.toMatch(/higher|lower/);
    expectOpposite(forth.comparison, back.comparison);
  });
});

describe.skipIf(!hasData('persuasiontrace'))('simulators of persuasiontrace against people', () => {
  it('differ from the people they imitate where the two are the sides', async () => {
    const [sims, humans] = [
      await episodes(
        ['persuasiontrace/sim__persuader-naive__target-gpt54mini-bn-emotional.jsonl.gz'],
        'persuasiontrace-simulators.yaml',
      ),
      await episodes(['persuasiontrace/human_rounds.jsonl.gz'], 'persuasiontrace-people.yaml'),
    ];
    const { comparison } = await compared(humans, sims);
    expect(comparison.scd.pooled2.change).toBe('higher');
    expect(comparison.bdi.covered.change).toBe('lower');
  });
});
