import type { EvolvePage } from './evolve-payload.ts';
import { evolveSummary } from './evolve-summary.ts';
import { evolveView } from './evolve-view.ts';
import { fill } from './page.ts';
import { readTemplate } from './template.ts';

/**
 * One self-contained HTML page of a run of the loop, finished or under way: the same prebuilt page, content security
 * policy and inert data as an audit's. It holds no time, so equal records give equal bytes. Readers without scripts
 * get `evolveSummary`.
 * @throws CA_PAGE_NOT_BUILT
 */
export function renderEvolvePage(page: EvolvePage, template: string = readTemplate()): string {
  const view = evolveView(page);
  return fill(template, { kind: 'evolve', page: view }, evolveSummary(view));
}
