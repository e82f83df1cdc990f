import { openSource } from '../formats/index.ts';
import { type BehaviourSpace, decodeSpace } from '../space/index.ts';

export async function readSpace(path: string): Promise<BehaviourSpace> {
  return decodeSpace(await (await openSource(path)).text(), path);
}
