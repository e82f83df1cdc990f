import { join } from 'node:path';
import {
  cellName,
  cellsOf,
  type GridCells,
  gridPoints,
  type Panels,
  type Ranking,
  rankingMarkdown,
  rankingOf,
  rankingSummary,
  type Shard,
  type SpaceText,
  shardOf,
  type TablePlan,
} from '../lab/stage-zero/index.ts';
import type { TrainingSettings } from '../lab/trainer/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { makeCells } from './lab-crew.ts';
import { LabDirectory } from './lab-directory.ts';
import { checkFamilies } from './lab-options.ts';
import { brokenLine, unreadLine } from './lab-words.ts';
import { followStages } from './progress.ts';
import { show, tell } from './terminal.ts';

export interface GridRequest {
  /** Worlds, methods and seeds; a ranking for each world. */
  readonly plan: TablePlan;
  readonly settings: TrainingSettings;
  readonly panels: Panels;
  readonly shard: Shard | null;
  readonly workers: number;
  /** A folder a point is made in it. */
  readonly output: string | null;
  readonly markdown: string | null;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly signal: AbortSignal;
}

/** The same methods under other assumptions of the model: which orders of them hold, and which flip. */
export async function runGrid(request: GridRequest): Promise<void> {
  const { plan, settings, panels, shard, output, signal } = request;
  const points = gridPoints(settings, panels, plan.methods);
  for (const { study } of points) checkFamilies(study.panels, plan.worlds);
  const all = points.flatMap((point, at) =>
    cellsOf({ ...plan, methods: point.methods }).map((place) => ({ ...place, at })),
  );
  const wanted = new Set(shard === null ? all : shardOf(all, shard));
  const { steps } = settings;
  const rankings = await followStages(
    {
      space: 'Learn what people do',
      train: `Train and measure ${wanted.size.toLocaleString('en')} cells at ${points.length} points`,
      write: 'Write',
    },
    async (progress): Promise<Ranking[]> => {
      const spaces = new Map<string, SpaceText>();
      const grid: GridCells[] = [];
      let before = 0;
      for (const [index, point] of points.entries()) {
        const here = all.filter(({ at }) => at === index);
        const own = here.filter((place) => wanted.has(place));
        const directory = await LabDirectory.open(
          output === null ? null : join(output, point.id),
          point.study,
          signal,
        );
        const onBroken = (file: Parameters<typeof brokenLine>[0]) => tell(brokenLine(file));
        const at = new Map<string, number>();
        const cells = await makeCells(directory, own, {
          workers: request.workers,
          signal,
          spaces,
          onBroken,
          onSpace: (made, of) => {
            if (index === 0) progress('space', made, of);
          },
          onEvent: (place, event) => {
            const name = cellName(place);
            if (event.kind === 'cell') at.set(name, steps);
            else if (event.kind === 'step') at.set(name, event.record?.step ?? 0);
            const now = [...at.values()].reduce((sum, x) => sum + x, 0);
            progress('train', before + now, wanted.size * steps, `steps, ${point.id}, ${name}`);
          },
        });
        before += own.length * steps;
        const others = here.filter((place) => !wanted.has(place));
        grid.push({
          point,
          cells: [...cells, ...(await directory.cells(others, (file) => tell(unreadLine(file))))],
        });
      }
      progress('write', 0, null);
      const found = plan.worlds.map((world) => rankingOf(world, plan.seeds, grid));
      if (request.markdown !== null)
        await writeFileAtomic(request.markdown, found.map(rankingMarkdown).join('\n'), { signal });
      return found;
    },
    request.quiet,
  );
  if (request.json) process.stdout.write(`${JSON.stringify(rankings, null, 2)}\n`);
  else show(rankings.map(rankingSummary).join('\n\n'));
}
