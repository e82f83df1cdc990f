import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Measures,
  measurePopulation,
  peopleEpisodes,
  populationEpisodes,
  type WorldSpace,
  worldSpace,
} from '../../../src/lab/measure/index.ts';
import {
  anyoneSimulator,
  peopleOf,
  peopleSimulator,
  type Simulator,
} from '../../../src/lab/simulators/index.ts';
import { encodeSpace } from '../../../src/space/index.ts';
import { meeting, oneAct, world } from './meeting.ts';

describe('measures', () => {
  let space: WorldSpace;
  const of = async (population: readonly Simulator[], seed = 1): Promise<Measures> => {
    const measured = meeting(population, seed);
    return measurePopulation(populationEpisodes(measured), peopleEpisodes(measured), space);
  };
  beforeAll(async () => {
    space = await worldSpace(world, { people: 200 });
  });

  it('find one mode where the same is always said', async () => {
    const { scdActs2, scdPooled2, bdi, people } = await of([oneAct]);
    expect(scdActs2.value).toBeGreaterThan(0.95);
    if (scdPooled2.value === null) expect(scdPooled2.reason).toBe('off support');
    else expect(scdPooled2.value).toBeGreaterThan(0.8);
    expect(bdi.value).toBeLessThan(0.3);
    expect(people.scdActs2.value).toBeLessThan(0.5);
  });

  it('find people where people answer', async () => {
    const other = { ...peopleSimulator(world, peopleOf(world, 'reference', 300, 7)), id: 'like-people' };
    const { people, ...own } = await of([other]);
    expect(Math.abs(own.scdPooled2.value! - people.scdPooled2.value!)).toBeLessThan(0.1);
    expect(own.bdi.value).toBeGreaterThan(0.85);
    expect(own.bdi.value).toBeLessThan(1.15);
    expect(Math.abs(own.realism.value! - people.realism.value!)).toBeLessThan(0.1);
    expect(Math.abs(own.epsilonMemberExact.value! - people.epsilonExact.value!)).toBeLessThan(0.05);
  });

  it('hold coverage to one size, whatever the number of members', async () => {
    const member = (id: string): Simulator => ({ ...anyoneSimulator(world), id });
    const one = await of([member('a')]);
    const ten = await of(Array.from({ length: 10 }, (_, i) => member(`a${i}`)));
    // The same people draw the same dialogues: only who is said to have led them differs.
    expect(ten.bdi).toEqual(one.bdi);
    expect(ten.bdiMass).toEqual(one.bdiMass);
    expect(ten.members).toBe(10);
  });

  it('rest on one space for a world, of the same bytes every time', async () => {
    const again = await worldSpace(world, { people: 200 });
    expect(encodeSpace(again.space)).toBe(encodeSpace(space.space));
    expect(again.people.size).toBe(200);
  });
});
