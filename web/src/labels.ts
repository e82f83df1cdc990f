import type { AuditPage } from '../../src/audit/report-data.ts';

/** Labels by mode number; the list of modes need not be whole or in order. */
export function labeller(modes: AuditPage['modes']): (mode: number) => string {
  const labels = new Map(modes.map(({ mode, label }) => [mode, label]));
  return (mode) => labels.get(mode) || 'without a label';
}
