import { hash32, hashOrder } from '../math/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { Crew, type KnownRows } from './crew.ts';
import type { AuditOptions, Records } from './options.ts';
import { isHuman } from './options.ts';

/** A bottom-k sample of every simulator by hash(content, seed), and what the first pass counted. */
export interface Scan {
  readonly sample: readonly Trajectory[];
  readonly rows: number;
  readonly simulators: ReadonlyMap<string, { readonly rows: number; readonly human: boolean }>;
  /** What need not be found out again of rows that several threads read. */
  readonly known?: KnownRows | null;
}

/** However many simulators there are, each gives this many episodes to the fit. */
const LEAST = 30;

/**
 * First pass: counts rows and keeps the bottom-k of each simulator, so that a simulator with many rows does
 * not rule the space and memory stays flat whatever the size of the input.
 */
export async function scan(records: Records, options: AuditOptions = {}): Promise<Scan> {
  const crew = await Crew.of(records, options);
  const shared = crew === null ? null : await crew.scan((rows) => options.onProgress?.('read', rows, null));
  const result: Scan =
    shared === null
      ? await scanAlone(records, options)
      : { ...joined(shared.parts, options), known: shared.known };
  options.onProgress?.('read', result.rows, result.rows);
  return result;
}

async function scanAlone(records: Records, options: AuditOptions): Promise<Scan> {
  const sampler = new Sampler<Trajectory>(options);
  let rows = 0;
  for await (const trajectory of records()) {
    options.signal?.throwIfAborted();
    rows += 1;
    sampler.add(trajectory, rows, () => trajectory);
    if (rows % 256 === 0) options.onProgress?.('read', rows, null);
  }
  return {
    sample: sampler.samples().flatMap(({ kept }) => kept.map(({ content }) => content)),
    rows,
    simulators: sampler.simulators,
  };
}

/** What several threads kept, as one thread would have. */
function joined(parts: readonly SampledPart[], options: AuditOptions): Scan {
  const found = new Map<string, { rows: number; human: boolean; first: number; kept: Kept<string>[] }>();
  let rows = 0;
  for (const { id, human, first, rows: count, kept } of parts.flat()) {
    rows += count;
    const simulator = found.get(id);
    if (simulator === undefined) found.set(id, { rows: count, human, first, kept: [...kept] });
    else {
      simulator.rows += count;
      for (const one of kept) simulator.kept.push(one);
      if (first < simulator.first) {
        simulator.first = first;
        simulator.human = human;
      }
    }
  }
  const simulators = new Map([...found].sort(([, a], [, b]) => a.first - b.first));
  const share = shareOf(simulators.size, options);
  return {
    sample: [...simulators.values()].flatMap(({ kept }) =>
      smallest(kept, share).map(({ content }) => JSON.parse(content) as Trajectory),
    ),
    rows,
    simulators,
  };
}

function shareOf(simulators: number, { sampleLimit = 6000, perSimulator }: SampleOptions): number {
  return perSimulator ?? Math.max(LEAST, Math.floor(sampleLimit / Math.max(1, simulators)));
}

export type SampleOptions = Pick<AuditOptions, 'seed' | 'sampleLimit' | 'perSimulator'>;

export interface Kept<Content> {
  readonly order: number;
  readonly hash: string;
  /** Hash of its context: of one content in several contexts the sample holds one, whatever the order of rows. */
  readonly tie: number;
  readonly content: Content;
}

/** What a thread kept of the rows it read, simulator by simulator. */
export type SampledPart = readonly {
  readonly id: string;
  readonly rows: number;
  readonly human: boolean;
  /** Position of its first row. */
  readonly first: number;
  readonly kept: readonly Kept<string>[];
}[];

/** Bottom-k of every simulator, by hashOrder of the content. */
export class Sampler<Content> {
  readonly simulators = new Map<string, { rows: number; human: boolean; first: number }>();
  readonly #kept = new Map<string, BottomK<Content>>();
  readonly #options: SampleOptions;

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  /** Rows come in ascending positions `at`. Gives the hash of the row's content. */
  add(trajectory: Trajectory, at: number, content: () => Content): string {
    const { id } = trajectory.simulator;
    const seen = this.simulators.get(id);
    if (seen === undefined) {
      this.simulators.set(id, { rows: 1, human: isHuman(trajectory), first: at });
      this.#kept.set(id, new BottomK());
    } else seen.rows += 1;
    const hash = contentHash(trajectory.turns, trajectory.scenario);
    const order = hashOrder(hash, this.#options.seed ?? 0);
    this.#kept.get(id)!.offer(order, hash, hash32(trajectory.context), content, this.#share());
    return hash;
  }

  /** In the order in which simulators were first seen. */
  samples(): { id: string; rows: number; human: boolean; first: number; kept: Kept<Content>[] }[] {
    return [...this.simulators].map(([id, facts]) => ({
      id,
      ...facts,
      kept: this.#kept.get(id)!.take(this.#share()),
    }));
  }

  #share(): number {
    return shareOf(this.simulators.size, this.#options);
  }
}

/** The k smallest by (order, hash), duplicates by content once. Trimmed now and then: few more than k are held. */
class BottomK<Content> {
  #rows: Kept<Content>[] = [];
  #worst = Number.POSITIVE_INFINITY;

  offer(order: number, hash: string, tie: number, content: () => Content, k: number): void {
    if (order > this.#worst) return;
    this.#rows.push({ order, hash, tie, content: content() });
    if (this.#rows.length >= k + k / 4 + 64) this.#trim(k);
  }

  take(k: number): Kept<Content>[] {
    this.#trim(k);
    return this.#rows;
  }

  #trim(k: number): void {
    this.#rows = smallest(this.#rows, k);
    if (this.#rows.length === k) this.#worst = this.#rows[k - 1]!.order;
  }
}

function smallest<Content>(rows: Kept<Content>[], k: number): Kept<Content>[] {
  rows.sort((a, b) => a.order - b.order || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.tie - b.tie));
  return rows.filter((row, i) => i === 0 || row.hash !== rows[i - 1]!.hash).slice(0, k);
}
