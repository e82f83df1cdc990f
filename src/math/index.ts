export * from './distributions.ts';
export * from './hash.ts';
export * from './jackknife.ts';
export * from './multiple.ts';
export * from './random.ts';
export * from './summary.ts';
