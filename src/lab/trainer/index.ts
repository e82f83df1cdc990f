export * from './evaluation.ts';
export * from './training-run.ts';
export * from './training-settings.ts';
