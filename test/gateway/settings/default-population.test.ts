import { expect, it } from 'vitest';
import { defaultPopulation } from '../../../src/gateway/settings/default-population.ts';
import { DEFAULT_FAMILIES } from '../../../src/lab/simulators/index.ts';
import { PANELS_SCHEMA, readPanels } from '../../../src/population/index.ts';

const population = defaultPopulation();
const ids = (panel: 'seen' | 'selection' | 'test') => population.panels[panel].map(({ id }) => id);

it('serves the panels of the lab, of which no two share a family', () => {
  expect(() => readPanels({ schema: PANELS_SCHEMA, ...population.panels })).not.toThrow();
  expect(ids('seen')).toEqual(['alder', 'alder-vs', 'birch', 'cedar']);
  for (const panel of ['selection', 'test'] as const)
    expect(ids(panel)).toEqual(DEFAULT_FAMILIES[panel].map(({ id }) => id));
});

it('names only members that it has, and asks no upstream', () => {
  expect(Object.keys(population.weights).sort()).toEqual(ids('seen'));
  expect(ids('seen')).toEqual(expect.arrayContaining([...population.antiCollapse]));
  expect(population.upstreamOf).toEqual({});
});
