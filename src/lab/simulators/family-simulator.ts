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
  /** Another exponent than the family's: 1 = phi_ref itself. */
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
  const gamma = options.gamma ?? family.gamma;
  const persona = options.persona ?? null;
  return {
    id: options.id ?? family.id,
    family: family.id,
    kind: 'llm',
    recipe: options.recipe ?? `${persona === null ? 'direct' : 'persona'}, gamma ${gamma}`,
    open: (random) => openFamily(world, covered, gamma, persona, random),
  };
}

/** A dialogue's session of phi_ref^gamma over what a family covers. */
export function openFamily(
  world: World,
  covered: Coverage,
  gamma: number,
  persona: PersonaPrompt | null,
  random: Random,
): MixtureSession {
  const asked = persona === null ? covered : withPersona(world, covered, persona, random.fork('persona'));
  // The manner of writing is collapsed as the acts are.
  const manner = Float64Array.from(asked.shares);
  sharpen(manner, gamma);
  return new MixtureSession({
    users: asked.users,
    shares: asked.shares,
    acts: world.userActs.length,
    gamma,
    voice: asked.users[drawFrom(manner, random.fork('voice'))]!,
    breadth: breadthOf(gamma),
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
