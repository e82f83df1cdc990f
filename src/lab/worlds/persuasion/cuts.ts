/**
 * Cut points of the ordered logit: log odds against giving at least 0.10, 0.25, 0.50, 1 and 2 dollars at inclination
 * 0. Calibrated by scripts/calibrate-persuasion.mjs, to be run again after any change of what comes before them.
 */
export const CUTS: readonly number[] = [-0.553, 0.0432, 0.6619, 1.429, 2.8998];
