import { embedderOf } from '../audit/index.ts';
import { ClientError } from '../client/client-error.ts';
import { pause } from '../client/transport.ts';
import { describe } from '../embedding/index.ts';
import { CollapseAwareError } from '../errors.ts';
import { readFiles } from '../formats/index.ts';
import type { LostEpisodes, OpenAnswer, PeopleCounts } from '../loop/index.ts';
import {
  assignAll,
  type BehaviourSpace,
  type Control,
  compareView,
  decodeProfile,
  decodeSpace,
  type ViewRows,
} from '../space/index.ts';
import { type PlacedRow, personaDrafts } from '../synthesis/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { PatientGateway } from './patient-gateway.ts';

const PAUSE_MS = 1000;
const NOT_YET = new Set(['no_space', 'no_profile']);

/** An episode that was played, and what the loop calls it. */
export interface NamedEpisode {
  readonly id: string;
  /** Id of the member that was asked for. */
  readonly member: string;
  readonly trajectory: Trajectory;
}

/** The behaviour space of the gateway's live window, and episodes placed in it. */
export class OutsideSpace {
  readonly space: BehaviourSpace;
  readonly #control: Control;

  constructor(space: BehaviourSpace, control: Control) {
    this.space = space;
    this.#control = control;
  }

  /**
   * Waits until the gateway has one.
   * @throws CA_SPACE_TOO_SMALL where it has none within the time.
   */
  static async of(
    gateway: PatientGateway,
    control: Control,
    wait: { readonly seconds: number; readonly say: (text: string) => void; readonly signal: AbortSignal },
  ): Promise<OutsideSpace> {
    const text = await whenThere(() => gateway.get<unknown>('/api/space', { signal: wait.signal }), wait);
    return new OutsideSpace(decodeSpace(JSON.stringify(text), 'the space of the gateway'), control);
  }

  /** What a run begins from: modes, and the gateway's people in them. */
  async open(
    gateway: PatientGateway,
    wait: { readonly seconds: number; readonly say: (text: string) => void; readonly signal: AbortSignal },
  ): Promise<Pick<OpenAnswer, 'k' | 'space' | 'people'>> {
    const lines = await whenThere(() => gateway.lines('/api/profile', wait.signal), wait);
    const profile = decodeProfile(lines, 'the profile of the gateway');
    const view = compareView(profile, this.space, { control: this.#control });
    const counts = ({ unit, cell, outside }: ViewRows): PeopleCounts => ({
      units: Array.from(unit, (at) => view.units[at]!),
      cells: [...cell],
      outside: Array.from(outside, Boolean),
    });
    const { people } = view;
    return {
      k: view.k,
      space: this.space.id,
      // Half of the figures rest on each part: without one of them there are no people to go by.
      people:
        people === null || people.mass.cell.length === 0 || people.ceiling.cell.length === 0
          ? null
          : { mass: counts(people.mass), ceiling: counts(people.ceiling) },
    };
  }

  /**
   * Descriptions of the people of each mode, of the part of them that no figure uses.
   * @throws CA_INPUT_EMPTY where the files hold nobody whom the space was fitted on: they are not the gateway's.
   */
  async personas(files: readonly string[]): Promise<OpenAnswer['personas']> {
    const fit: Trajectory[] = [];
    for await (const row of readFiles([...files]))
      if (
        row.kind === 'trajectory' &&
        this.space.reference.get(contentHash(row.trajectory.turns, row.trajectory.scenario)) === 'fit'
      )
        fit.push(row.trajectory);
    if (fit.length === 0)
      throw new CollapseAwareError(
        'CA_INPUT_EMPTY',
        `nobody in ${files.join(', ')} is among the people that the gateway's space was fitted on`,
        { todo: 'give the files that its settings name (live.reference), or leave out --reference' },
      );
    const places = await this.#places(fit);
    const modes = new Map<number, Trajectory[]>();
    fit.forEach((dialogue, at) => {
      const place = places[at];
      if (place === null || place === undefined || place.outside) return;
      modes.set(place.cell, [...(modes.get(place.cell) ?? []), dialogue]);
    });
    return [...modes]
      .sort(([a], [b]) => a - b)
      .flatMap(([mode, dialogues]) =>
        personaDrafts(dialogues, fit).map(({ text, exemplars }) => ({
          mode,
          text,
          exemplars: exemplars ?? [],
        })),
      );
  }

  /** Rows in the order of the episodes; each that was played is one, be it said twice. */
  async place(
    episodes: readonly NamedEpisode[],
  ): Promise<{ readonly rows: readonly PlacedRow[]; readonly lost: readonly LostEpisodes[] }> {
    const places = await this.#places(episodes.map(({ trajectory }) => trajectory));
    const rows: PlacedRow[] = [];
    const lost = new Lost();
    episodes.forEach(({ id, member, trajectory }, at) => {
      const place = places[at];
      if (place === null || place === undefined) lost.add(member, 'its context is not known to the space');
      else
        rows.push({
          id,
          hash: contentHash(trajectory.turns, trajectory.scenario),
          context: trajectory.context,
          simulator: member,
          ...place,
          reward: trajectory.reward,
          turns: turnsOf(trajectory),
        });
    });
    return { rows, lost: lost.list() };
  }

  async #places(
    dialogues: readonly Trajectory[],
  ): Promise<readonly ({ readonly cell: number; readonly outside: boolean } | null)[]> {
    if (dialogues.length === 0) return [];
    const behaviours = await describe(dialogues, embedderOf(this.space));
    return assignAll(this.space, behaviours).rows.map((row) => {
      if (this.#control === 'interaction')
        return { cell: row.interactionCell, outside: row.interactionOutside };
      return row.cell === null ? null : { cell: row.cell, outside: row.outside === true };
    });
  }
}

/** Of both sides. */
export const turnsOf = ({ turns }: Trajectory): number =>
  turns.filter(({ role }) => role === 'user' || role === 'agent').length;

/** Episodes that came to nothing, by member and reason. */
export class Lost {
  readonly #counts = new Map<string, LostEpisodes>();

  add(simulator: string, reason: string, count = 1): void {
    const key = JSON.stringify([simulator, reason]);
    this.#counts.set(key, { simulator, reason, count: count + (this.#counts.get(key)?.count ?? 0) });
  }

  list(): readonly LostEpisodes[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }
}

async function whenThere<T>(
  get: () => Promise<T>,
  {
    seconds,
    say,
    signal,
  }: { readonly seconds: number; say(text: string): void; readonly signal: AbortSignal },
): Promise<T> {
  const until = Date.now() + 1000 * seconds;
  for (let told = ''; ; ) {
    try {
      return await get();
    } catch (error) {
      if (!(error instanceof ClientError && error.reason !== null && NOT_YET.has(error.reason))) throw error;
      if (Date.now() >= until)
        throw new CollapseAwareError(
          'CA_SPACE_TOO_SMALL',
          `the gateway has no behaviour space after ${seconds} s: ${error.message}`,
          {
            todo: 'see that the trainer plays with the gateway, or give it a space (live.space); then go on',
          },
        );
      if (error.message !== told) say(`waiting for sessions of the trainer: ${error.message}`);
      told = error.message;
      await pause(PAUSE_MS, signal);
    }
  }
}
