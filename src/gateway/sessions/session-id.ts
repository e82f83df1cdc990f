import type { Random } from '../../math/random.ts';

const TRAITS =
  'amber brisk calm clear deft eager early fair fleet fond glad grand green keen kind late light lucid mild neat noble plain proud quick quiet rapid sharp sober spry stout swift warm';
const BIRDS =
  'avocet bunting coot crane curlew dipper dunlin eider finch gannet godwit grebe heron hobby jay kestrel kite lark linnet martin merlin ouzel petrel pipit plover robin siskin snipe swift tern wren wryneck';
/** Without letters and digits that are read for one another. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz';

/** Ids like `calm-heron-7kq2mx`, for people to read out. Whoever uses them looks whether one is taken. */
export function sessionIds(random: Random): () => string {
  const traits = TRAITS.split(' ');
  const birds = BIRDS.split(' ');
  const one = (of: ArrayLike<string>) => of[random.integer(of.length)]!;
  return () => `${one(traits)}-${one(birds)}-${Array.from({ length: 6 }, () => one(SIGNS)).join('')}`;
}
