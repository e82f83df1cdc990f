import { byId } from '../../population/resolve-member.ts';
import { DEFAULT_FAMILIES, type LabPanelFamilies, type SimulatorFamily } from '../simulators/index.ts';

/** Families of simulators by what they are for; no family stands in two. */
export type Panels = LabPanelFamilies;

export const DEFAULT_PANELS: Panels = DEFAULT_FAMILIES;

/** `seen` as it is, since methods take its first; the others by id, since their order says nothing. */
export function orderedPanels({ seen, selection, test }: Panels): Panels {
  return { seen, selection: [...selection].sort(byId), test: [...test].sort(byId) };
}

export function mapFamilies(panels: Panels, change: (family: SimulatorFamily) => SimulatorFamily): Panels {
  const { seen, selection, test } = panels;
  return { seen: seen.map(change), selection: selection.map(change), test: test.map(change) };
}
