import { HEDGES, PAUSES, REGRETS, REQUEST_ENDS, THANKS } from '../speech/manner-table.ts';
import type { Slots } from '../speech/pattern.ts';
import type { World } from '../world/world.ts';
import { withoutFacts } from './agent-hearing.ts';
import { folded } from './folded-text.ts';
import { inverseOf } from './inverse-pattern.ts';
import { indexActs } from './nearest-act.ts';
import { spokenForms, waysOf } from './spoken-forms.ts';

/** What a user's text says of its act, where nobody else has kept it. */
export interface UserHearing {
  /**
   * Index of the act, of those with `law[act]` above 0; of several with one wording the likeliest. `slots`: facts that
   * a step of an act would name, which tell such acts apart.
   */
  hear(
    text: string,
    setting: { readonly slots: Slots },
    law: Float64Array,
    slots: (act: number) => Slots,
  ): number;
}

/** What stands for an act without words, such as an edit that a partner tells nobody about. */
export const QUIETLY = '(keeps working)';
const QUIETLY_FOLDED = folded(QUIETLY);

const BEFORE = [...new Set([...HEDGES, ...PAUSES])].flatMap((hedge) => [
  folded(hedge),
  ...REGRETS.map((regret) => folded(hedge) + folded(regret)),
]);
const FRILLS = {
  before: [...BEFORE, ...REGRETS.map(folded)],
  behind: [...THANKS, ...REQUEST_ENDS].map(folded),
  curt: true,
};

export function userHearing(world: Pick<World, 'userActs' | 'wordings'>): UserHearing {
  const acts = world.userActs.length;
  const wordings = world.userActs.map((name) => world.wordings.user[name]);
  const inverses = wordings.map((wording) => {
    if (wording === undefined) return [];
    const { core, terse, more } = wording;
    return [
      ...waysOf(core).map((way) => inverseOf([way], { ...FRILLS, more })),
      ...(terse === undefined ? [] : waysOf(terse).map((way) => inverseOf([way], FRILLS))),
    ];
  });
  const index = indexActs(
    wordings.map((wording) =>
      wording === undefined
        ? []
        : [wording.core, ...(wording.terse === undefined ? [] : [wording.terse])].flatMap((pattern) =>
            waysOf(pattern).map(spokenForms),
          ),
    ),
  );
  const scores = new Float64Array(acts);
  return {
    hear(text, setting, law, slotsOf) {
      const exact = folded(text);
      for (let act = 0; act < acts; act++) {
        scores[act] = 0;
        if (!(law[act]! > 0)) continue;
        if (wordings[act] === undefined && exact === QUIETLY_FOLDED) scores[act] = exact.length;
        for (const inverse of inverses[act]!) {
          if (inverse.explains(exact, setting.slots) === 0) continue;
          scores[act] = Math.max(
            scores[act]!,
            inverse.explains(exact, { ...setting.slots, ...slotsOf(act) }, true),
          );
        }
      }
      if (!scores.some((score) => score > 0)) {
        index.likeness(withoutFacts(text, setting.slots), scores);
        for (let act = 0; act < acts; act++) if (!(law[act]! > 0)) scores[act] = 0;
      }
      let best = -1;
      for (let act = 0; act < acts; act++) {
        if (!(law[act]! > 0)) continue;
        if (
          best < 0 ||
          scores[act]! > scores[best]! ||
          (scores[act] === scores[best] && law[act]! > law[best]!)
        )
          best = act;
      }
      return Math.max(0, best);
    },
  };
}
