import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MonitorPlan, MonitorRow, MonitorState } from '../audit/index.ts';
import { CollapseAwareError } from '../errors.ts';
import {
  type BehaviourSpace,
  decodeProfile,
  encodeSpace,
  type Profile,
  profileLines,
} from '../space/index.ts';
import { writeFileAtomic } from '../store/index.ts';
import { readSpace } from './space-file.ts';

const STATE_SCHEMA = 'collapse-aware/watch-state@1';

/** What became of a file that was looked at. */
export interface FileRecord {
  readonly bytes: number;
  readonly changed: number;
  readonly hash: string | null;
  /** Null where the rows say their steps. */
  readonly step: number | null;
  readonly outcome: 'read' | 'unreadable' | 'late';
  readonly dropped: number;
}

/** All that a watch knows; whole on disk after every step. */
export interface WatchState {
  /** What must not change while numbers are to be compared. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly gate: string | null;
  readonly plan: MonitorPlan;
  readonly monitor: MonitorState;
  readonly files: ReadonlyMap<string, FileRecord>;
}

/** The folder of one watch under --store: `state.json`, `space.json` and `steps.jsonl` (all rows so far). */
export class WatchStore {
  readonly home: string;

  constructor(home: string) {
    this.home = home;
  }

  get #state(): string {
    return join(this.home, 'state.json');
  }

  /** @throws CA_FORMAT_INVALID, CA_JSON_INVALID, CA_SPACE_MISMATCH where what is there is not what was written. */
  async load(): Promise<{ state: WatchState; space: BehaviourSpace } | null> {
    let text: string;
    try {
      text = await readFile(this.#state, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw this.#fault('CA_FILE_UNREADABLE', (error as Error).message);
    }
    const state = this.#decode(text);
    const space = await readSpace(join(this.home, 'space.json'));
    if (space.id !== state.plan.space)
      throw new CollapseAwareError(
        'CA_SPACE_MISMATCH',
        `space.json is the behaviour space ${space.id}, the steps were measured in ${state.plan.space}`,
        { place: { file: this.home }, todo: 'put the former space back, or start anew with another --store' },
      );
    await this.#trimRows(state.monitor.last);
    return { state, space };
  }

  /** Before the first state: a state without its space could not go on. */
  saveSpace(space: BehaviourSpace): Promise<void> {
    return writeFileAtomic(join(this.home, 'space.json'), encodeSpace(space));
  }

  save({ settings, gate, plan, monitor, files }: WatchState): Promise<void> {
    const { recent, base, ...rest } = monitor;
    const encoded = {
      schema: STATE_SCHEMA,
      settings,
      gate,
      plan,
      monitor: {
        ...rest,
        recent: recent.map(({ step, profile }) => ({ step, profile: [...profileLines(profile)] })),
        base: base === null ? null : { step: base.step, profile: [...profileLines(base.profile)] },
      },
      files: Object.fromEntries(files),
    };
    return writeFileAtomic(this.#state, `${JSON.stringify(encoded)}\n`);
  }

  appendRow(row: MonitorRow): Promise<void> {
    return appendFile(join(this.home, 'steps.jsonl'), `${JSON.stringify(row)}\n`);
  }

  /** A process killed between row and state leaves a row that will come again, or half of one. */
  async #trimRows(last: number | null): Promise<void> {
    const path = join(this.home, 'steps.jsonl');
    const text = await readFile(path, 'utf8').catch(() => '');
    const kept = new Map<number, string>();
    for (const line of text.split('\n')) {
      const step = stepOfLine(line);
      if (step !== null && last !== null && step <= last) kept.set(step, line);
    }
    const trimmed = [...kept.values()].map((line) => `${line}\n`).join('');
    if (trimmed !== text) await writeFileAtomic(path, trimmed);
  }

  #decode(text: string): WatchState {
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      throw this.#fault('CA_JSON_INVALID', 'the state is not JSON');
    }
    if (raw === null || typeof raw !== 'object' || (raw as { schema?: unknown }).schema !== STATE_SCHEMA)
      throw this.#fault('CA_FORMAT_INVALID', `the state has no "schema": "${STATE_SCHEMA}"`);
    const state = raw as Encoded;
    const { recent, base, ...rest } = state.monitor;
    const profile = (lines: readonly string[]): Profile => decodeProfile(lines, this.#state);
    return {
      settings: state.settings,
      gate: state.gate,
      plan: state.plan,
      monitor: {
        ...rest,
        recent: recent.map((one) => ({ step: one.step, profile: profile(one.profile) })),
        base: base === null ? null : { step: base.step, profile: profile(base.profile) },
      },
      files: new Map(Object.entries(state.files)),
    };
  }

  #fault(code: 'CA_FILE_UNREADABLE' | 'CA_JSON_INVALID' | 'CA_FORMAT_INVALID', found: string) {
    return new CollapseAwareError(code, found, {
      place: { file: this.#state },
      todo: 'remove the folder it stands in to start anew, or give another --store',
    });
  }
}

type Lines = { readonly step: number; readonly profile: readonly string[] };
interface Encoded extends Omit<WatchState, 'monitor' | 'files'> {
  readonly monitor: Omit<MonitorState, 'recent' | 'base'> & {
    readonly recent: readonly Lines[];
    readonly base: Lines | null;
  };
  readonly files: Readonly<Record<string, FileRecord>>;
}

function stepOfLine(line: string): number | null {
  try {
    const { step } = JSON.parse(line) as { step?: unknown };
    return typeof step === 'number' ? step : null;
  } catch {
    return null;
  }
}
