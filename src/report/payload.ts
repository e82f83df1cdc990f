import type { Comparison } from '../audit/compare-data.ts';
import type { AuditPage } from '../audit/report-data.ts';
import type { CurationPage } from '../curation/manifest.ts';
import type { EvolveView } from './evolve-payload.ts';
import type { LabPage } from './lab-payload.ts';

/** What a page carries inside itself: the prebuilt page reads `kind` and shows that one. */
export type Payload =
  | { readonly kind: 'audit'; readonly page: AuditPage }
  | { readonly kind: 'comparison'; readonly page: ComparisonPage }
  | { readonly kind: 'curation'; readonly page: CurationPage }
  | { readonly kind: 'lab'; readonly page: LabPage }
  | { readonly kind: 'evolve'; readonly page: EvolveView };

export interface ComparisonPage {
  readonly title: string;
  /** When it was made, as text; the renderer reads no clock. */
  readonly created: string;
  readonly comparison: Comparison;
}
