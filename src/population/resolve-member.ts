import { nearestName, shown } from '../curation/recipe-fault.ts';
import type { PopulationFault } from './fault.ts';
import { type Member, memberFingerprint, memberParts } from './member.ts';
import type { WrittenMember, WrittenPart } from './member-schema.ts';
import type { PlainRecipe, SimulatorRecipe } from './simulator-recipe.ts';

/** A member, and the place where its faults are to be mended. */
export interface Named {
  readonly written: WrittenMember;
  readonly path: string;
}

/** What an id in a recipe or a panel stands for; undefined = nobody. */
export type MemberLookup = (id: string) => Named | undefined;

/**
 * A written member with every default filled in and every id inside its recipe replaced by the member itself. Recipes
 * hold plain members alone, so that there is neither depth nor circle. Faults go to `faults`; null where one was found.
 */
export function resolveMember(
  written: WrittenMember,
  path: string,
  lookup: MemberLookup,
  known: readonly string[],
  faults: PopulationFault[],
): Member | null {
  const before = faults.length;
  const at = (key: string) => `${path === '' ? '' : `${path}.`}recipe.${key}`;
  const recipe = resolvedRecipe(written, at, lookup, known, faults);
  if (recipe === null || faults.length > before) return null;
  const { id, family, model, checkpoint } = written;
  const { temperature, topP } = written.sampling ?? { temperature: null, topP: null };
  const sampling = temperature === null && topP === null ? null : { temperature, topP };
  const member: Member = { id, family, model, recipe, checkpoint, sampling };
  faults.push(...memberFaults(member, path, at));
  return faults.length > before ? null : member;
}

type At = (key: string) => string;

function resolvedRecipe(
  written: WrittenMember,
  at: At,
  lookup: MemberLookup,
  known: readonly string[],
  faults: PopulationFault[],
): SimulatorRecipe | null {
  const { recipe } = written;
  const part = (value: WrittenPart, key: string) => resolvedPart(value, at(key), lookup, known, faults);
  switch (recipe.kind) {
    case 'persona': {
      const { text = null, bank = null } = recipe;
      if ((text === null) === (bank === null))
        faults.push({
          path: at('text').replace(/\.text$/, ''),
          found: text === null ? 'neither' : 'both',
          allowed: 'one of text and bank',
        });
      return { kind: 'persona', text, bank: bank === null ? null : [...bank].sort() };
    }
    case 'scripted': {
      const family = recipe.family ?? written.family;
      if (family !== written.family)
        faults.push({
          path: at('family'),
          found: shown(family),
          allowed: `the member's family, ${shown(written.family)}, or nothing`,
        });
      return { kind: 'scripted', family };
    }
    case 'interpolate': {
      const a = part(recipe.a, 'a');
      const b = part(recipe.b, 'b');
      return a === null || b === null ? null : { ...recipe, a, b };
    }
    case 'ensemble': {
      const members = recipe.members.map((value, i) => part(value, `members[${i}]`));
      const whole = members.filter((member) => member !== null);
      return whole.length < members.length ? null : { kind: 'ensemble', members: whole.sort(byId) };
    }
    default:
      return recipe;
  }
}

function resolvedPart(
  value: WrittenPart,
  path: string,
  lookup: MemberLookup,
  known: readonly string[],
  faults: PopulationFault[],
): Member<PlainRecipe> | null {
  const named = typeof value === 'string' ? lookup(value) : { written: value, path };
  if (named === undefined) {
    faults.push(unknownMember(value as string, path, known));
    return null;
  }
  const { written } = named;
  if (written.recipe.kind === 'interpolate' || written.recipe.kind === 'ensemble') {
    faults.push({
      path,
      found: `${shown(written.id)}, whose recipe is ${written.recipe.kind}`,
      allowed: 'a member whose recipe holds no other',
    });
    return null;
  }
  return resolveMember(written, named.path, lookup, known, faults) as Member<PlainRecipe> | null;
}

export function unknownMember(id: string, path: string, known: readonly string[]): PopulationFault {
  const near = nearestName(id, known);
  return {
    path,
    found: shown(id),
    allowed: `the id of a member${near === null ? '' : ` (did you mean ${shown(near)}?)`}`,
  };
}

/** What keys say of one another. */
function memberFaults(member: Member, path: string, at: At): PopulationFault[] {
  const { recipe, model } = member;
  const own = (key: string) => `${path === '' ? '' : `${path}.`}${key}`;
  const faults: PopulationFault[] = [];
  if (recipe.kind === 'scripted' || recipe.kind === 'human') {
    const nobody = `null, since ${recipe.kind === 'human' ? 'a person answers' : 'rules answer'}`;
    if (model !== null) faults.push({ path: own('model'), found: shown(model), allowed: nobody });
    if (member.sampling !== null) faults.push({ path: own('sampling'), found: 'a mapping', allowed: nobody });
  }
  const parts = memberParts(member);
  const byPrint = new Map<string, string>();
  for (const part of parts) {
    const print = memberFingerprint(part);
    const twin = byPrint.get(print);
    if (twin !== undefined)
      faults.push({
        path: at(recipe.kind === 'ensemble' ? 'members' : 'b'),
        found: `${shown(part.id)}, the same simulator as ${shown(twin)}`,
        allowed: 'different simulators',
      });
    byPrint.set(print, part.id);
  }
  if (parts.length > 0)
    for (const key of ['model', 'checkpoint', 'sampling'] as const)
      if (member[key] !== null)
        faults.push({
          path: own(key),
          found: shown(member[key]),
          allowed: 'nothing: the members inside the recipe have their own',
        });
  if (recipe.kind === 'interpolate') {
    const allowed = pathRule(recipe.how, recipe.a, recipe.b);
    if (allowed !== null) faults.push({ path: at('how'), found: recipe.how, allowed });
  }
  return faults;
}

/** Why there is nothing between a and b on this path; null where there is. */
function pathRule(how: string, a: Member, b: Member): string | null {
  if (how === 'mixture') return null;
  const asked = [a, b].every(({ recipe }) => recipe.kind !== 'human' && recipe.kind !== 'scripted');
  if (!asked || a.model !== b.model || a.checkpoint !== b.checkpoint)
    return 'mixture, since a and b are not prompts of one model and checkpoint';
  if (how === 'prompt') return null;
  const recipes = [a, b].map((member) => memberFingerprint({ ...member, sampling: null }));
  if (recipes[0] !== recipes[1]) return 'prompt or mixture, since a and b differ in more than sampling';
  // Half a line: a temperature that is not known has no value between.
  const known = (['temperature', 'topP'] as const).every(
    (key) => ((a.sampling?.[key] ?? null) === null) === ((b.sampling?.[key] ?? null) === null),
  );
  return known ? null : 'mixture, or temperature and topP written in both of a and b or in neither';
}

/** By code units: the same on every machine. */
export function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}
