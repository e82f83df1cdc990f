export * from './environment.ts';
