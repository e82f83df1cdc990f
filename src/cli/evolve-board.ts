import type { RunPlace, RunStudy, RunView } from '../loop/index.ts';
import { RunBoard, readGatewayStage } from '../outside/index.ts';
import { shownRun } from './evolve-status.ts';
import { tell } from './terminal.ts';

/** What the gateway takes of a title. */
const TITLE = 300;

/**
 * Beside a run over a gateway: after each round the run goes to the gateway's dashboard, and at the end the trainer is let
 * go, unless the last level holds it. What fails here is told and ends no run. Of a run in the lab nothing is done.
 */
export class EvolveBoard {
  readonly #place: RunPlace;
  /** Nothing is told: the run is the lab's, or was over when it was taken up. */
  readonly #silent: Promise<boolean>;
  #shown = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param study null = of the run that is there */
  constructor(place: RunPlace, study: RunStudy | null) {
    this.#place = place;
    this.#silent =
      study !== null && study.stage.kind !== 'gateway'
        ? Promise.resolve(true)
        : withView(
            place,
            async (view) => view.study.stage.kind !== 'gateway' || (await view.summary()) !== null,
          ).catch(() => false);
  }

  /** So many rounds are over. */
  round(over: number): void {
    if (over <= this.#shown) return;
    this.#shown = over;
    this.#next('the run is not shown in the dashboard', (board, view) => show(board, view));
  }

  /** The run is over. Resolves once everything was told. */
  async end(): Promise<void> {
    this.#next('the run is not shown in the dashboard', (board, view) => show(board, view));
    this.#next('the trainer is not let go', async (board, view) => {
      const level = (await view.rounds()).at(-1)?.breaker;
      if (level?.training === 'paused') {
        tell(
          `the run ended at ${level.after}: the trainer stays held until its hold lapses or somebody lets it go`,
        );
        return;
      }
      await board.letGo();
      tell('the trainer goes on, with the population of the last round');
    });
    await this.#last;
  }

  /** Resolves once everything was told. */
  settled(): Promise<void> {
    return this.#last;
  }

  #next(what: string, act: (board: RunBoard, view: RunView) => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (await this.#silent) return;
      try {
        await withView(this.#place, (view) =>
          act(new RunBoard(readGatewayStage(view.study.stage), process.env), view),
        );
      } catch (error) {
        tell(`warning: ${what}: ${(error as Error).message}`);
      }
    });
  }
}

const show = async (board: RunBoard, view: RunView): Promise<void> =>
  board.show(await shownRun(view, view.place.slice(0, TITLE), ({ run, title }) => ({ run, title })));

async function withView<T>(place: RunPlace, use: (view: RunView) => Promise<T>): Promise<T> {
  const view = await place.view();
  try {
    return await use(view);
  } finally {
    await view.close();
  }
}
