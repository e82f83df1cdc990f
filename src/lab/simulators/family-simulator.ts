import type { Random } from '../../math/random.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';
import { drawFrom, sharpen } from './draw-act.ts';
import { familyShares, type SimulatorFamily } from './family.ts';
import { MixtureSession } from './mixture-session.ts';
import type { Simulator } from './simulator.ts';

/** The kinds of people that a family covers, with their shares in phi_ref. */
export interface Coverage {
  readonly users: readonly UserTraits[];
  readonly shares: Float64Array;
  /** Indexes in the world's types. */
  readonly types: readonly number[];
}

export function coverageOf(world: World, shares: ArrayLike<number>): Coverage {
  const types = world.types.map((_, z) => z).filter((z) => shares[z]! > 0);
  return {
    users: types.map((z) => world.types[z]!.traits),
    shares: Float64Array.from(types, (z) => shares[z]!),
    types,
  };
}

export interface FamilyOptions {
  /** Another exponent than the family's, over acts and kinds: 1 = phi_ref itself. */
  readonly gamma?: number;
  /** Persona prompts (persona.ts says how they are modelled); null = none. */
  readonly persona?: PersonaPrompt | null;
  readonly id?: string;
  readonly recipe?: string;
}

/** A prompt that asks the simulator to be somebody: `strength` of its prior goes to one kind, drawn uniformly from all. */
export interface PersonaPrompt {
  readonly strength: number;
}

/** How many wordings a simulator has that is collapsed by gamma. */
export const breadthOf = (gamma: number): number => Math.max(0.25, 1 / gamma);

/** A frozen simulator of a family, as it is served. */
export function familySimulator(
  world: World,
  family: SimulatorFamily,
  options: FamilyOptions = {},
): Simulator {
  const covered = coverageOf(world, familyShares(world, family));
  const collapse =
    options.gamma === undefined ? collapseOf(family) : { acts: options.gamma, kinds: options.gamma };
  const persona = options.persona ?? null;
  return {
    id: options.id ?? family.id,
    family: family.id,
    kind: 'llm',
    recipe:
      options.recipe ??
      `${persona === null ? 'direct' : 'persona'}, gamma ${collapse.acts} over acts, ${collapse.kinds} over kinds`,
    open: (random) => openFamily(world, covered, collapse, persona, random),
  };
}

/** Exponents of a collapse. */
export interface Collapse {
  readonly acts: number;
  readonly kinds: number;
}

/** None: phi_ref itself. */
export const UNCOLLAPSED: Collapse = { acts: 1, kinds: 1 };

export const collapseOf = ({ gamma, kindGamma }: SimulatorFamily): Collapse => ({
  acts: gamma,
  kinds: kindGamma ?? gamma,
});

/** A dialogue's session over what a family covers. A persona is asked for before the kinds are collapsed. */
export function openFamily(
  world: World,
  covered: Coverage,
  collapse: Collapse,
  persona: PersonaPrompt | null,
  random: Random,
): MixtureSession {
  const asked = persona === null ? covered : withPersona(world, covered, persona, random.fork('persona'));
  const shares = Float64Array.from(asked.shares);
  sharpen(shares, collapse.kinds);
  return new MixtureSession({
    users: asked.users,
    shares,
    acts: world.userActs.length,
    gamma: collapse.acts,
    voice: asked.users[drawFrom(shares, random.fork('voice'))]!,
    breadth: breadthOf(collapse.acts),
  });
}

function withPersona(world: World, covered: Coverage, persona: PersonaPrompt, random: Random): Coverage {
  const shares = new Float64Array(world.types.length);
  covered.types.forEach((z, i) => {
    shares[z] = (1 - persona.strength) * covered.shares[i]!;
  });
  shares[random.integer(world.types.length)]! += persona.strength;
  return coverageOf(world, shares);
}
