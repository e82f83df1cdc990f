export * from './scripted/index.ts';
