export { CARD_SCHEMA, type Card, renderCard } from './card.ts';
export { compareReports } from './comparison.ts';
export { comparisonSummary } from './comparison-summary.ts';
export { escapeHtml, renderComparison, renderPage, scriptJson } from './page.ts';
export type { ComparisonPage, Payload } from './payload.ts';
export { decodeReport } from './report-schema.ts';
export { terminalSummary } from './summary.ts';
export { readTemplate } from './template.ts';
