import { hashOrder } from '../math/index.ts';
import { type BehaviourSpace, behaviourMap, type ReservoirRow, type View } from '../space/index.ts';
import { modeLabels } from './mode-labels.ts';
import type { AuditPage, AuditReport } from './report-data.ts';

const POINTS = 5000;

/** What the page shows beside the report: the map, the modes' names and what was said in them. */
export function pageData(
  report: AuditReport,
  view: View,
  space: BehaviourSpace,
  titles: { readonly title: string; readonly created: string },
): AuditPage {
  const compared = new Set(view.simulators);
  // No row of the people's fit part: they would look closer to the centroids than fresh people are.
  const reservoir = view.profile.reservoir.filter((row) =>
    row.part === null ? compared.has(row.simulator) : row.part !== 'fit',
  );
  const shown = [...reservoir]
    .sort((a, b) => hashOrder(a.hash, space.seed) - hashOrder(b.hash, space.seed))
    .slice(0, POINTS);
  const cells = cellsByContent(view);
  const map = behaviourMap(shown, space, view.control === 'interaction' ? 'interaction' : 'full');
  const cellOf = (row: ReservoirRow) => cells.get(`${row.hash}\u0000${row.simulator}`) ?? null;
  const labels = view.classes ?? modeLabels(space, view.k, reservoir, cellOf);
  const book = view.control === 'interaction' ? space.interactionEpisode : space.episode;
  return {
    report,
    map: {
      points: map.points.map(({ row, x, y, cell, outside }) => ({
        x,
        y,
        simulator: row.part === null ? row.simulator : 'people',
        human: row.part !== null,
        mode: cell,
        outside,
        excerpt: row.excerpt,
      })),
      centroids: view.classes === null ? map.centroids : [],
      explained: map.explained,
      sampled: { shown: map.points.length, of: view.profile.size, seed: space.seed },
    },
    modes: Array.from({ length: view.k }, (_, mode) => ({
      mode,
      label: labels[mode]!,
      people: report.reference?.shares[mode] ?? null,
      exemplars: view.classes === null ? (book.exemplars[mode] ?? []) : [],
    })),
    ...titles,
  };
}

function cellsByContent(view: View): Map<string, number> {
  const hashes = new Set(view.profile.reservoir.map(({ hash }) => hash));
  const wanted = new Set(view.profile.reservoir.map((row) => `${row.hash}\u0000${row.simulator}`));
  const cells = new Map<string, number>();
  const parts = view.people === null ? [view.rows] : [view.rows, view.people.mass, view.people.ceiling];
  for (const columns of parts)
    for (let row = 0; row < columns.size; row++) {
      const { hash, simulator } = view.profile.peek(columns.profileRow[row]!);
      if (!hashes.has(hash)) continue;
      const key = `${hash}\u0000${simulator}`;
      if (wanted.has(key)) cells.set(key, columns.cell[row]!);
    }
  return cells;
}
