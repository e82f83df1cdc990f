import { DEFAULT_FAMILIES, type SimulatorFamily } from '../simulators/index.ts';

/** Families of simulators by what they are for; no family stands in two. */
export interface Panels {
  /** May be trained against, in the order that methods take them. */
  readonly seen: readonly SimulatorFamily[];
  /** Choose the checkpoint. */
  readonly selection: readonly SimulatorFamily[];
  /** Score what was chosen, once. */
  readonly test: readonly SimulatorFamily[];
}

export const DEFAULT_PANELS: Panels = DEFAULT_FAMILIES;
