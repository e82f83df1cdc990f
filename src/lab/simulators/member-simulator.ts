import { CollapseAwareError } from '../../errors.ts';
import type { Random } from '../../math/random.ts';
import type { Member } from '../../population/index.ts';
import type { World } from '../world/world.ts';
import { BlendSession } from './blend-session.ts';
import { familyShares, type SimulatorFamily } from './family.ts';
import { type Collapse, type Coverage, collapseOf, coverageOf, openFamily } from './family-simulator.ts';
import type { Session, Simulator } from './simulator.ts';
import { readTraits } from './trait-words.ts';
import { openVerbalized, type VerbalizedSettings } from './verbalized.ts';

export interface MemberWorld {
  readonly world: World;
  /** With their taste: who a member's `family` may be. */
  readonly families: readonly SimulatorFamily[];
  /** Share of a prompted simulator's prior that follows a persona. */
  readonly personaStrength: number;
  /** Error and noise of Verbalized Sampling; how many candidates and how they are drawn says the recipe. */
  readonly verbalized: VerbalizedSettings;
}

type Opening = (random: Random) => Session;

/**
 * A member of a population (plain data) as a user of the lab. Its family is one of the lab's; personas are traits in
 * words (trait-words.ts), of which a prompted simulator takes on `personaStrength` of its prior; a temperature T divides
 * the exponent of the collapse over acts. Interpolated prompts blend the priors, interpolated sampling the temperatures.
 * @throws CA_CONFIG_INVALID for a family, persona or recipe that the lab does not have.
 */
export function memberSimulator(setup: MemberWorld, member: Member): Simulator {
  const { recipe } = member;
  return {
    id: member.id,
    family: member.family,
    kind: 'llm',
    recipe: recipe.kind,
    open: openingOf(setup, member),
  };
}

function openingOf(setup: MemberWorld, member: Member): Opening {
  const { world, verbalized } = setup;
  const { recipe } = member;
  switch (recipe.kind) {
    case 'direct':
    case 'scripted': {
      const covered = coverageOfFamily(setup, member);
      const collapse = heated(collapseOf(familyOf(setup, member)), member.sampling?.temperature ?? null);
      return (random) => openFamily(world, covered, collapse, null, random);
    }
    case 'persona': {
      const texts = recipe.bank ?? [recipe.text!];
      const covered = texts.map((text) => withPersona(setup, member, coverageOfFamily(setup, member), text));
      const collapse = heated(collapseOf(familyOf(setup, member)), member.sampling?.temperature ?? null);
      return (random) => {
        const own = covered[texts.length === 1 ? 0 : random.fork('persona').integer(texts.length)]!;
        return openFamily(world, own, collapse, null, random);
      };
    }
    case 'verbalized': {
      const plain = coverageOfFamily(setup, member);
      const covered = recipe.persona == null ? plain : withPersona(setup, member, plain, recipe.persona);
      const settings = { ...verbalized, candidates: recipe.candidates, draw: recipe.draw };
      return (random) => openVerbalized(world, covered, settings, random);
    }
    case 'interpolate': {
      const a = openingOf(setup, recipe.a);
      const b = openingOf(setup, recipe.b);
      if (recipe.how !== 'mixture')
        throw unknown(member, `interpolation by ${recipe.how}`, 'The lab interpolates by mixture.');
      return (random) =>
        new BlendSession(a(random.fork('a')), b(random.fork('b')), recipe.lambda, world.userActs.length);
    }
    case 'ensemble': {
      const parts = recipe.members.map((part) => openingOf(setup, part));
      return (random) => parts[random.fork('member').integer(parts.length)]!(random);
    }
    case 'pool':
    case 'human':
      throw unknown(
        member,
        `a recipe of the kind ${recipe.kind}`,
        'The lab has neither checkpoints nor people to serve.',
      );
  }
}

function familyOf({ families }: MemberWorld, member: Member): SimulatorFamily {
  const name = member.recipe.kind === 'scripted' ? member.recipe.family : member.family;
  const found = families.find(({ id }) => id === name);
  if (found === undefined)
    throw unknown(
      member,
      `the family "${name}"`,
      `Families here: ${families.map(({ id }) => id).join(', ')}.`,
    );
  return found;
}

const coverageOfFamily = (setup: MemberWorld, member: Member): Coverage =>
  coverageOf(setup.world, familyShares(setup.world, familyOf(setup, member)));

/** The persona is one more kind of user, who is nobody of the world's own. */
function withPersona(
  { world, personaStrength }: MemberWorld,
  member: Member,
  { users, shares, types }: Coverage,
  text: string,
): Coverage {
  const traits = readTraits(world, text);
  if (traits === null)
    throw unknown(
      member,
      `the persona "${text.slice(0, 60)}"`,
      'In the lab a persona names every trait: "trust 0.30, patience 0.55, ...".',
    );
  return {
    users: [...users, traits],
    shares: Float64Array.from([
      ...Array.from(shares, (share) => (1 - personaStrength) * share),
      personaStrength,
    ]),
    types: [...types, -1],
  };
}

function heated({ acts, kinds }: Collapse, temperature: number | null): Collapse {
  return temperature === null ? { acts, kinds } : { acts: acts / Math.max(temperature, 0.05), kinds };
}

function unknown(member: Member, what: string, todo: string): CollapseAwareError {
  return new CollapseAwareError('CA_CONFIG_INVALID', `member "${member.id}": the lab does not have ${what}`, {
    todo,
  });
}
