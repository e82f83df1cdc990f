import { verbalizedSimulator } from '../simulators/index.ts';
import { frozen } from './frozen.ts';
import type { Method } from './method.ts';

/** Verbalized Sampling of the first seen family. */
function verbalized(draw: 'prob' | 'random'): Method {
  const how = draw === 'prob' ? 'by the stated probabilities' : 'each alike';
  return {
    id: `vs-${draw}`,
    title: `Verbalized Sampling (${draw})`,
    model: `the first seen family asked for distinct acts of phi_ref mixed with an error, stated probabilities with log-normal noise, one drawn ${how}`,
    usesPeople: false,
    trains: true,
    start: ({ world, seen, verbalized: settings }) =>
      frozen([verbalizedSimulator(world, seen[0]!, { ...settings, draw })]),
  };
}

export const verbalizedProb = verbalized('prob');
export const verbalizedRandom = verbalized('random');
