import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embedderOf } from '../../audit/index.ts';
import { readFiles } from '../../formats/index.ts';
import { decodeSpace } from '../../space/index.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import type { GatewaySettings } from '../settings/settings.ts';
import type { Ground } from '../steering/index.ts';

/** The space that the live figures were fitted in, with the people: read once it is there, and kept. */
export function steeringGround({
  store,
  live,
}: Pick<GatewaySettings, 'store' | 'live'>): () => Promise<Ground | null> {
  let kept: Ground | null = null;
  return async () => {
    if (kept !== null) return kept;
    const text = await spaceText(store);
    if (text === null) return null;
    const space = decodeSpace(text, join(store, SPACE));
    kept = { space, embedder: embedderOf(space), people: await peopleOf(live.reference) };
    return kept;
  };
}

const SPACE = 'space.json';

/** The saved space; null until there is one. */
export async function spaceText(store: string): Promise<string | null> {
  try {
    return await readFile(join(store, SPACE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function peopleOf(paths: readonly string[]): Promise<Trajectory[]> {
  const people: Trajectory[] = [];
  if (paths.length === 0) return people;
  for await (const row of readFiles([...paths])) if (row.kind === 'trajectory') people.push(row.trajectory);
  return people;
}
