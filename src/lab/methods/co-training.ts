import { trainedSimulator } from '../simulators/index.ts';
import type { Method } from './method.ts';
import { SimulatorLearner } from './simulator-learner.ts';
import type { SimulatorGoal } from './simulator-reward.ts';

function coTraining(goal: SimulatorGoal): Method {
  return {
    id: goal === 'curriculum' ? 'co-training' : `co-training-${goal}`,
    title: `Co-Training${goal === 'curriculum' ? '' : ` (${goal})`}`,
    model: `the first seen family, its act logits trained beside the policy by the same GRPO on the ${goal} reward`,
    usesPeople: false,
    trains: true,
    start: ({ world, seen, simulatorRate, random }) => {
      const learner = new SimulatorLearner(world, goal, simulatorRate);
      const live = trainedSimulator(world, seen[0]!, learner.logits, `${seen[0]!.id}-trained`);
      return {
        cast: () => live,
        population: () => [live],
        learn: (step, rollouts) => learner.learn(rollouts, random.fork(`simulator/${step}`)),
        save: () => learner.save(),
        load: (state) => learner.load(state as string),
      };
    },
  };
}

export const coTrainingCurriculum = coTraining('curriculum');
export const coTrainingAdversarial = coTraining('adversarial');
export const coTrainingCooperative = coTraining('cooperative');
