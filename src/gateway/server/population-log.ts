import type { JournalRecord } from '../recorder/records.ts';
import { readPopulation, writtenPopulation } from '../settings/read-population.ts';
import type { PopulationSettings } from '../settings/settings.ts';

/** What a `population` record of the journal holds: who was in service from then on. */
export interface LoggedPopulation {
  readonly population: Record<string, unknown>;
  readonly pools: Readonly<Record<string, readonly string[]>>;
}

type PopulationRecord = Extract<JournalRecord, { readonly kind: 'population' }>;

/** Whose change a record is that the settings file made. */
export const BY_SETTINGS = 'the settings';

export function populationRecord(
  population: PopulationSettings,
  pools: ReadonlyMap<string, { readonly checkpoints: readonly string[] }>,
  by: string,
  at: number,
): PopulationRecord {
  const logged: LoggedPopulation = {
    population: writtenPopulation(population),
    pools: Object.fromEntries([...pools].map(([id, { checkpoints }]) => [id, checkpoints])),
  };
  return { kind: 'population', at, session: null, population: logged, by };
}

export interface ReadLog {
  /** All that were ever in service and can be read, oldest first. */
  readonly former: readonly PopulationSettings[];
  /** In service now: the last one, unless the settings have changed since they were last put in place. */
  readonly present: {
    readonly population: PopulationSettings;
    readonly pools: LoggedPopulation['pools'];
  } | null;
}

/** `settings`: the population of the settings as they are now. */
export function readPopulationLog(
  records: readonly PopulationRecord[],
  settings: PopulationSettings,
  upstreams: readonly string[],
): ReadLog {
  const former: PopulationSettings[] = [];
  let ofSettings: string | null = null;
  let present: ReadLog['present'] = null;
  for (const { population: value, by } of records) {
    const logged = value as LoggedPopulation;
    if (by === BY_SETTINGS) ofSettings = JSON.stringify(logged.population);
    try {
      const population = readPopulation(logged.population, { upstreams });
      former.push(population);
      present = { population, pools: logged.pools ?? {} };
    } catch {
      // Of an upstream that is gone: its sessions end, others go on.
      present = null;
    }
  }
  const same = ofSettings === JSON.stringify(writtenPopulation(settings));
  return { former, present: same ? present : null };
}
