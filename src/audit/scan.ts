import { hashOrder } from '../math/index.ts';
import { contentHash } from '../trajectory/identity.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import type { AuditOptions, Records } from './options.ts';

/** A bottom-k sample of every simulator by hash(content, seed), and what the first pass counted. */
export interface Scan {
  readonly sample: readonly Trajectory[];
  readonly rows: number;
  readonly simulators: ReadonlyMap<string, { readonly rows: number; readonly human: boolean }>;
}

/** However many simulators there are, each gives this many episodes to the fit. */
const LEAST = 30;

interface Kept {
  readonly order: number;
  readonly hash: string;
  readonly trajectory: Trajectory;
}

/**
 * First pass: counts rows and keeps the bottom-k of each simulator, so that a simulator with many rows does
 * not rule the space and memory stays flat whatever the size of the input.
 */
export async function scan(records: Records, options: AuditOptions = {}): Promise<Scan> {
  const limit = options.sampleLimit ?? 6000;
  const seed = options.seed ?? 0;
  const kept = new Map<string, BottomK>();
  const simulators = new Map<string, { rows: number; human: boolean }>();
  let rows = 0;
  const share = () =>
    options.perSimulator ?? Math.max(LEAST, Math.floor(limit / Math.max(1, simulators.size)));
  for await (const trajectory of records()) {
    options.signal?.throwIfAborted();
    rows += 1;
    const { id, kind } = trajectory.simulator;
    const seen = simulators.get(id);
    if (seen === undefined) {
      simulators.set(id, { rows: 1, human: kind === 'human' });
      kept.set(id, new BottomK());
    } else seen.rows += 1;
    const hash = contentHash(trajectory.turns, trajectory.scenario);
    kept.get(id)!.offer({ order: hashOrder(hash, seed), hash, trajectory }, share());
    if (rows % 256 === 0) options.onProgress?.('read', rows, null);
  }
  options.onProgress?.('read', rows, rows);
  const sample = [...kept.values()].flatMap((bottom) => bottom.take(share()));
  return { sample, rows, simulators };
}

/** The k smallest by (order, hash), duplicates by content once. Trimmed lazily: twice k rows at most are held. */
class BottomK {
  private rows: Kept[] = [];
  private worst = Number.POSITIVE_INFINITY;

  offer(row: Kept, k: number): void {
    if (row.order > this.worst) return;
    this.rows.push(row);
    if (this.rows.length >= 2 * k + 64) this.trim(k);
  }

  take(k: number): Trajectory[] {
    this.trim(k);
    return this.rows.map((row) => row.trajectory);
  }

  private trim(k: number): void {
    this.rows.sort((a, b) => a.order - b.order || (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    this.rows = this.rows.filter((row, i) => i === 0 || row.hash !== this.rows[i - 1]!.hash).slice(0, k);
    if (this.rows.length === k) this.worst = this.rows[k - 1]!.order;
  }
}
