import { describe, expect, it } from 'vitest';
import { readPopulation, writtenPopulation } from '../../src/gateway/settings/read-population.ts';
import { seatedBeside, servedBy } from '../../src/outside/published-population.ts';
import { readMember } from '../../src/population/index.ts';

const model = (id: string, more: object = {}) => ({ id, family: id, model: `model-${id}`, ...more });
const upstreams = ['east', 'west'];
const NOW = readPopulation(
  {
    members: [
      model('alder', { upstream: 'east' }),
      model('birch', { upstream: 'west' }),
      model('elm', { upstream: 'east' }),
    ],
    seen: ['alder', 'birch'],
    selection: ['elm'],
    draw: 'uniform',
  },
  { upstreams },
);
const given = (id: string) => readMember(model(id));
const made = readMember({
  ...model('r2-birch+shy'),
  family: 'birch',
  model: 'model-birch',
  recipe: { kind: 'persona', text: 'You are shy.' },
});
const weights = (population: typeof NOW) =>
  Object.fromEntries(population.panels.seen.map(({ id }) => [id, population.weights[id]]));
/** As the gateway reads it. */
const sent = (population: typeof NOW) => readPopulation(writtenPopulation(population), { upstreams });

describe('a population that is published', () => {
  it('is drawn by share; those given before stay, and are met by nobody', () => {
    const next = servedBy(NOW, [
      { member: given('alder'), share: 0.25 },
      { member: made, share: 0.75 },
    ])!;
    expect(weights(sent(next))).toEqual({ alder: 0.25, 'r2-birch+shy': 0.75, birch: 0 });
    expect(next.draw).toBe('weighted');
    expect(sent(next).panels.selection.map(({ id }) => id)).toEqual(['elm']);
  });

  it('asks a made member where others of its model are', () => {
    const next = sent(servedBy(NOW, [{ member: made, share: 1 }])!);
    expect(next.upstreamOf['r2-birch+shy']).toBe('west');
  });

  it('leaves made members out that are in it no more', () => {
    const before = servedBy(NOW, [{ member: made, share: 1 }])!;
    const next = servedBy(before, [{ member: given('alder'), share: 1 }])!;
    expect(weights(next)).toEqual({ alder: 1, birch: 0 });
  });

  it('changes nothing where it is so already, in whatever order', () => {
    const one = { member: given('alder'), share: 0.5 };
    const two = { member: given('birch'), share: 0.5 };
    const next = servedBy(NOW, [one, two])!;
    expect(servedBy(sent(next), [two, one])).toBeNull();
  });
});

describe('a member that is to be heard', () => {
  it('has a seat at weight 0, and moves nobody else', () => {
    const next = sent(seatedBeside(NOW, [made])!);
    expect(weights(next)).toEqual({ alder: 1, birch: 1, 'r2-birch+shy': 0 });
    expect(seatedBeside(next, [made])).toBeNull();
  });

  it('is a mixture of two whose models are known', () => {
    const mixture = readMember({
      id: 'r1-alder~birch@0.5',
      family: 'alder~birch',
      recipe: { kind: 'interpolate', a: model('alder'), b: model('birch'), lambda: 0.5, how: 'mixture' },
    });
    const next = sent(seatedBeside(NOW, [mixture])!);
    expect(next.upstreamOf).toMatchObject({ alder: 'east', birch: 'west' });
    expect(weights(next)).toMatchObject({ 'r1-alder~birch@0.5': 0 });
  });
});
