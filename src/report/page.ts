import type { Comparison } from '../audit/compare-data.ts';
import type { AuditPage } from '../audit/report-data.ts';
import { CollapseAwareError } from '../errors.ts';
import { comparisonSummary } from './comparison-summary.ts';
import type { ComparisonPage, Payload } from './payload.ts';
import { terminalSummary } from './summary.ts';
import { readTemplate } from './template.ts';

/** What stands in the prebuilt page where text and data go (web/report.html). */
const SLOTS = {
  title: '__COLLAPSE_AWARE_TITLE__',
  plain: '__COLLAPSE_AWARE_PLAIN__',
  data: '"__COLLAPSE_AWARE_DATA__"',
} as const;

/**
 * One self-contained HTML page of an audit: no network, a strict content security policy, and the dialogue
 * text inside it is data only. Readers without scripts get the terminal summary.
 * @throws CA_PAGE_NOT_BUILT
 */
export function renderPage(page: AuditPage, template: string = readTemplate()): string {
  return fill(template, { kind: 'audit', page }, terminalSummary(page.report));
}

/**
 * One self-contained HTML page of two audits side by side (see `compareReports`).
 * @throws CA_PAGE_NOT_BUILT
 */
export function renderComparison(
  comparison: Comparison,
  options: { readonly title?: string; readonly created: string },
  template: string = readTemplate(),
): string {
  const { a, b } = comparison;
  const page: ComparisonPage = {
    title: options.title ?? `${a.label} and ${b.label} compared`,
    created: options.created,
    comparison,
  };
  return fill(template, { kind: 'comparison', page }, comparisonSummary(comparison));
}

/**
 * Puts title, data and the text for readers without scripts into the prebuilt page.
 * @throws CA_PAGE_NOT_BUILT where the template lacks a slot.
 */
export function fill(template: string, payload: Payload, plain: string): string {
  const values: Record<string, string> = {
    [SLOTS.title]: escapeHtml(payload.page.title),
    [SLOTS.plain]: escapeHtml(plain),
    [SLOTS.data]: scriptJson(payload),
  };
  for (const slot of Object.values(SLOTS))
    if (template.split(slot).length !== 2)
      throw new CollapseAwareError('CA_PAGE_NOT_BUILT', `the page has not one slot ${slot}`, {
        todo: 'build it again with `npm run build:web`',
      });
  // One pass over the template, so that a slot's name inside the data stays data.
  const pattern = new RegExp(Object.values(SLOTS).join('|'), 'g');
  return template.replace(pattern, (slot) => values[slot] ?? '');
}

/**
 * JSON that may stand inside a `<script>`: no byte of it can end the element or open a comment, whatever the
 * dialogues say, and the two line separators that JavaScript once refused are escaped too.
 */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
