import { join } from 'node:path';
import {
  type AuditOptions,
  embedderOf,
  fit,
  type MonitorOptions,
  type MonitorPlan,
  type MonitorRow,
  type MonitorState,
  newMonitor,
  observeStep,
  place,
  planMonitor,
  type StepRows,
  scan,
} from '../audit/index.ts';
import { describeBreaker } from '../diagnosis/index.ts';
import type { Embedder } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import type { FileSummary } from '../formats/index.ts';
import { type BehaviourSpace, type Profile, ProfileBuilder } from '../space/index.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { InputFiles } from './input.ts';
import { type DumpFile, hashFile } from './watch-folder.ts';
import { steer, writeGate } from './watch-operator.ts';
import type { FileRecord, WatchState, WatchStore } from './watch-state.ts';

export interface SessionOptions {
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly gate: string | null;
  readonly warmUp: number;
  readonly strict: boolean;
  readonly monitor: MonitorOptions;
  readonly audit: AuditOptions;
  readonly space: BehaviourSpace | null;
  readonly embedder: Embedder | null;
  readonly open: (paths: readonly string[]) => Promise<InputFiles>;
  readonly people: InputFiles | null;
  readonly onRow: (row: MonitorRow) => void;
  readonly say: (text: string) => void;
}

/** One step's files; with `byRows` the rows of that epoch in files that hold several. */
export interface StepSource {
  readonly step: number;
  readonly files: readonly DumpFile[];
  readonly byRows: boolean;
}

/** Why a warm-up could not end yet: more steps may help. */
const MORE_MAY_HELP = new Set(['CA_SPACE_TOO_SMALL', 'CA_INPUT_EMPTY']);
/** The gate is written anew this often, so that a trainer can tell a quiet watch from a dead one. */
const GATE_EVERY = 10_000;

/** The steps of one run so far and what follows from them; every change is on disk before the next is made. */
export class WatchSession {
  readonly files = new Map<string, FileRecord>();
  readonly #options: SessionOptions;
  readonly #store: WatchStore;
  readonly #said = new Set<string>();
  #space: BehaviourSpace | null = null;
  #embedder: Embedder | null = null;
  #plan: MonitorPlan | null = null;
  #monitor: MonitorState;
  #gateAt = 0;

  private constructor(options: SessionOptions, store: WatchStore) {
    this.#options = options;
    this.#store = store;
    this.#monitor = newMonitor(Date.now());
  }

