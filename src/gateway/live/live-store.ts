import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MonitorPlan, MonitorState } from '../../audit/index.ts';
import { CollapseAwareError } from '../../errors.ts';
import {
  type BehaviourSpace,
  decodeProfile,
  decodeSpace,
  encodeProfile,
  encodeSpace,
} from '../../space/index.ts';
import { writeFileAtomic } from '../../store/index.ts';

const PLAN_SCHEMA = 'collapse-aware/live-plan@1';

/** What must not change while the looks of one run are to be compared. */
export type PlanSettings = Readonly<Record<string, unknown>>;

export interface StoredLive {
  readonly space: BehaviourSpace;
  readonly plan: MonitorPlan;
  readonly base: MonitorState['base'];
}

/** `space.json`, `plan.json` and `base.json` in the gateway's folder: what figures are measured in, written once a run. */
export class LiveStore {
  readonly #folder: string;
  readonly #settings: PlanSettings;

  constructor(folder: string, settings: PlanSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  /**
   * Null where no plan was made yet.
   * @throws CA_USAGE where it was made with other settings; CA_SPACE_MISMATCH, CA_FORMAT_INVALID, CA_JSON_INVALID.
   */
  async load(): Promise<StoredLive | null> {
    const text = await this.#read('plan.json');
    if (text === null) return null;
    const { settings, plan } = this.#decode(text, 'plan.json') as {
      settings: PlanSettings;
      plan: MonitorPlan;
    };
    const changed = Object.keys(this.#settings).filter(
      (name) => JSON.stringify(this.#settings[name]) !== JSON.stringify(settings?.[name]),
    );
    if (changed.length > 0)
      throw new CollapseAwareError(
        'CA_USAGE',
        `this store was measured with other settings: ${changed.map((name) => `${name} was ${JSON.stringify(settings?.[name] ?? null)}`).join(', ')}`,
        {
          place: { file: this.#path('plan.json') },
          todo: 'give the same, give another store, or remove that file to begin the looks anew',
        },
      );
    const spaceText = await this.#read('space.json');
    if (spaceText === null) return null;
    const space = decodeSpace(spaceText, this.#path('space.json'));
    if (space.id !== plan.space)
      throw new CollapseAwareError(
        'CA_SPACE_MISMATCH',
        `space.json is the behaviour space ${space.id}, the looks were made in ${plan.space}`,
        { place: { file: this.#folder }, todo: 'put the former space back, or give another store' },
      );
    const baseText = await this.#read('base.json');
    if (baseText === null) return { space, plan, base: null };
    const base = this.#decode(baseText, 'base.json') as { step: number; profile: readonly string[] };
    return {
      space,
      plan,
      base: { step: base.step, profile: decodeProfile(base.profile, this.#path('base.json')) },
    };
  }

  /** Before the plan: a plan without its space could not go on. */
  async saveSpace(space: BehaviourSpace): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFileAtomic(this.#path('space.json'), encodeSpace(space));
  }

  savePlan(plan: MonitorPlan): Promise<void> {
    const content = { schema: PLAN_SCHEMA, settings: this.#settings, plan };
    return writeFileAtomic(this.#path('plan.json'), `${JSON.stringify(content)}\n`);
  }

  saveBase({ step, profile }: NonNullable<MonitorState['base']>): Promise<void> {
    const content = { schema: PLAN_SCHEMA, step, profile: encodeProfile(profile).trimEnd().split('\n') };
    return writeFileAtomic(this.#path('base.json'), `${JSON.stringify(content)}\n`);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #read(name: string): Promise<string | null> {
    try {
      return await readFile(this.#path(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new CollapseAwareError('CA_FILE_UNREADABLE', (error as Error).message, {
        place: { file: this.#path(name) },
        cause: error,
      });
    }
  }

  #decode(text: string, name: string): unknown {
    const fault = (code: 'CA_JSON_INVALID' | 'CA_FORMAT_INVALID', found: string) =>
      new CollapseAwareError(code, found, {
        place: { file: this.#path(name) },
        todo: 'remove it to begin the looks anew, or give another store',
      });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw fault('CA_JSON_INVALID', 'it is not JSON');
    }
    if (value === null || typeof value !== 'object' || (value as { schema?: unknown }).schema !== PLAN_SCHEMA)
      throw fault('CA_FORMAT_INVALID', `it has no "schema": "${PLAN_SCHEMA}"`);
    return value;
  }
}
