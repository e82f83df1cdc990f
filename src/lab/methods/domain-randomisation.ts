import { anyoneSimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

export const domainRandomisation: Method = {
  id: 'domain-randomisation',
  title: 'Domain randomisation',
  model: 'users whose every trait is drawn over its whole range, with no regard to people',
  usesPeople: false,
  trains: true,
  start: ({ world }) => frozen([anyoneSimulator(world)]),
};
