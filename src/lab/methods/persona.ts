import { familySimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

export const persona: Method = {
  id: 'persona',
  title: 'Persona prompt',
  model:
    'the first seen family with a persona drawn for every dialogue, uniformly from all kinds of people; a stated share of its prior follows the prompt, and the law is collapsed as before',
  usesPeople: false,
  trains: true,
  start: ({ world, seen, personaStrength }) =>
    frozen([
      familySimulator(world, seen[0]!, {
        id: `${seen[0]!.id}-persona`,
        persona: { strength: personaStrength },
      }),
    ]),
};
