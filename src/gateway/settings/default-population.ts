import { PANELS_SCHEMA, readPanels } from '../../population/index.ts';
import type { PopulationSettings } from './settings.ts';

const scripted = (family: string) => ({ id: family, family, recipe: { kind: 'scripted', family } });

/**
 * Who a gateway without settings serves: the lab's families, so that nothing but the gateway is needed to talk to it.
 * The held-out ones are those of the lab's default panels. `alder-vs` is alder asked for a list of what it could say.
 */
export function defaultPopulation(): PopulationSettings {
  const { seen, selection, test } = readPanels({
    schema: PANELS_SCHEMA,
    seen: ['alder', 'birch', 'cedar', 'alder-vs'].map(scripted),
    selection: ['elm', 'fir', 'ginkgo', 'hazel'].map(scripted),
    test: ['ivy', 'juniper', 'larch', 'maple', 'oak', 'pine'].map(scripted),
  });
  return {
    panels: { seen, selection, test },
    upstreamOf: {},
    world: 'persuasion',
    draw: 'weighted',
    weights: { alder: 1, birch: 1, cedar: 1, 'alder-vs': 0.1 },
    antiCollapse: ['alder-vs'],
    aliases: {},
  };
}
