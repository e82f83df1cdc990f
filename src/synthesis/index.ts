export type { Origin } from './origin.ts';
export type { PlacedRow } from './placed-row.ts';
