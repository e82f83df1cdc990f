import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CollapseAwareError } from '../../errors.ts';
import { holderOf, lockState } from '../../store/index.ts';
import { readPeople, readSpace } from '../live/live-host.ts';
import { checkSecrets, type Environment } from '../settings/environment.ts';
import { checkExposure } from '../settings/read-settings.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import { KeyRing } from './keys.ts';
import { resolvedPaths } from './resolved-paths.ts';

/**
 * What would keep a gateway of these settings from starting, all of it. Only looks: nothing is made, taken or asked for.
 * `folder`: where relative paths of the settings start.
 */
export async function notReady(
  given: GatewaySettings,
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
): Promise<CollapseAwareError[]> {
  const settings = resolvedPaths(given, folder);
  const { live, store, keys } = settings;
  const faults = await faultsOf(
    () => checkExposure(settings),
    () => checkSecrets(settings, environment),
    () => checkStore(store),
    async () => {
      if (live.space !== null) await readSpace(live.space);
    },
    async () => {
      await readPeople(live.reference);
    },
  );
  // Two keys can be compared where both are there.
  if (faults.some(({ code }) => code === 'CA_USAGE')) return faults;
  const sessions = { secret: Buffer.alloc(0), isOver: () => true };
  return [...faults, ...(await faultsOf(() => void new KeyRing(keys, environment, sessions)))];
}

async function faultsOf(...checks: readonly (() => void | Promise<void>)[]): Promise<CollapseAwareError[]> {
  const faults: CollapseAwareError[] = [];
  for (const check of checks)
    try {
      await check();
    } catch (error) {
      if (!(error instanceof CollapseAwareError)) throw error;
      faults.push(error);
    }
  return faults;
}

async function checkStore(store: string): Promise<void> {
  const journal = join(store, 'journal.db');
  const lock = `${journal}.lock`;
  if ((await lockState(lock)) === 'held') {
    const holder = await holderOf(lock);
    throw new CollapseAwareError(
      'CA_STORE_LOCKED',
      holder === null ? 'another process uses it' : `process ${holder.pid} on ${holder.host} uses it`,
      { place: { file: store }, todo: 'stop that gateway, or name another store' },
    );
  }
  const there = await nearest(store);
  const folder = await stat(there);
  try {
    if (!folder.isDirectory()) throw new Error('it is a file, not a folder');
    await access(there, constants.W_OK | constants.X_OK);
    if ((await stat(journal).catch(() => null)) !== null)
      await access(journal, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new CollapseAwareError(
      'CA_STORE_FAILED',
      `the store ${store} cannot be written: ${(cause as Error).message}`,
      { place: { file: there }, todo: 'name another store, or change who may write there', cause },
    );
  }
}

/** The path itself, or the folder above it that is there. */
async function nearest(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found !== null || dirname(path) === path ? path : nearest(dirname(path));
}
