import type { SimulatorFamily } from './family.ts';

/**
 * The families of the default panels, laid down before any method was compared: all lean agreeable, cover part of
 * people and are collapsed; held-out ones are drawn from the same ranges as seen ones, so that what they differ in is
 * whom they cover. `seen` is in the order that methods take them.
 */
export const DEFAULT_FAMILIES: Readonly<Record<'seen' | 'selection' | 'test', readonly SimulatorFamily[]>> = {
  seen: [
    { id: 'alder', kappa: 0.5, gamma: 4, lean: 0.7 },
    { id: 'birch', kappa: 0.45, gamma: 4, lean: 0.6 },
    { id: 'cedar', kappa: 0.55, gamma: 4, lean: 0.5 },
  ],
  selection: [
    { id: 'elm', kappa: 0.5, gamma: 4, lean: 0.6 },
    { id: 'fir', kappa: 0.45, gamma: 3, lean: 0.5 },
    { id: 'ginkgo', kappa: 0.55, gamma: 4, lean: 0.4 },
    { id: 'hazel', kappa: 0.5, gamma: 5, lean: 0.5 },
  ],
  test: [
    { id: 'ivy', kappa: 0.5, gamma: 4, lean: 0.6 },
    { id: 'juniper', kappa: 0.45, gamma: 3, lean: 0.5 },
    { id: 'larch', kappa: 0.55, gamma: 4, lean: 0.4 },
    { id: 'maple', kappa: 0.5, gamma: 5, lean: 0.5 },
    { id: 'oak', kappa: 0.4, gamma: 4, lean: 0.4 },
    { id: 'pine', kappa: 0.55, gamma: 3, lean: 0.6 },
  ],
};
