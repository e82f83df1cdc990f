export { type Audit, type AuditInput, type AuditNaming, audit, auditProfile } from './audit.ts';
export { type Evidence, embedderOf, type Fitted, fit } from './fit.ts';
export { type Measured, measure } from './measure.ts';
export type { AuditOptions, Records, Stage } from './options.ts';
export { pageData } from './page-data.ts';
export { place } from './place.ts';
export * from './report-data.ts';
export { type Scan, scan } from './scan.ts';
