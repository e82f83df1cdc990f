import type {
  ExamRequest,
  LoopAnswer,
  OpenAnswer,
  PerformContext,
  Performer,
  ProbeRequest,
  Stage,
  TrainAnswer,
  TrainRequest,
} from '../../loop/index.ts';
import { seeded } from '../../math/random.ts';
import type { PolicyNetwork } from '../learning/index.ts';
import {
  DirectedRun,
  familyMembers,
  LOOP_FAMILIES,
  type LoopSpace,
  LoopStage,
  type Method,
  sampleRequest,
  spaceOfPeople,
  spaceOfRows,
} from '../methods/index.ts';
import {
  familySimulator,
  type MemberWorld,
  peopleOf,
  peopleSimulator,
  type Simulator,
  withTaste,
} from '../simulators/index.ts';
import { TRAINING, TrainingRun } from '../trainer/index.ts';
import type { World } from '../world/index.ts';
import { type LabStage, readLabStage } from './lab-stage.ts';

/** People of the final exam. */
const PEOPLE = 256;
/** Policies that are kept at hand, by checkpoint. */
const KEPT = 4;

/**
 * Performs a run in a world of the lab: probes and exams are played, training is the lab's GRPO from the checkpoint that a
 * request names. An answer follows from stage and request alone, so that any thread may give it.
 */
export function labPerformer(given: Stage): Performer {
  const { stage, world } = readLabStage(given);
  let lab: LabRun | null = null;
  const opened = (): LabRun => {
    lab ??= new LabRun(stage, world);
    return lab;
  };
  return {
    perform: (request, context) => opened().perform(request, context),
    close: async () => {
      lab = null;
    },
  };
}

class LabRun {
  readonly #stage: LabStage;
  readonly #world: World;
  readonly #directed: DirectedRun;
  readonly #run: TrainingRun;
  readonly #plays: LoopStage;
  readonly #space: LoopSpace;
  /** The policy before training. */
  readonly #start: string;
  readonly #policies = new Map<string, PolicyNetwork>();

  constructor(stage: LabStage, world: World) {
    const { seed, panels } = stage;
    this.#stage = stage;
    this.#world = world;
    const families = panels.seen.slice(0, LOOP_FAMILIES);
    const tasted = families.map((family) => withTaste(family, seed));
    const { verbalized, personaStrength } = TRAINING;
    const setup: MemberWorld = { world, families: tasted, verbalized, personaStrength };
    let directed: DirectedRun | null = null;
    const method: Method = {
      id: 'directed',
      title: 'Directed',
      model: 'as the loop says',
      usesPeople: stage.people,
      trains: true,
      start: ({ random }) => {
        directed = new DirectedRun(setup, random.fork('directed'));
        return directed;
      },
    };
    this.#run = new TrainingRun({
      world,
      method,
      seen: panels.seen,
      selection: panels.selection,
      seed,
      // The loop looks and ends by itself.
      settings: { ...TRAINING, steps: Number.MAX_SAFE_INTEGER, evaluateEvery: Number.MAX_SAFE_INTEGER },
    });
    this.#directed = directed!;
    this.#plays = new LoopStage(setup, seed);
    this.#space = this.#openSpace(families.flatMap(familyMembers));
    this.#directed.setModes(this.#space.modes);
    this.#start = this.#run.save();
  }

  async perform(request: Parameters<Performer['perform']>[0], context: PerformContext): Promise<LoopAnswer> {
    switch (request.kind) {
      case 'open':
        return this.#open(context);
      case 'probe':
        return this.#probe(request, context);
      case 'exam':
        return this.#exam(request, context);
      case 'train':
        return this.#train(request, context);
      case 'gate':
        // Whoever trains here is this performer: it takes no step that it is not asked for.
        return { kind: 'gate', acknowledged: true };
    }
  }

  async #open({ keep }: PerformContext): Promise<OpenAnswer> {
    return {
      kind: 'open',
      ...this.#space.open,
      checkpoint: await keep(this.#start),
      rewardRange: [0, 1],
    };
  }

  async #probe(request: ProbeRequest, context: PerformContext) {
    const policy = await this.#policy(request.checkpoint, context);
    return this.#plays.probe(this.#run.stage, policy, request, this.#space.modes);
  }

  async #exam(request: ExamRequest, context: PerformContext) {
    const policy = await this.#policy(request.checkpoint, context);
    return this.#plays.exam(this.#run.stage, policy, request, this.#panel(request.panel));
  }

  async #train(request: TrainRequest, context: PerformContext): Promise<TrainAnswer> {
    const run = this.#run;
    run.load(await context.read(request.checkpoint));
    this.#directed.direct(request.population, request.data);
    this.#directed.forgetRows();
    const first = run.step;
    while (run.step < first + request.steps && !run.done) {
      context.signal.throwIfAborted();
      run.advance();
      // A training of minutes must hear when it is not wanted any more.
      if ((run.step - first) % 5 === 0) await new Promise((go) => setImmediate(go));
    }
    const curve = run.history.slice(first);
    const { groups, groupSize } = run.plan.settings;
    const diverged = run.diverged;
    return {
      kind: 'train',
      checkpoint: diverged === null ? await context.keep(run.save()) : request.checkpoint,
      steps: curve.length,
      rows: [...this.#directed.rows],
      lost: [],
      curve: curve.map(({ step, reward, zeroVariance, entropy }) => ({
        step,
        reward,
        zeroVariance,
        entropy,
      })),
      episodes: curve.length * groups * groupSize,
      turns: curve.reduce((sum, { turns }) => sum + turns, 0),
      stopped: diverged === null ? null : `diverged at step ${diverged.step}: ${diverged.reason}`,
    };
  }

  #panel(panel: ExamRequest['panel']): readonly Simulator[] {
    const { seed, panels } = this.#stage;
    if (panel === 'population') return [];
    if (panel === 'people')
      return [peopleSimulator(this.#world, peopleOf(this.#world, 'test', PEOPLE, seed))];
    return panels[panel].map((family) => familySimulator(this.#world, withTaste(family, seed)));
  }

  async #policy(checkpoint: string, { read }: PerformContext): Promise<PolicyNetwork> {
    const known = this.#policies.get(checkpoint);
    if (known !== undefined) return known;
    this.#run.load(await read(checkpoint));
    const policy = this.#run.policy.copy();
    this.#policies.set(checkpoint, policy);
    const [oldest] = this.#policies.keys();
    if (this.#policies.size > KEPT && oldest !== undefined) this.#policies.delete(oldest);
    return policy;
  }

  #openSpace(members: ReturnType<typeof familyMembers>): LoopSpace {
    const { seed, people } = this.#stage;
    const { base, reference, stage } = this.#run;
    if (people)
      return spaceOfPeople(this.#world, reference, seed, seeded(`lab/loop-people/${this.#world.id}/${seed}`));
    const { rows } = this.#plays.behaviours(stage, base, sampleRequest(members));
    return spaceOfRows(this.#world, rows, seed);
  }
}
