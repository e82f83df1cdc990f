import { CollapseAwareError } from '../errors.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { type AuditOptions, isHuman, type Records, withoutPeople } from './options.ts';
import { type Scan, scan } from './scan.ts';

export interface Labels {
  readonly a: string;
  readonly b: string;
}

/** Both sides after their first pass. */
export interface Sides {
  readonly a: Records;
  readonly b: Records;
  readonly rows: { readonly a: number; readonly b: number };
  /** What a space is fitted on, people apart. */
  readonly sample: readonly Trajectory[];
  readonly people: readonly Trajectory[];
}

/** A simulator that both hold gives equally many rows of each, but never fewer than this where there are more. */
const LEAST = 30;

/**
 * Reads both sides once. People are the reference of both where both sides hold simulators too; a side of people
 * alone is compared as it is.
 * @throws CA_INPUT_EMPTY
 */
export async function readSides(
  input: { readonly a: Records; readonly b: Records; readonly people?: Records },
  labels: Labels,
  options: AuditOptions,
): Promise<Sides> {
  const half = Math.ceil((options.sampleLimit ?? 6000) / 2);
  let before = 0;
  const reading = async (records: Records, label: string): Promise<Scan> => {
    const scanned = await scan(records, {
      ...options,
      sampleLimit: half,
      onProgress: (stage, done) => options.onProgress?.(stage, before + done, null),
    });
    if (scanned.rows === 0)
      throw new CollapseAwareError('CA_INPUT_EMPTY', `no episode in ${label} to compare`);
    before += scanned.rows;
    return scanned;
  };
  const a = await reading(input.a, labels.a);
  const b = await reading(input.b, labels.b);
  const rows = { a: a.rows, b: b.rows };
  if (input.people !== undefined) {
    const { sample } = await scan(input.people, {
      ...options,
      sampleLimit: Number.MAX_SAFE_INTEGER,
      onProgress: (stage, done) => options.onProgress?.(stage, before + done, null),
    });
    if (sample.length === 0)
      throw new CollapseAwareError('CA_INPUT_EMPTY', 'the reference holds no episode of people');
    return { a: input.a, b: input.b, rows, sample: bothInEqualParts(a.sample, b.sample), people: sample };
  }
  const kinds = [a, b].map(({ simulators }) => [...simulators.values()]);
  const isReference =
    kinds.every((list) => list.some(({ human }) => !human)) && kinds.flat().some(({ human }) => human);
  if (!isReference)
    return { a: input.a, b: input.b, rows, sample: bothInEqualParts(a.sample, b.sample), people: [] };
  const people: Trajectory[] = [];
  for (const records of [input.a, input.b])
    for await (const trajectory of records()) if (isHuman(trajectory)) people.push(trajectory);
  return {
    a: withoutPeople(input.a),
    b: withoutPeople(input.b),
    rows,
    sample: bothInEqualParts(a.sample, b.sample).filter((trajectory) => !isHuman(trajectory)),
    people,
  };
}

/** Samples come in hash order within a simulator, so that the first rows of it are again a bottom-k. */
function bothInEqualParts(a: readonly Trajectory[], b: readonly Trajectory[]): Trajectory[] {
  const counts = [a, b].map((sample) => {
    const count = new Map<string, number>();
    for (const { simulator } of sample) count.set(simulator.id, (count.get(simulator.id) ?? 0) + 1);
    return count;
  });
  const most = (id: string): number => {
    const [own, other] = counts.map((count) => count.get(id) ?? 0) as [number, number];
    return own === 0 || other === 0 ? Number.POSITIVE_INFINITY : Math.max(LEAST, Math.min(own, other));
  };
  return [a, b].flatMap((sample) => {
    const taken = new Map<string, number>();
    return sample.filter(({ simulator }) => {
      const count = (taken.get(simulator.id) ?? 0) + 1;
      taken.set(simulator.id, count);
      return count <= most(simulator.id);
    });
  });
}
