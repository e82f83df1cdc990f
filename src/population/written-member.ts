import type { Member } from './member.ts';
import { byId } from './resolve-member.ts';
import type { SimulatorRecipe } from './simulator-recipe.ts';

/** The mapping that `readMember` reads this member from, without what is a default: for files of members and panels. */
export function writtenMember(member: Member): Record<string, unknown> {
  const { id, family, model, recipe, checkpoint, sampling } = member;
  return {
    id,
    family,
    ...(model === null ? {} : { model }),
    ...(recipe.kind === 'direct' ? {} : { recipe: writtenRecipe(recipe) }),
    ...(checkpoint === null ? {} : { checkpoint }),
    ...(sampling === null ? {} : { sampling: withoutNull(sampling) }),
  };
}

function writtenRecipe(recipe: SimulatorRecipe): Record<string, unknown> {
  switch (recipe.kind) {
    case 'verbalized': {
      const { exemplars, ...rest } = recipe;
      return { ...withoutNull(rest), ...(exemplars.length === 0 ? {} : { exemplars }) };
    }
    case 'interpolate':
      return { ...recipe, a: writtenMember(recipe.a), b: writtenMember(recipe.b) };
    case 'ensemble':
      return { ...recipe, members: [...recipe.members].sort(byId).map(writtenMember) };
    default:
      return withoutNull(recipe);
  }
}

function withoutNull(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== null));
}
