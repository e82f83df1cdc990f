import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CollapseAwareError } from '../errors.ts';
import type { InputFiles } from './input.ts';
import {
  type DumpFile,
  hashFile,
  listDumps,
  readySteps,
  Settling,
  type StepFrom,
  stepOfName,
} from './watch-folder.ts';
import type { StepSource, WatchSession } from './watch-session.ts';

export interface FollowOptions {
  readonly folder: string;
  /** The watch's own files, absolute. */
  readonly except: readonly string[];
  readonly stepFrom: StepFrom;
  /** Milliseconds between two looks at the folder. */
  readonly interval: number;
  readonly once: boolean;
  readonly signal: AbortSignal;
  readonly open: (paths: readonly string[]) => Promise<InputFiles>;
}

/** Timers hold 31 bits. */
const LONGEST_PAUSE = 2 ** 31 - 1;
/** Faults of a service, which may be up again at the next look. */
const PASSING = new Set(['CA_ENDPOINT_FAILED', 'CA_ENDPOINT_REPLY']);

/** Follows the folder until the signal, or once through what is there. */
export async function follow(session: WatchSession, options: FollowOptions): Promise<void> {
  const { folder, interval, once, signal } = options;
  const finder = new StepFinder(session, options);
  for (;;) {
    signal.throwIfAborted();
    const at = Date.now();
    await session.attend(at);
    const files = await listDumps(folder, options.except);
    if (files === null) {
      if (once)
        throw new CollapseAwareError('CA_FILE_NOT_FOUND', 'no such folder', {
          place: { file: folder },
          todo: 'give the folder that the trainer writes its rollouts to',
        });
      session.sayOnce(`${folder} is not there yet: waiting`);
    } else
      try {
        await session.take(await finder.sources(files, at), once);
      } catch (error) {
        if (once || !(error instanceof CollapseAwareError) || !PASSING.has(error.code)) throw error;
        session.sayOnce(`tried again every ${interval / 1000} s: ${error.line}`);
      }
    if (once) {
      // A request left before the first step waits for the space.
      await session.attend(Date.now());
      return;
    }
    await pause(Math.min(interval, LONGEST_PAUSE), undefined, { signal });
  }
}

/** Which steps of a listing can be read. */
class StepFinder {
  readonly #session: WatchSession;
  readonly #options: FollowOptions;
  readonly #settling = new Settling();
  /** The last scan of files without a step in their name. */
  #scanned: { readonly of: string; readonly steps: readonly number[] } = { of: '', steps: [] };

  constructor(session: WatchSession, options: FollowOptions) {
    this.#session = session;
    this.#options = options;
  }

  async sources(files: readonly DumpFile[], at: number): Promise<StepSource[]> {
    const { once, interval, stepFrom } = this.#options;
    this.#settling.see(files, at);
    const isSettled = (file: DumpFile) => once || this.#settling.isSettled(file, at, interval);
    const named: { file: DumpFile; step: number }[] = [];
    const unnamed: DumpFile[] = [];
    let latest = Number.NEGATIVE_INFINITY;
    for (const file of files) {
      const step = stepOfName(file.path, stepFrom);
      if (step === null) unnamed.push(file);
      else {
        latest = Math.max(latest, step);
        if (await this.#isPending(file, step, isSettled)) named.push({ file, step });
      }
    }
    const sources: StepSource[] = readySteps(named, latest, isSettled).map((ready) => ({
      ...ready,
      byRows: false,
    }));
    if (unnamed.length > 0 && unnamed.every(isSettled)) sources.push(...(await this.#byRows(unnamed)));
    return sources.sort((a, b) => a.step - b.step);
  }

  /** False for files that are done with; says what happened to those that changed or came too late. */
  async #isPending(file: DumpFile, step: number, isSettled: (file: DumpFile) => boolean): Promise<boolean> {
    const { files, last } = this.#session;
    const { path, bytes, changed } = file;
    const record = files.get(path);
    const isPast = last !== null && step <= last;
    if (record === undefined) {
      if (!isPast) return true;
      files.set(path, { bytes, changed, hash: null, step, outcome: 'late', dropped: 0 });
      this.#session.sayOnce(`${path} came after step ${last} was measured: not read`);
      return false;
    }
    if (record.bytes === bytes && record.changed === changed) return false;
    if (!isPast) return true;
    if (!isSettled(file)) return false;
    const hash = record.hash === null ? null : await hashFile(join(this.#options.folder, path));
    files.set(path, { ...record, bytes, changed, hash });
    if (record.outcome === 'read' && (hash === null || hash !== record.hash))
      this.#session.sayOnce(`${path} changed after step ${step} was measured: not read again`);
    return false;
  }

  /**
   * Steps named by the rows of files that name none. The last step may still be growing: it waits for a later
   * one, or for the end.
   */
  async #byRows(unnamed: readonly DumpFile[]): Promise<StepSource[]> {
    const { folder, once, open } = this.#options;
    const signature = JSON.stringify(unnamed);
    if (this.#scanned.of !== signature) {
      const input = await open(unnamed.map(({ path }) => join(folder, path)));
      const steps = new Set<number>();
      let without = 0;
      for await (const { epoch } of input.records())
        if (epoch === null) without++;
        else steps.add(epoch);
      for (const { error } of input.files())
        if (error !== null) this.#session.sayOnce(`not read: ${error.line}`);
      if (without > 0)
        this.#session.sayOnce(
          `neither names nor rows say the step (${without} rows, e.g. of ${unnamed[0]!.path}): left out - give --step-from`,
        );
      this.#scanned = { of: signature, steps: [...steps].sort((a, b) => a - b) };
    }
    const { last } = this.#session;
    const whole = once ? this.#scanned.steps : this.#scanned.steps.slice(0, -1);
    return whole
      .filter((step) => last === null || step > last)
      .map((step) => ({ step, files: unnamed, byRows: true }));
  }
}
