export * from './behaviour.ts';
export * from './describe.ts';
export * from './embedder.ts';
export * from './interaction.ts';
export * from './lsa.ts';
export * from './speech.ts';
export * from './tokens.ts';
