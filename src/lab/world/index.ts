export * from './encounter.ts';
export * from './history.ts';
export * from './setting.ts';
export * from './traits.ts';
export * from './world.ts';
