import { CollapseAwareError } from '../errors.ts';
import { minimum } from '../math/index.ts';
import type { Placed } from './assign.ts';
import { PROFILE_SCHEMA, type Profile, type ProfileRow, type ReservoirRow } from './profile.ts';
import { ProfileColumns } from './profile-columns.ts';
import type { ReleasedColumns } from './released-columns.ts';
import { Reservoir } from './reservoir.ts';

export interface ProfileOptions {
  /** Seed of the reservoir: that of the space. */
  readonly seed: number;
  /** Rows kept with vectors, a simulator and reference part (default 500). */
  readonly reservoirSize?: number;
}

export interface ReleasedBuilder {
  readonly added: number;
  readonly columns: ReleasedColumns;
  readonly reservoir: readonly ReservoirRow[];
}

/** Collects placed rows in any order, each once, and makes the profile. */
export class ProfileBuilder {
  readonly #space: string;
  readonly #columns = new ProfileColumns();
  readonly #reservoir: Reservoir;
  #added = 0;
  #built = false;

  constructor(space: string, options: ProfileOptions) {
    this.#space = space;
    this.#reservoir = new Reservoir(options.seed, options.reservoirSize ?? 500);
  }

  /** Rows given so far, and how many of them were new. */
  get counts(): { readonly added: number; readonly distinct: number } {
    return { added: this.#added, distinct: this.#columns.size };
  }

  add(row: ProfileRow): void {
    if (this.#built) throw new CollapseAwareError('CA_INTERNAL', 'a row came after its profile was built');
    this.#added++;
    this.#columns.add(row);
  }

  addReservoir(row: ReservoirRow): void {
    this.#reservoir.add(row);
  }

  /** Adds all rows of assignAll, and the vectors of those that the reservoir may keep. */
  addPlaced(placed: Placed): void {
    placed.rows.forEach((row, i) => {
      this.add(row);
      if (this.#reservoir.wants(row)) this.#reservoir.add(placed.reservoirRow(i));
    });
  }

  /** Adds all rows of another builder of the same space and seed. */
  absorb(other: ReleasedBuilder): void {
    if (this.#built) throw new CollapseAwareError('CA_INTERNAL', 'a row came after its profile was built');
    this.#added += other.added;
    this.#columns.absorb(ProfileColumns.of(other.columns));
    for (const row of other.reservoir) this.#reservoir.add(row);
  }

  /** What was collected, as data that another thread can take over. Ends the builder. */
  release(): ReleasedBuilder {
    this.#built = true;
    return { added: this.#added, columns: this.#columns.release(), reservoir: this.#reservoir.rows() };
  }

  /** Can be called once: the profile takes the columns over. */
  build(): Profile {
    this.#built = true;
    const columns = this.#columns;
    const order = columns.order();
    return {
      schema: PROFILE_SCHEMA,
      space: this.#space,
      seed: this.#reservoir.seed,
      reservoirSize: this.#reservoir.size,
      size: columns.size,
      row: (index) => columns.row(placeOf(order, index)),
      peek: (index) => columns.peek(placeOf(order, index)),
      reservoir: this.#reservoir.rows(),
    };
  }
}

function placeOf(order: Int32Array, index: number): number {
  const at = order[index];
  if (at === undefined) throw new RangeError(`row ${index} of ${order.length}`);
  return at;
}

/**
 * The profile of the union: equal, byte for byte when encoded, to the profile of all rows together. Of unequal
 * reservoir sizes the smallest counts.
 * @throws CA_SPACE_MISMATCH where they were not placed in one space with one seed; CA_INPUT_EMPTY for none.
 */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const first = profiles[0];
  if (first === undefined) throw new CollapseAwareError('CA_INPUT_EMPTY', 'there is no profile to merge');
  for (const other of profiles)
    if (other.space !== first.space || other.seed !== first.seed)
      throw new CollapseAwareError(
        'CA_SPACE_MISMATCH',
        other.space === first.space
          ? `the profiles sampled with different seeds (${first.seed} and ${other.seed})`
          : `the profiles belong to different behaviour spaces (${first.space} and ${other.space})`,
        { todo: 'place all rows in one space: --space FILE' },
      );
  const builder = new ProfileBuilder(first.space, {
    seed: first.seed,
    reservoirSize: minimum(profiles.map((profile) => profile.reservoirSize)),
  });
  for (const profile of profiles) {
    for (let i = 0; i < profile.size; i++) builder.add(profile.peek(i));
    for (const row of profile.reservoir) builder.addReservoir(row);
  }
  return builder.build();
}

/** Each profile with its own rows under audit and the people of all of them. A single one stays as it is. */
export function sharingPeople(profiles: readonly Profile[]): Profile[] {
  if (profiles.length < 2) return [...profiles];
  const parts = profiles.map((profile) => withParts(profile, (part) => part !== null));
  if (parts.every(({ size }) => size === 0)) return [...profiles];
  return profiles.map((profile) => mergeProfiles([withParts(profile, (part) => part === null), ...parts]));
}

function withParts(profile: Profile, has: (part: ProfileRow['part']) => boolean): Profile {
  const builder = new ProfileBuilder(profile.space, profile);
  for (let i = 0; i < profile.size; i++) {
    const row = profile.peek(i);
    if (has(row.part)) builder.add(row);
  }
  for (const row of profile.reservoir) if (has(row.part)) builder.addReservoir(row);
  return builder.build();
}
