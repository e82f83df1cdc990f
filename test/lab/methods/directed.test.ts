import { describe, expect, it } from 'vitest';
import { DirectedRun, familyMembers, spaceOfPeople } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import type { DataPlan } from '../../../src/loop/index.ts';
import { seeded } from '../../../src/math/index.ts';
import { played, study, world } from './steps.ts';

const setup = study();
const members = DEFAULT_FAMILIES.seen.slice(0, 3).flatMap(familyMembers);
const { modes } = spaceOfPeople(world, setup.reference, 1, seeded('people'));
const shares = [0.4, 0.3, 0.15, 0.1, 0.04, 0.01];
const population = members.map((member, at) => ({ member, share: shares[at]! }));
const plain: DataPlan = { gate: false, weights: null, consistency: null };
const full: DataPlan = {
  gate: true,
  weights: { alpha: 0.75 },
  consistency: { lambda: 0.5 },
};

function directed(data: DataPlan = plain): DirectedRun {
  const run = new DirectedRun(
    { world, families: setup.seen, verbalized: setup.verbalized, personaStrength: 0.3 },
    seeded('directed'),
  );
  run.setModes(modes);
  run.direct(population, data);
  return run;
}
const roundTrip = (run: DirectedRun, data: DataPlan): DirectedRun => {
  const next = directed(data);
  next.load(JSON.parse(JSON.stringify(run.save())));
  return next;
};

describe('training as it is told', () => {
  it('casts every member as often as its share says, in the long run and in a step', () => {
    const run = directed();
    const counts = new Map<string, number>();
    for (let step = 0; step < 300; step++) {
      const own = new Map<string, number>();
      for (let group = 0; group < 16; group++) {
        const { id } = run.cast(step, group);
        counts.set(id, (counts.get(id) ?? 0) + 1 / 4800);
        own.set(id, (own.get(id) ?? 0) + 1);
        expect(run.cast(step, group).id).toBe(id);
      }
      for (const { member, share } of population)
        expect(Math.abs((own.get(member.id) ?? 0) - 16 * share)).toBeLessThan(2.5);
    }
    for (const { member, share } of population)
      expect(Math.abs((counts.get(member.id) ?? 0) - share)).toBeLessThan(0.01);
  });

  it('leaves nobody out where all members are off support alike: that is the policy and no member', () => {
    const narrow = { ...modes, codebook: { ...modes.codebook, radius: 0 } };
    const run = directed({ ...plain, gate: true });
    run.setModes(narrow);
    const rollouts = played(run, 0);
    const open = directed(plain);
    open.setModes(narrow);
    expect(run.advantages(0, rollouts)).toEqual(open.advantages(0, rollouts));
    run.learn(0, rollouts);
    expect(run.rows.filter(({ outside }) => outside).length).toBeGreaterThan(64);
  });

  it('weighs so that advantages of a group still sum to 0, and leaves out lost episodes', () => {
    const run = directed({ ...full, consistency: null });
    const rollouts = played(run, 0);
    rollouts.reward[3] = Number.NaN;
    const advantage = run.advantages(0, rollouts);
    expect(advantage[3]).toBeNaN();
    const sums = new Float64Array(16);
    advantage.forEach((own, e) => {
      if (!Number.isNaN(own)) sums[rollouts.group[e]!]! += own;
    });
    for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-9);
    rollouts.reward.fill(Number.NaN);
    const lost = directed(full);
    expect([...lost.advantages(0, rollouts)].every(Number.isNaN)).toBe(true);
    lost.learn(0, rollouts);
    expect(lost.rows).toEqual([]);
  });

  it('goes on with the same bits wherever it was saved and loaded', () => {
    let run = directed(full);
    const whole = directed(full);
    for (let step = 0; step < 6; step++) {
      const rollouts = played(whole, step);
      const again = played(run, step);
      expect(again.episodes.map(({ simulator }) => simulator.id)).toEqual(
        rollouts.episodes.map(({ simulator }) => simulator.id),
      );
      expect(run.advantages(step, again)).toEqual(whole.advantages(step, rollouts));
      run.learn(step, again);
      whole.learn(step, rollouts);
      run = roundTrip(run, plain);
      expect(JSON.stringify(run.save())).toBe(JSON.stringify(whole.save()));
    }
    expect(whole.rows).toHaveLength(512);
  });
});
