import { fingerprint } from '../trajectory/identity.ts';
import type { PlainRecipe, SimulatorRecipe, VerbalizedRecipe } from './simulator-recipe.ts';

/** One user simulator of a population. */
export interface Member<R extends SimulatorRecipe = SimulatorRecipe> {
  readonly id: string;
  /** Where it comes from: members of one family are likely to fail alike, so that panels share none. */
  readonly family: string;
  /** Null where no model is asked, or where the family itself is what answers (in the lab). */
  readonly model: string | null;
  readonly recipe: R;
  /** Of the simulator's own training; null = as published. */
  readonly checkpoint: string | null;
  /** Null = as the client or the server sets it. */
  readonly sampling: MemberSampling | null;
}

export interface MemberSampling {
  /** 0 .. 2. */
  readonly temperature: number | null;
  /** In (0, 1]. */
  readonly topP: number | null;
}

/**
 * Hash of what answers: model, checkpoint, recipe and sampling; of the members inside a recipe, their fingerprints. Ids
 * and families are names and left out, but for what they alone can say: the family where there is no model, and the id of
 * a person. A model spelt in two ways is two models.
 */
export function memberFingerprint(member: Member): string {
  const { id, family, model, recipe, checkpoint, sampling } = member;
  const who = [recipeContent(recipe), model === null ? family : null, recipe.kind === 'human' ? id : null];
  const knobs = [checkpoint, sampling?.temperature ?? null, sampling?.topP ?? null];
  return fingerprint({ model, recipe: JSON.stringify(who), sampling: knobs })!;
}

/** What a recipe asks for, as JSON whose order of keys is ours and not the file's. */
function recipeContent(recipe: SimulatorRecipe): readonly unknown[] {
  switch (recipe.kind) {
    case 'direct':
    case 'human':
      return [recipe.kind];
    case 'persona':
      return [recipe.kind, recipe.text, recipe.bank === null ? null : [...recipe.bank].sort()];
    case 'verbalized':
      return [recipe.kind, recipe.mode, recipe.draw, recipe.candidates, recipe.tail, ...described(recipe)];
    case 'pool':
      return [recipe.kind, recipe.size, recipe.every, recipe.order];
    case 'scripted':
      return [recipe.kind, recipe.family];
    case 'interpolate':
      return [
        recipe.kind,
        memberFingerprint(recipe.a),
        memberFingerprint(recipe.b),
        recipe.lambda,
        recipe.how,
      ];
    case 'ensemble':
      return [recipe.kind, recipe.members.map(memberFingerprint).sort()];
  }
}

/** Nothing where there is none: members from before there were personas here keep their fingerprint. */
function described({ persona, exemplars }: VerbalizedRecipe): readonly unknown[] {
  return persona === null && exemplars.length === 0 ? [] : [persona, exemplars];
}

/** The members inside a member's recipe; none where it is a plain one. */
export function memberParts(member: Member): readonly Member<PlainRecipe>[] {
  const { recipe } = member;
  if (recipe.kind === 'interpolate') return [recipe.a, recipe.b];
  return recipe.kind === 'ensemble' ? recipe.members : [];
}
