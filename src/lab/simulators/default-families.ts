import type { SimulatorFamily } from './family.ts';

/**
 * The families of the default panels, laid down before any method was compared: all lean agreeable, cover part of
 * people and are collapsed; held-out ones come from the same ranges as seen ones. Ranges were chosen by the base
 * policy alone, which every method starts from: with larger leans it has little left to learn on the panels.
 * `seen` is in the order that methods take them.
 */
export const DEFAULT_FAMILIES: Readonly<Record<'seen' | 'selection' | 'test', readonly SimulatorFamily[]>> = {
  seen: [
    { id: 'alder', kappa: 0.6, gamma: 4, lean: 0.5 },
    { id: 'birch', kappa: 0.5, gamma: 4, lean: 0.4 },
    { id: 'cedar', kappa: 0.6, gamma: 4, lean: 0.3 },
  ],
  selection: [
    { id: 'elm', kappa: 0.6, gamma: 4, lean: 0.4 },
    { id: 'fir', kappa: 0.5, gamma: 3, lean: 0.3 },
    { id: 'ginkgo', kappa: 0.7, gamma: 4, lean: 0.3 },
    { id: 'hazel', kappa: 0.6, gamma: 5, lean: 0.4 },
  ],
  test: [
    { id: 'ivy', kappa: 0.6, gamma: 4, lean: 0.4 },
    { id: 'juniper', kappa: 0.5, gamma: 3, lean: 0.3 },
    { id: 'larch', kappa: 0.7, gamma: 4, lean: 0.3 },
    { id: 'maple', kappa: 0.6, gamma: 5, lean: 0.4 },
    { id: 'oak', kappa: 0.5, gamma: 4, lean: 0.2 },
    { id: 'pine', kappa: 0.7, gamma: 3, lean: 0.4 },
  ],
};
