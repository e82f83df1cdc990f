import { familySimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

export const base: Method = {
  id: 'base',
  title: 'Base',
  model: 'no reinforcement learning: the policy cloned from the demonstrator',
  usesPeople: false,
  trains: false,
  start: ({ world, seen }) => frozen([familySimulator(world, seen[0]!)]),
};
