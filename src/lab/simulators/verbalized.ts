import type { Random } from '../../math/random.ts';
import type { Encounter } from '../world/encounter.ts';
import type { UserTraits } from '../world/traits.ts';
import type { World } from '../world/world.ts';
import { drawFrom } from './draw-act.ts';
import { familyShares, type SimulatorFamily } from './family.ts';
import { type Coverage, coverageOf, openFamily, UNCOLLAPSED } from './family-simulator.ts';
import type { MixtureSession } from './mixture-session.ts';
import type { Reply, Session, Simulator } from './simulator.ts';

/** Verbalized Sampling (Zhang et al., arXiv 2510.01171), as the lab models it. */
export interface VerbalizedSettings {
  /** Distinct acts asked for. */
  readonly candidates: number;
  /** The list is drawn from (1 - error) phi_ref + error x uniform over possible acts: at most this far from phi_ref. */
  readonly error: number;
  /** Deviation of the log-normal noise on stated probabilities. */
  readonly noise: number;
  /** By the stated probabilities, or each alike. */
  readonly draw: 'prob' | 'random';
}

export const VERBALIZED: VerbalizedSettings = { candidates: 5, error: 0.1, noise: 0.5, draw: 'prob' };

/** A family asked for a list: it restores the family's own diversity phi_ref, not people's. */
export function verbalizedSimulator(
  world: World,
  family: SimulatorFamily,
  settings: VerbalizedSettings,
  id = `${family.id}-vs-${settings.draw}`,
): Simulator {
  const covered = coverageOf(world, familyShares(world, family));
  return {
    id,
    family: family.id,
    kind: 'llm',
    recipe: `verbalized sampling, ${settings.candidates} candidates, ${settings.draw}`,
    open: (random) => openVerbalized(world, covered, settings, random),
  };
}

/** A dialogue's session that lists what somebody of a coverage may say. */
export function openVerbalized(
  world: World,
  covered: Coverage,
  settings: VerbalizedSettings,
  random: Random,
): Session {
  return new VerbalizedSession(
    openFamily(world, covered, UNCOLLAPSED, null, random),
    world.userActs.length,
    settings,
  );
}

class VerbalizedSession implements Session {
  readonly users: readonly UserTraits[];
  readonly voice: UserTraits;
  readonly breadth: number;
  readonly person = null;
  readonly #base: MixtureSession;
  readonly #settings: VerbalizedSettings;
  readonly #law: Float64Array;
  readonly #left: Float64Array;

  constructor(base: MixtureSession, acts: number, settings: VerbalizedSettings) {
    this.#base = base;
    this.#settings = settings;
    this.users = base.users;
    this.voice = base.voice;
    this.breadth = base.breadth;
    this.#law = new Float64Array(acts);
    this.#left = new Float64Array(acts);
  }

  /** The law of what is drawn from a drawn list has no closed form. */
  law(): boolean {
    return false;
  }

  reply(encounter: Encounter, random: Random): Reply {
    const { candidates, error, noise, draw } = this.#settings;
    const law = this.#law;
    this.#base.reference(encounter, law);
    let possible = 0;
    for (const p of law) if (p > 0) possible += 1;
    for (let act = 0; act < law.length; act++)
      if (law[act]! > 0) law[act] = (1 - error) * law[act]! + error / possible;
    const left = this.#left;
    left.set(law);
    const listed: { act: number; probability: number }[] = [];
    for (let i = 0; i < candidates && i < possible; i++) {
      let sum = 0;
      for (const p of left) sum += p;
      for (let act = 0; act < left.length; act++) left[act]! /= sum;
      const act = drawFrom(left, random);
      left[act] = 0;
      listed.push({ act, probability: law[act]! * Math.exp(noise * random.normal()) });
    }
    const total = listed.reduce((sum, { probability }) => sum + probability, 0);
    for (const one of listed) one.probability /= total;
    const drawn =
      draw === 'random'
        ? random.integer(listed.length)
        : drawFrom(
            Float64Array.from(listed, ({ probability }) => probability),
            random,
          );
    return { act: listed[drawn]!.act, probability: null, candidates: listed };
  }

  said(encounter: Encounter, act: number): void {
    this.#base.said(encounter, act);
  }
}
