import { seeded } from '../../math/random.ts';
import { type EnsembleRecipe, type Member, type PlainRecipe, uniformDraw } from '../../population/index.ts';
import { printOfParts } from './services.ts';
import type { Speaker } from './speaker.ts';

/** One of several members a session, each alike; it answers under its own name. */
export function ensembleSpeaker(
  member: Member<EnsembleRecipe>,
  partOf: (part: Member<PlainRecipe>) => Speaker,
): Speaker {
  const parts = new Map(member.recipe.members.map((part) => [part.id, partOf(part)]));
  return {
    member,
    kind: commonKind([...parts.values()]),
    fingerprint: printOfParts(member, [...parts.values()]),
    recipe: `ensemble of ${parts.size}`,
    open(seed, person) {
      const drawn = uniformDraw(member.recipe.members, seeded(seed).fork('part'));
      const inner = person?.startsWith(`${drawn.id}/`) ? person.slice(drawn.id.length + 1) : null;
      const voice = parts.get(drawn.id)!.open(`${seed}/${drawn.id}`, inner);
      return { ...voice, person: voice.person === null ? drawn.id : `${drawn.id}/${voice.person}` };
    },
  };
}

/** Mixed ones count as models. */
export function commonKind(parts: readonly Speaker[]): Speaker['kind'] {
  const [first] = parts;
  return first !== undefined && parts.every(({ kind }) => kind === first.kind) ? first.kind : 'llm';
}
