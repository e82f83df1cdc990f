import type { Slots } from '../speech/pattern.ts';
import type { World } from '../world/world.ts';
import { folded } from './folded-text.ts';
import { inverseOf } from './inverse-pattern.ts';
import { indexActs } from './nearest-act.ts';
import { slotToken, spokenForms, waysOf } from './spoken-forms.ts';

/** What an agent was understood to do by what it said. */
export interface Heard {
  /** Index in the world's agent acts. */
  readonly act: number;
  /** It was said in the world's own wording, or nearly and in no other act's. */
  readonly sure: boolean;
}

export interface AgentHearing {
  /** The act that a text is, of those with `allowed[act]` 1: by its wordings, else the nearest, else a neutral one. */
  hear(text: string, setting: { readonly slots: Slots }, allowed: ArrayLike<number>): Heard;
  /** What an agent does who says nothing that counts. */
  neutral(allowed: ArrayLike<number>): number;
}

/** Below this likeness nothing is near; from `CLEAR` on, and ahead of the next by `AHEAD`, it is sure. */
const NEAR = 0.03;
const CLEAR = 0.35;
const AHEAD = 0.15;
/** Letters of a text that are looked at: nobody says more in a turn. */
const LOOKED_AT = 4000;

/** By world, what moves a dialogue least; the first that is allowed. */
const NEUTRAL: Readonly<Record<World['id'], readonly string[]>> = {
  persuasion: ['rapport'],
  service: ['ask-goal'],
  'pair-coding': ['acknowledge'],
};
/** The same for a dialogue that nobody has opened. */
const OPENING: Readonly<Record<World['id'], string>> = {
  persuasion: 'greet',
  service: 'ask-goal',
  'pair-coding': 'acknowledge',
};

export const openingOf = ({ id, agentActs }: Pick<World, 'id' | 'agentActs'>): number =>
  agentActs.indexOf(OPENING[id]);

/** Hearing of a world's agents. Acts that are tool calls alone are not heard: silent-calls.ts. */
export function agentHearing(world: Pick<World, 'id' | 'agentActs' | 'wordings'>): AgentHearing {
  const acts = world.agentActs.length;
  const patterns = world.agentActs.map((name) => world.wordings.agent[name]);
  const inverses = patterns.map((pattern) =>
    pattern === undefined ? null : waysOf(pattern).map((way) => inverseOf([way])),
  );
  const index = indexActs(
    patterns.map((pattern) => (pattern === undefined ? [] : waysOf(pattern).map(spokenForms))),
  );
  const likeness = new Float64Array(acts);
  const neutral = (allowed: ArrayLike<number>) => {
    const known = NEUTRAL[world.id].map((name) => world.agentActs.indexOf(name));
    const one = known.find((act) => allowed[act] === 1);
    if (one !== undefined) return one;
    for (let act = 0; act < acts; act++) if (allowed[act] === 1 && patterns[act] !== undefined) return act;
    return 0;
  };
  return {
    neutral,
    hear(text, setting, allowed) {
      const words = text.slice(0, LOOKED_AT);
      const exact = folded(words);
      let best = -1;
      let most = 0;
      for (let act = 0; act < acts; act++) {
        if (allowed[act] !== 1) continue;
        for (const inverse of inverses[act] ?? []) {
          const letters = inverse.explains(exact, setting.slots);
          if (letters > most) {
            most = letters;
            best = act;
          }
        }
      }
      if (best >= 0) return { act: best, sure: true };
      index.likeness(withoutFacts(words, setting.slots), likeness);
      let second = 0;
      let first = 0;
      for (let act = 0; act < acts; act++) {
        const near = allowed[act] === 1 ? likeness[act]! : 0;
        if (near > first) {
          second = first;
          first = near;
          best = act;
        } else if (near > second) second = near;
      }
      if (best < 0 || first < NEAR) return { act: neutral(allowed), sure: false };
      return { act: best, sure: first >= CLEAR && first - second >= AHEAD };
    },
  };
}

/** Facts of the setting replaced by what they are. */
export function withoutFacts(text: string, slots: Slots): string {
  let out = text;
  for (const [name, value] of Object.entries(slots).sort(([, a], [, b]) => b.length - a.length)) {
    if (value.length < 3) continue;
    const at = out.toLowerCase().indexOf(value.toLowerCase());
    if (at >= 0) out = `${out.slice(0, at)} ${slotToken(name)} ${out.slice(at + value.length)}`;
  }
  return out;
}
