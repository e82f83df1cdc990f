import type { MeasuredRun } from '../../../src/lab/measure/index.ts';
import { methodOf } from '../../../src/lab/methods/index.ts';
import { DEFAULT_FAMILIES, familySimulator, type Simulator } from '../../../src/lab/simulators/index.ts';
import { TrainingRun, trainingSettings } from '../../../src/lab/trainer/index.ts';
import { persuasion } from '../../../src/lab/worlds/persuasion/index.ts';

export const world = persuasion(10);
export const family = DEFAULT_FAMILIES.seen[0]!;
const run = new TrainingRun({
  world,
  method: methodOf('base'),
  seen: DEFAULT_FAMILIES.seen,
  selection: DEFAULT_FAMILIES.selection,
  seed: 1,
  settings: trainingSettings({ referencePeople: 80 }),
});

/** Whom the base policy of a run meets. */
export const meeting = (population: readonly Simulator[], seed = 1): MeasuredRun => ({
  stage: run.stage,
  policy: run.base,
  population,
  seed,
  method: 'test',
  checkpoint: 'base',
});

/** Whatever is said, the same act and the same few words. */
export const oneAct: Simulator = {
  id: 'one-act',
  family: 'one-act',
  kind: 'scripted',
  recipe: 'always the same',
  open: (random) => {
    const session = familySimulator(world, family, { gamma: 50 }).open(random);
    return {
      users: session.users,
      voice: world.types[0]!.traits,
      breadth: 0.01,
      person: null,
      law(encounter, into) {
        session.law(encounter, into);
        // Acts that are possible differ from phase to phase: the first possible one.
        const first = into.findIndex((p) => p > 0);
        into.fill(0);
        into[first] = 1;
        return true;
      },
      reply(encounter) {
        const law = new Float64Array(world.userActs.length);
        this.law(encounter, law);
        return { act: law.indexOf(1), probability: 1 };
      },
      said: () => {},
    };
  },
};
