export interface Cuts {
  readonly horizon: number;
  /** Log odds against giving at least 0.10, 0.25, 0.50, 1 and 2 dollars at inclination 0. */
  readonly cuts: readonly number[];
}

/** Written by scripts/calibrate-persuasion.mjs, to be run again after any change of what comes before them. */
export const CUTS: readonly Cuts[] = [
  { horizon: 10, cuts: [-0.5628, 0.0329, 0.6512, 1.4183, 2.8889] },
  { horizon: 30, cuts: [0.0986, 0.5843, 1.0862, 1.7135, 2.9581] },
  { horizon: 50, cuts: [0.1983, 0.6608, 1.1402, 1.7421, 2.9473] },
];
