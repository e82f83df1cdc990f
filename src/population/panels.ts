import type { Member } from './member.ts';

export const PANELS_SCHEMA = 'collapse-aware/panels@1';
export const PANEL_NAMES = ['seen', 'selection', 'test'] as const;
export const DISJOINT = ['families', 'members'] as const;

export type PanelName = (typeof PANEL_NAMES)[number];

/** Who is trained against, who chooses checkpoints, who measures: nobody does two of these. */
export interface Panels extends Readonly<Record<PanelName, readonly Member[]>> {
  readonly schema: typeof PANELS_SCHEMA;
  /** `families`: panels share no family either. */
  readonly disjoint: (typeof DISJOINT)[number];
  /** What a reader of results should know. */
  readonly notes: readonly PanelNote[];
}

export interface PanelNote {
  readonly kind: 'empty' | 'shared-family' | 'people';
  readonly panels: readonly PanelName[];
  /** Null for an empty panel. */
  readonly family: string | null;
  /** The note in words. */
  readonly text: string;
}