  /** Takes up what the store holds. @throws CA_USAGE where it was made with other settings. */
  static async open(options: SessionOptions, store: WatchStore): Promise<WatchSession> {
    const session = new WatchSession(options, store);
    const found = await store.load();
    if (found !== null) {
      const { state, space } = found;
      const changed = Object.keys(options.settings).filter(
        (name) => JSON.stringify(options.settings[name]) !== JSON.stringify(state.settings[name]),
      );
      if (changed.length > 0)
        throw new CollapseAwareError(
          'CA_USAGE',
          `this folder was watched with other settings: ${changed.map((name) => `${name} was ${JSON.stringify(state.settings[name] ?? null)}`).join(', ')}`,
          {
            todo: `give the same, or start anew with another --store (or without ${store.home})`,
          },
        );
      for (const [path, record] of state.files) session.files.set(path, record);
      session.#take(space, {
        ...state.plan,
        breaker: { ...state.plan.breaker, timeLimit: options.monitor.timeLimit },
      });
      session.#monitor = state.monitor;
      // The gate's place and the time limit may be others now.
      await session.#save();
      options.say(`taken up after step ${state.monitor.last}, in the space ${space.id}`);
    }
    await session.#writeGate(Date.now());
    return session;
  }

  get last(): number | null {
    return this.#monitor.last;
  }

  get ready(): boolean {
    return this.#plan !== null;
  }

  sayOnce(text: string): void {
    if (this.#said.has(text)) return;
    this.#said.add(text);
    this.#options.say(text);
  }

  /** Operators' requests, lapsed overrides, the time limit; and the gate's time. */
  async attend(at: number): Promise<void> {
    if (this.#plan !== null) {
      const { monitor, notes, done } = await steer(this.#plan, this.#monitor, this.#store.home, at);
      for (const note of notes) this.#options.say(note);
      if (notes.length > 0) {
        this.#monitor = monitor;
        await this.#save();
        await this.#writeGate(at);
        await done();
      }
    }
    if (at - this.#gateAt >= GATE_EVERY) await this.#writeGate(at);
  }

  /**
   * Steps that may be read now, in order. Before there is a space they are kept until it can be fitted on the
   * first of them; `final`: no more will come.
   * @throws what a space or an embedder throws; faults of single files are said, not thrown.
   */
  async take(sources: readonly StepSource[], final: boolean): Promise<void> {
    const after = () => sources.filter(({ step }) => this.last === null || step > this.last);
    if (this.#plan === null && !(await this.#warmUp(after(), final))) return;
    const left = after();
    for (let at = 0; at < left.length; ) {
      this.#options.audit.signal?.throwIfAborted();
      let end = at + 1;
      // Files that hold several steps are read once for all of them.
      while (left[at]!.byRows && left[end]?.byRows === true) end++;
      await this.#takeSteps(left.slice(at, end));
      at = end;
    }
  }

  /** What is known, once more: after an interrupt that may have broken a write. */
  async close(): Promise<void> {
    if (this.#plan !== null) await this.#save();
    await this.#writeGate(Date.now());
  }

  async #warmUp(sources: readonly StepSource[], final: boolean): Promise<boolean> {
    const { warmUp, space: given, monitor, say } = this.#options;
    const usable: StepSource[] = [];
    for (const source of sources) if (await this.#hasRow(source)) usable.push(source);
    if (usable.length === 0 || (usable.length < warmUp && !final)) {
      if (!final)
        this.sayOnce(
          given === null
            ? `waiting for ${warmUp} step${warmUp === 1 ? '' : 's'} to fit the behaviour space on`
            : 'waiting for the first step',
        );
      return false;
    }
    for (let count = Math.min(warmUp, usable.length); count <= usable.length; count++) {
      try {
        const first = usable.slice(0, count);
        const { space, plan } = await this.#fit(first);
        this.#take(space, plan);
        await this.#store.saveSpace(space);
        say(
          `space ${space.id}: ${space.kRule}; ${given === null ? `fitted on ${space.fittedOn === 'people' ? 'people' : `${count} steps`}` : 'as given'}`,
        );
        say(
          `compared by ${plan.control === 'interaction' ? 'how users interact' : `control "${plan.control}"`}, unit: ${plan.unit}`,
        );
        if (space.fittedOn === 'sample' && given === null)
          say(
            'no people and no --space: this run is its own yardstick, so a run that starts collapsed looks normal',
          );
        if (monitor.bars === 'people' && plan.people?.value == null)
          say(`people have no SCD2 (${plan.people?.reason ?? 'none given'}): the proposed bars are used`);
        for (const text of describeBreaker(plan.breaker)) say(text);
        return true;
      } catch (error) {
        const helps = error instanceof CollapseAwareError && MORE_MAY_HELP.has(error.code);
        if (!helps || (final && count === usable.length)) throw error;
        this.sayOnce(`too few rows yet to fit a behaviour space: ${error.message}`);
      }
    }
    return false;
  }

  async #fit(first: readonly StepSource[]): Promise<{ space: BehaviourSpace; plan: MonitorPlan }> {
    const { audit, people: reference, embedder: given, monitor } = this.#options;
    const people: Trajectory[] = [];
    if (reference !== null) {
      for await (const trajectory of reference.records()) people.push(trajectory);
      this.#report(reference.files());
      if (people.length === 0)
        throw new CollapseAwareError('CA_USAGE', 'the reference holds no episode of people', {
          todo: 'check --reference, --reference-format and --reference-map',
        });
    }
    const inputs = await Promise.all(
      first.map(({ step, files, byRows }) => this.#openSteps(files, byRows, new Set([step]))),
    );
    const records = async function* () {
      for (const input of inputs) yield* input.records();
    };
    let space = this.#options.space;
    let embedder: Embedder;
    if (space === null) {
      const { sample } = await scan(records, audit);
      if (sample.length === 0)
        throw new CollapseAwareError('CA_INPUT_EMPTY', 'the first steps hold no episode');
      const fitted = await fit(sample, people, { ...audit, ...(given === null ? {} : { embedder: given }) });
      ({ space, embedder } = fitted);
    } else embedder = embedderOf(space, given ?? undefined);
    const placed = await place(records, people, space, embedder, audit);
    return { space, plan: planMonitor(placed, space, monitor) };
  }

  #take(space: BehaviourSpace, plan: MonitorPlan): void {
    this.#space = space;
    this.#embedder = embedderOf(space, this.#options.embedder ?? undefined);
    this.#plan = plan;
  }

  /** Files that hold nothing are found before the space is fitted: they must not count as steps of the warm-up. */
  async #hasRow(source: StepSource): Promise<boolean> {
    const input = await this.#openSteps(source.files, source.byRows, new Set([source.step]));
    for await (const _ of input.records()) return true;
    this.#report(input.files());
    return false;
  }

  /** Sources of the same files, in order. */
  async #takeSteps(sources: readonly StepSource[]): Promise<void> {
    const { files, byRows } = sources[0]!;
    const wanted = new Set(sources.map(({ step }) => step));
    const input = await this.#openSteps(files, byRows, wanted);
    const placed = await place(input.records, [], this.#space!, this.#embedder!, this.#options.audit);
    const summaries = input.files();
    this.#report(summaries);
    const records = await this.#recordsOf(sources.at(-1)!, summaries);
    const failed = summaries.filter(({ error }) => error !== null).length;
    let dropped = 0;
    for (const [path, record] of records)
      dropped += record.dropped - (byRows ? (this.files.get(path)?.dropped ?? 0) : 0);
    for (const [index, { step }] of sources.entries()) {
      this.#options.audit.signal?.throwIfAborted();
      const isLast = index === sources.length - 1;
      // A file is done with its last step: a process killed before that reads it again.
      if (isLast) for (const [path, record] of records) this.files.set(path, record);
      const profile = rowsOf(placed, step);
      if (profile.size > 0 || failed < summaries.length)
        await this.#observe({ step, profile, dropped: isLast ? dropped : 0 });
      else await this.#save();
    }
    if (this.#options.strict && dropped + failed > 0)
      throw new CollapseAwareError('CA_STRICT', `${dropped} rows were dropped and ${failed} files not read`, {
        place: { file: join(this.#options.folder, files[0]!.path) },
        todo: 'mend or remove them, or leave --strict out',
      });
  }

  async #observe(rows: StepRows): Promise<void> {
    const at = Date.now();
    const { state, row } = observeStep(this.#plan!, this.#space!, this.#monitor, rows, at);
    this.#options.onRow(row);
    for (const note of row.notes) this.#options.say(`step ${row.step}: ${note}`);
    this.#monitor = state;
    // Printed, then kept: a process killed in between says the line again, and never leaves one out.
    await this.#store.appendRow(row);
    await this.#save();
    await this.#writeGate(at);
  }

  async #recordsOf(
    { files, byRows, step }: StepSource,
    summaries: readonly FileSummary[],
  ): Promise<Map<string, FileRecord>> {
    const records = new Map<string, FileRecord>();
    for (const { path, bytes, changed } of files) {
      const full = join(this.#options.folder, path);
      const summary = summaries.find((one) => one.path === full);
      records.set(path, {
        bytes,
        changed,
        hash: await hashFile(full),
        step: byRows ? null : step,
        outcome: summary?.error != null && summary.kept === 0 ? 'unreadable' : 'read',
        dropped: summary?.dropped ?? 0,
      });
    }
    return records;
  }

  /** Rows with their step as epoch: the file's, or their own where `byRows`. */
  async #openSteps(
    files: readonly DumpFile[],
    byRows: boolean,
    wanted: ReadonlySet<number>,
  ): Promise<InputFiles> {
    const input = await this.#options.open(files.map(({ path }) => join(this.#options.folder, path)));
    const [step] = wanted;
    return {
      files: input.files,
      records: async function* () {
        for await (const trajectory of input.records())
          if (!byRows) yield { ...trajectory, epoch: step! };
          else if (trajectory.epoch !== null && wanted.has(trajectory.epoch)) yield trajectory;
      },
    };
  }

  #report(summaries: readonly FileSummary[]): void {
    for (const file of summaries) {
      if (file.error !== null) this.sayOnce(`not read: ${file.error.line}`);
      // The same in every step's file: once is enough.
      for (const warning of file.warnings) this.sayOnce(`note: ${warning}`);
      const first = file.droppedRows[0];
      if (first === undefined) continue;
      const line = first.line === null ? '' : `:${first.line}`;
      this.sayOnce(
        `dropped: ${file.dropped} of ${file.rows} rows of ${file.path}; the first (${file.path}${line}): ${first.code} ${first.reason}`,
      );
    }
  }

  async #save(): Promise<void> {
    const { settings, gate } = this.#options;
    const state: WatchState = {
      settings,
      gate,
      plan: this.#plan!,
      monitor: this.#monitor,
      files: this.files,
    };
    await this.#store.save(state);
  }

  async #writeGate(at: number): Promise<void> {
    this.#gateAt = at;
    const { gate } = this.#options;
    if (gate !== null) await writeGate(gate, this.#monitor, at);
  }
}

/** One step's rows. The figures of a watch need no vectors, and its state should stay small. */
function rowsOf(profile: Profile, step: number): Profile {
  const builder = new ProfileBuilder(profile.space, { seed: profile.seed, reservoirSize: 0 });
  for (let i = 0; i < profile.size; i++) {
    const row = profile.peek(i);
    if (row.epoch === step) builder.add(row);
  }
  return builder.build();
}
