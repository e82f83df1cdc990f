import { familySimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

export const single: Method = {
  id: 'single',
  title: 'One frozen simulator',
  model: 'the first seen family as it is served, phi proportional to phi_ref^gamma',
  usesPeople: false,
  trains: true,
  start: ({ world, seen }) => frozen([familySimulator(world, seen[0]!)]),
};
