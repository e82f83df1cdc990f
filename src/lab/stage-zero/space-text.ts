import { decodeSpace, encodeSpace, ProfileReader, profileLines } from '../../space/index.ts';
import { type WorldSpace, worldSpace } from '../measure/index.ts';
import { worldOf } from '../worlds/index.ts';
import type { CellPlace } from './cell-place.ts';

/** A world's space as it is kept: `space` is what `audit --space` reads. */
export interface SpaceText {
  readonly space: string;
  /** Lines of a profile. */
  readonly people: string;
}

/** The space of a world at a horizon, the same for all cells, seeds and studies. */
export async function makeSpace({
  world,
  horizon,
}: Pick<CellPlace, 'world' | 'horizon'>): Promise<SpaceText> {
  const { space, people } = await worldSpace(worldOf(world, horizon));
  return { space: encodeSpace(space), people: [...profileLines(people)].join('\n') };
}

/** What cells are measured in comes from the text always, so that a kept space and a fresh one give the same bits. */
export function readSpaceText({ space, people }: SpaceText): WorldSpace {
  const [first = '', ...rest] = people.split('\n');
  const reader = new ProfileReader(first, 1, 'people');
  rest.forEach((line, at) => {
    reader.line(line, at + 2);
  });
  return { space: decodeSpace(space), people: reader.end(rest.length + 1) };
}
