export * from './directed.ts';
export * from './loop-settings.ts';
export { type LoopSpace, sampleRequest, spaceOfPeople, spaceOfRows } from './loop-space.ts';
export * from './loop-stage.ts';
export * from './method.ts';
export * from './methods.ts';
