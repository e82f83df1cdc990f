import type { Pool } from '../../population/index.ts';
import type { CheckpointDue } from '../live/live.ts';
import type { JournalRecord } from '../recorder/records.ts';
import type { LoggedPopulation } from './population-log.ts';

/** In which epoch each pool got its newest checkpoint: what the records of the journal, taken in their order, add up to. */
export class CheckpointClock {
  #epoch = 0;
  readonly #newest = new Map<string, { readonly checkpoint: string; readonly epoch: number }>();

  take(record: JournalRecord): void {
    if (record.kind === 'epoch') this.#epoch = Math.max(this.#epoch, record.epoch);
    if (record.kind !== 'population') return;
    const { pools = {} } = record.population as Partial<LoggedPopulation>;
    for (const [id, checkpoints] of Object.entries(pools)) {
      const checkpoint = checkpoints.at(-1);
      if (checkpoint === undefined || this.#newest.get(id)?.checkpoint === checkpoint) continue;
      this.#newest.set(id, { checkpoint, epoch: this.#epoch });
    }
  }

  /**
   * Pools whose newest checkpoint came `every` epochs or more before `epoch`, and those that have none, by id. The model
   * that a pool begins with counts as pushed when the pool was put in service.
   */
  due(pools: ReadonlyMap<string, Pool>, epoch: number): CheckpointDue[] {
    return [...pools]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([pool, { every, checkpoints }]) => {
        const newest = checkpoints.at(-1) ?? null;
        const lastEpoch = newest === null ? null : (this.#newest.get(pool)?.epoch ?? null);
        const due = lastEpoch === null || epoch - lastEpoch >= every;
        return due ? [{ pool, every, lastEpoch, newest }] : [];
      });
  }
}
