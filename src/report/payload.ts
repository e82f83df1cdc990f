import type { Comparison } from '../audit/compare-data.ts';
import type { AuditPage } from '../audit/report-data.ts';

/** What a page carries inside itself: the prebuilt page reads `kind` and shows the one or the other. */
export type Payload =
  | { readonly kind: 'audit'; readonly page: AuditPage }
  | { readonly kind: 'comparison'; readonly page: ComparisonPage };

export interface ComparisonPage {
  readonly title: string;
  /** When it was made, as text; the renderer reads no clock. */
  readonly created: string;
  readonly comparison: Comparison;
}
