import type { Simulator } from '../simulators/index.ts';
import type { MethodRun } from './method.ts';

/** Simulators that stay as they are; groups take turns, shifted by the step, so that each plays as many. */
export function frozen(simulators: readonly Simulator[]): MethodRun {
  return {
    cast: (step, group) => simulators[(step + group) % simulators.length]!,
    population: () => simulators,
    save: () => null,
    load: () => {},
  };
}
