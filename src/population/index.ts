export {
  type Drawable,
  type DrawWeights,
  groupDraw,
  hashShare,
  uniformDraw,
  weightedDraw,
} from './draw.ts';
export * from './least-covered.ts';
export * from './member.ts';
export { memberSchema } from './member-schema.ts';
export { PANEL_NAMES, PANELS_SCHEMA, type PanelName, type PanelNote, type Panels } from './panels.ts';
export { panelsJsonSchema, panelsSchema } from './panels-schema.ts';
export * from './pool.ts';
export * from './read-member.ts';
export * from './read-panels.ts';
export * from './simulator-recipe.ts';
export { writtenMember } from './written-member.ts';
