import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollapseAwareError } from '../../errors.ts';

const FILE = 'session-secret';
const BYTES = 32;

/**
 * What keys of sessions are made with. Kept in the store, readable by its owner alone, so that a key outlives a restart;
 * without the file keys that were issued are good for nothing.
 * @throws CA_STORE_FAILED where it can be neither read nor made.
 */
export async function sessionSecret(store: string): Promise<Buffer> {
  const path = join(store, FILE);
  const secret = randomBytes(BYTES);
  try {
    await writeFile(path, secret.toString('hex'), { flag: 'wx', mode: 0o600 });
    return secret;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw failed(path, (cause as Error).message, cause);
  }
  const found = await readFile(path, 'utf8').catch((cause: Error) => {
    throw failed(path, cause.message, cause);
  });
  // Cut short by a crash: nothing can have been issued with it.
  if (!/^[0-9a-f]{64}$/.test(found.trim())) {
    await writeFile(path, secret.toString('hex'), { mode: 0o600 });
    return secret;
  }
  return Buffer.from(found.trim(), 'hex');
}

function failed(path: string, why: string, cause: unknown): CollapseAwareError {
  return new CollapseAwareError('CA_STORE_FAILED', why, {
    place: { file: path },
    todo: 'check the folder of store and its permissions',
    cause,
  });
}
