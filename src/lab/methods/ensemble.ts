import { familySimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

export const ensemble: Method = {
  id: 'ensemble-3',
  title: 'Ensemble of three',
  model: 'the first three seen families as they are served; every group has one of them',
  usesPeople: false,
  trains: true,
  start: ({ world, seen }) => frozen(seen.slice(0, 3).map((family) => familySimulator(world, family))),
};
