import { BY_SETTINGS } from '../api/schemas.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { JournalRecord } from '../recorder/records.ts';
import { readPopulation, writtenPopulation } from '../settings/read-population.ts';
import type { GatewaySettings, PopulationSettings } from '../settings/settings.ts';
import type { Members, PopulationChange } from './members.ts';

/** What a `population` record of the journal holds: who was in service from then on. */
export interface LoggedPopulation {
  readonly population: Record<string, unknown>;
  readonly pools: Readonly<Record<string, readonly string[]>>;
}

type PopulationRecord = Extract<JournalRecord, { readonly kind: 'population' }>;

export function populationRecord(
  { population, pools }: Pick<PopulationChange, 'population' | 'pools'>,
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

/** Puts whoever was in service last back into it, and makes former members known, so that their sessions can go on. */
export async function restorePopulation(
  settings: GatewaySettings,
  members: Members,
  recorder: Recorder,
  clock: () => number,
): Promise<void> {
  const records = [];
  for await (const record of recorder.timeline(['population']))
    if (record.kind === 'population') records.push(record);
  const { former, present } = readPopulationLog(
    records,
    settings.population,
    settings.upstreams.map(({ name }) => name),
  );
  for (const population of former) members.recall(population);
  if (present !== null) return members.prepare(present.population, present.pools).commit();
  const change = members.prepare(settings.population);
  await recorder.append(populationRecord(change, BY_SETTINGS, clock()));
  change.commit();
}
