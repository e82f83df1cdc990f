import { Pool } from '../../population/index.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../learning/index.ts';
import { type Simulator, trainedSimulator } from '../simulators/index.ts';
import type { Method } from './method.ts';
import { SimulatorLearner } from './simulator-learner.ts';

const EVERY = 4;

interface Saved {
  readonly learner: string;
  readonly checkpoints: readonly (readonly [string, string])[];
}

/**
 * Population Co-Training: policies play checkpoints of the simulator, drawn uniformly for each group from the newest
 * `size`, one taken every 4 steps. The live simulator learns from what its checkpoints played.
 */
export function populationCoTraining(size: number): Method {
  return {
    id: `population-co-training-${size}`,
    title: `Population Co-Training (K = ${size})`,
    model: `co-training with the curriculum reward; every group has one of the newest ${size} checkpoints of the simulator, first in, first out, one every ${EVERY} steps`,
    usesPeople: false,
    trains: true,
    start: ({ world, seen, simulatorRate, random }) => {
      const family = seen[0]!;
      const learner = new SimulatorLearner(world, 'curriculum', simulatorRate);
      const members = new Map<string, Simulator>();
      const texts = new Map<string, string>();
      let pool = new Pool({ size, every: EVERY });
      const keep = (name: string, text: string) => {
        pool = pool.push(name);
        const { policy } = decodeCheckpoint(text);
        members.set(name, trainedSimulator(world, family, policy, `${family.id}-${name}`));
        texts.set(name, text);
        for (const old of [...members.keys()])
          if (!pool.checkpoints.includes(old)) {
            members.delete(old);
            texts.delete(old);
          }
      };
      const snapshot = (name: string) => keep(name, encodeCheckpoint({ policy: learner.logits, adam: null }));
      snapshot('step-0');
      return {
        cast: (step, group) => members.get(pool.draw(random.fork(`pool/${step}/${group}`)))!,
        population: () => pool.checkpoints.map((name) => members.get(name)!),
        learn: (step, rollouts) => {
          const update = learner.learn(rollouts, random.fork(`simulator/${step}`));
          if (pool.due(step + 1)) snapshot(`step-${step + 1}`);
          return update;
        },
        save: (): Saved => ({
          learner: learner.save(),
          checkpoints: pool.checkpoints.map((name) => [name, texts.get(name)!] as const),
        }),
        load: (state) => {
          const saved = state as Saved;
          learner.load(saved.learner);
          pool = new Pool({ size, every: EVERY });
          members.clear();
          texts.clear();
          for (const [name, text] of saved.checkpoints) keep(name, text);
        },
      };
    },
  };
}
