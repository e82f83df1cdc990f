// A set of wordings by an author who saw neither the gate's rules nor the other wordings: `npm run bench:gate -- --unseen`.
// Frozen before it was first run; since then only one control was mended, whose typing errors made another id of an id.
// Whoever writes rules must not read it: once read, it measures nothing new.
import { candidateList } from './unseen/candidate-list.mjs';
import { contradiction } from './unseen/contradiction.mjs';
import { code } from './unseen/control-code.mjs';
import { honest } from './unseen/control-honest.mjs';
import { people } from './unseen/control-people.mjs';
import { degenerate } from './unseen/degenerate.mjs';
import { infrastructure } from './unseen/infrastructure.mjs';
import { leakedInstructions } from './unseen/leaked-instructions.mjs';
import { leakedScenarioEdited } from './unseen/leaked-scenario.mjs';
import { prematureStop } from './unseen/premature-stop.mjs';
import { rawJson } from './unseen/raw-json.mjs';
import { repetition } from './unseen/repetition.mjs';
import { roleReversal } from './unseen/role-reversal.mjs';

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
  ...people,
  ...honest,
  code,
];
