export * from './method.ts';
export * from './methods.ts';
