// Second wordings, by an author without sight of the gate's rules: `node bench/gate.mjs --plants bench/plants/second.mjs`.
// Whoever wrote the rules has seen this set since, so its recall says how the rules do on wordings they were made with.
import { controls } from './second/control.mjs';
import { contradiction, prematureStop, repetition } from './second/course.mjs';
import { degenerate } from './second/noise.mjs';
import { infrastructure, leakedInstructions, leakedScenarioEdited, roleReversal } from './second/speech.mjs';
import { candidateList, rawJson } from './second/structure.mjs';

/** Kinds as `plants/index.mjs` has them, by the same names. */
export const KINDS = [
  infrastructure,
  roleReversal,
  leakedInstructions,
  leakedScenarioEdited,
  rawJson,
  candidateList,
  prematureStop,
  repetition,
  contradiction,
  degenerate,
  ...controls,
];
