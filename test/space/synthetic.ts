import type { Behaviour, EpisodeFacts } from '../../src/embedding/behaviour.ts';
import { type Random, seeded } from '../../src/math/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';

export const DIMENSION = 12;
export const FEATURES = ['length', 'questions', 'politeness', 'refusal', 'echo', 'repeat'];
export const EMBEDDER = { id: 'synthetic', dimension: DIMENSION, model: { made: 'up' } };

export interface Law {
  readonly simulators: readonly string[];
  readonly contexts: number;
  readonly perCell: number;
  /** Mode of an episode, from 0; each mode has its own place in both blocks. */
  readonly mode?: (simulator: string, random: Random) => number;
  /** Size of the context's effect beside modes 1 apart and noise. */
  readonly topic?: number;
  readonly noise?: number;
  readonly person?: (simulator: string, context: number, copy: number) => string | null;
  readonly kind?: EpisodeFacts['kind'];
  readonly contextName?: (context: number) => string;
  readonly seed?: number;
  readonly modes?: number;
  readonly missing?: number;
}

/** Episodes with planted modes and planted context effects. */
export function episodes(law: Law): Behaviour[] {
  const { modes = 4, topic = 0, noise = 0.15, seed = 0, missing = 0 } = law;
  const world = seeded('world');
  const place = (label: string, n: number) => {
    const stream = world.fork(label);
    return Float64Array.from({ length: n }, () => stream.normal());
  };
  const out: Behaviour[] = [];
  for (const simulator of law.simulators)
    for (let context = 0; context < law.contexts; context++)
      for (let copy = 0; copy < law.perCell; copy++) {
        const random = seeded(`${seed}/${simulator}/${context}/${copy}`);
        const mode = law.mode?.(simulator, random) ?? random.integer(modes);
        const semantic = new Float32Array(DIMENSION);
        const [m, c] = [place(`m${mode}`, DIMENSION), place(`c${context}`, DIMENSION)];
        for (let j = 0; j < DIMENSION; j++) semantic[j] = m[j]! + topic * c[j]! + noise * random.normal();
        const features = place(`f${mode}`, FEATURES.length);
        const interaction = features.map((value) =>
          random.next() < missing ? Number.NaN : value + noise * random.normal(),
        );
        const turnCount = 2 + random.integer(3);
        const turns = Float32Array.from({ length: turnCount * DIMENSION }, () => random.normal());
        const policyTurns = Float32Array.from({ length: 2 * DIMENSION }, () => random.normal());
        const person = law.person?.(simulator, context, copy) ?? null;
        out.push({
          facts: {
            hash: hashText(JSON.stringify([[...semantic], [...turns]])),
            id: `${simulator}-${context}-${copy}`,
            context: law.contextName?.(context) ?? `ctx-${context}`,
            contextFrom: 'scenario',
            contextLabel: String(context),
            person,
            simulator,
            kind: law.kind ?? 'llm',
            policy: 'agent',
            checkpoint: null,
            epoch: null,
            group: null,
            split: null,
            reward: random.next() < 0.5 ? 0 : 1,
            acts: null,
            excerpt: `mode ${mode} of ${context}/${copy}`,
          },
          semantic,
          turns,
          interaction,
          policyTurns,
        });
      }
  return out;
}

export function withFacts(behaviour: Behaviour, facts: Partial<EpisodeFacts>): Behaviour {
  return { ...behaviour, facts: { ...behaviour.facts, ...facts } };
}
