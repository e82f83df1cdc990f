import { CollapseAwareError } from '../../errors.ts';
import type { LoopAnswer } from '../answer.ts';
import { entryOf, type RunProgram } from '../drive.ts';
import type { Performer, PerformerMaker } from '../performer.ts';
import type { LoopRequest } from '../request.ts';
import { joinParts, partsOf } from '../request-parts.ts';
import { type RunEntry, type RunPlace, requestHash } from '../run-store.ts';
import { checkSameStudy, type RunStudy, readStudy } from '../run-study.ts';
import { openPool, type Pool, placeOfUrl } from './pg.ts';
import { asked, entryOfRow, keepCheckpoint, postgresRun, readCheckpoint } from './postgres-run.ts';
import { prepare, SCHEMA } from './schema.ts';

export interface WorkplaceOptions {
  readonly url: string;
  readonly program: RunProgram;
  /** Makes who performs what a run asks for; called once a run. */
  readonly make: PerformerMaker;
  /** Told of every request that is performed here. */
  onPerform?(run: string, request: LoopRequest): void;
}

/** What a process that joined has at hand: the tables, and performers of the runs that it works for. */
export class Workplace {
  readonly url: string;
  readonly program: RunProgram;
  readonly pool: Pool;
  /** Aborted when the process leaves. */
  readonly leaving = new AbortController();
  readonly #make: PerformerMaker;
  readonly #onPerform: WorkplaceOptions['onPerform'];
  readonly #performers = new Map<string, Promise<Performer>>();

  private constructor({ url, program, make, onPerform }: WorkplaceOptions, pool: Pool) {
    this.url = url;
    this.program = program;
    this.#make = make;
    this.#onPerform = onPerform;
    this.pool = pool;
  }

  static async open(options: WorkplaceOptions): Promise<Workplace> {
    await prepare(options.url);
    return new Workplace(options, await openPool(options.url));
  }

  place(run: string): RunPlace {
    return postgresRun(this.url, run);
  }

  /** Makes the run where there is none, whoever drives it. @throws CA_CONFIG_INVALID where it is another study */
  async begin(run: string, study: RunStudy): Promise<void> {
    const place = `${placeOfUrl(this.url)} ${run}`;
    await this.#ask(`INSERT INTO ${SCHEMA}.run (id, study) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
      run,
      JSON.stringify(study),
    ]);
    checkSameStudy(await this.#studyOf(run), study, place);
  }

  async #studyOf(run: string): Promise<RunStudy> {
    const { rows } = await this.#ask(`SELECT study FROM ${SCHEMA}.run WHERE id = $1`, [run]);
    return readStudy(rows[0]!.study as string, `${placeOfUrl(this.url)} ${run}`);
  }

  /** Performs a part of a request and keeps the answer; one that is kept is not performed again. */
  async perform(run: string, round: number, part: LoopRequest): Promise<void> {
    const hash = requestHash(part);
    const there = await this.#ask(`SELECT 1 FROM ${SCHEMA}.part WHERE run = $1 AND request = $2`, [
      run,
      hash,
    ]);
    if (there.rowCount !== 0) return;
    const performer = await this.#performerOf(run);
    this.#onPerform?.(run, part);
    const name = `${placeOfUrl(this.url)} ${run}`;
    const answer = await performer.perform(part, {
      read: (checkpoint) => readCheckpoint(this.url, this.pool, checkpoint, name),
      keep: (text) => keepCheckpoint(this.url, this.pool, text),
      signal: this.leaving.signal,
      round,
    });
    this.leaving.signal.throwIfAborted();
    await this.#ask(`INSERT INTO ${SCHEMA}.part VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, [
      run,
      hash,
      JSON.stringify(answer),
    ]);
  }

  /** What the parts of a request came to, as an entry of the run. */
  async joined(run: string, round: number, request: LoopRequest): Promise<RunEntry> {
    const answers: LoopAnswer[] = [];
    for (const part of partsOf(request)) {
      const { rows } = await this.#ask(`SELECT answer FROM ${SCHEMA}.part WHERE run = $1 AND request = $2`, [
        run,
        requestHash(part),
      ]);
      if (rows[0] === undefined)
        throw new CollapseAwareError('CA_STORE_FAILED', `the answer of "${part.id}" is gone`, {
          place: { file: `${placeOfUrl(this.url)} ${run}` },
          todo: 'Resume the run: it is performed again.',
        });
      answers.push(JSON.parse(rows[0].answer as string) as LoopAnswer);
    }
    return entryOf(round, request, joinParts(request, answers));
  }

  /** The answers of parts are not needed once the run has the whole. */
  async forget(run: string, request: LoopRequest): Promise<void> {
    await this.#ask(`DELETE FROM ${SCHEMA}.part WHERE run = $1 AND request = ANY($2)`, [
      run,
      partsOf(request).map(requestHash),
    ]);
  }

  /** The entry that answers a request of that name; null = none yet. */
  async entry(run: string, id: string): Promise<RunEntry | null> {
    const { rows } = await this.#ask(
      `SELECT round, id, request, answer FROM ${SCHEMA}.entry WHERE run = $1 AND id = $2`,
      [run, id],
    );
    return rows[0] === undefined ? null : entryOfRow(rows[0], `${placeOfUrl(this.url)} ${run}`);
  }

  /** How often the run was begun or gone on with. */
  async attempt(run: string): Promise<number> {
    const { rows } = await this.#ask(`SELECT attempt FROM ${SCHEMA}.run WHERE id = $1`, [run]);
    return (rows[0]?.attempt as number | undefined) ?? 0;
  }

  /** The next attempt after one; whoever comes second takes the one that is there. */
  async attemptAfter(run: string, before: number): Promise<number> {
    await this.#ask(`UPDATE ${SCHEMA}.run SET attempt = attempt + 1 WHERE id = $1 AND attempt = $2`, [
      run,
      before,
    ]);
    return this.attempt(run);
  }

  #performerOf(run: string): Promise<Performer> {
    const there = this.#performers.get(run);
    if (there !== undefined) return there;
    const made = this.#studyOf(run).then(({ stage }) => this.#make(stage));
    this.#performers.set(run, made);
    made.catch(() => this.#performers.delete(run));
    return made;
  }

  #ask(sql: string, values: readonly unknown[]) {
    return asked(this.url, this.pool, sql, values);
  }

  async close(): Promise<void> {
    this.leaving.abort();
    for (const performer of this.#performers.values()) await (await performer.catch(() => null))?.close();
    await this.pool.end();
  }
}
