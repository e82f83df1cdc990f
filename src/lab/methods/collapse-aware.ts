import {
  evolve,
  type LoopAnswer,
  type LoopRequest,
  type LoopRun,
  type PartSettings,
  type RunEvent,
  type TrainRequest,
} from '../../loop/index.ts';
import { rolloutAdvantages } from '../learning/index.ts';
import type { MemberWorld } from '../simulators/index.ts';
import type { Rollouts } from '../training/rollout.ts';
import { DirectedRun } from './directed.ts';
import { ALL_PARTS, LOOP_FAMILIES, labRunSettings } from './loop-settings.ts';
import { type LoopSpace, sampleRequest, spaceOfPeople, spaceOfRows } from './loop-space.ts';
import { LoopStage } from './loop-stage.ts';
import type { Method, MethodRun, MethodSetup, MethodView, Played } from './method.ts';

/** Steps that a first round may cost beside its training; later ones are known by the one before. */
const FIRST_ROUND = 20;
/** Episodes of a step of training. */
const STEP_EPISODES = 128;

interface Saved {
  readonly answers: readonly LoopAnswer[];
  readonly curve: readonly CurvePoint[];
  readonly directed: unknown;
  readonly over: boolean;
  readonly lastCost: number;
  /** Behaviours that a space without people was fitted on. */
  readonly sample: readonly SampledBehaviour[] | null;
}

interface SampledBehaviour {
  readonly hash: string;
  readonly context: string;
  readonly vector: readonly number[];
}

interface CurvePoint {
  readonly step: number;
  readonly reward: number | null;
  readonly zeroVariance: number | null;
  readonly entropy: null;
  /** What the step was played with. */
  readonly episodes: number;
  readonly turns: number;
}

export interface CollapseAwareOptions {
  readonly id: string;
  readonly title: string;
  readonly without: keyof PartSettings | null;
}

/**
 * The closed loop (src/loop) as a method among the others: the three seen families to begin with, rounds of synthesis and
 * acceptance, each followed by a few steps of training (loop-settings.ts), then training against the population that is in
 * force. Its probes,
 * auditions and exams are episodes like any other: its run ends the earlier by as many.
 */
export function collapseAware({ id, title, without }: CollapseAwareOptions): Method {
  const parts: PartSettings = without === null ? ALL_PARTS : { ...ALL_PARTS, [without]: false };
  return {
    id,
    title,
    model: `the closed loop over the three seen families${without === null ? '' : `, without ${without}`}: members made for modes that are lacking, between others, and to be learned from; accepted by fresh paired probes; gate, weights and consistency on their episodes`,
    usesPeople: parts.people,
    trains: true,
    start: (study) => new CollapseAwareRun(study, parts),
  };
}

class CollapseAwareRun implements MethodRun {
  readonly #study: MethodSetup;
  readonly #parts: PartSettings;
  readonly #setup: MemberWorld;
  readonly #stage: LoopStage;
  readonly #directed: DirectedRun;
  #sample: readonly SampledBehaviour[] | null = null;
  #space: LoopSpace | null = null;
  #run: LoopRun;
  #event: RunEvent | null = null;
  #answers: LoopAnswer[] = [];
  #training: TrainRequest | null = null;
  #curve: CurvePoint[] = [];
  /** The loop asks for no more; training goes on as it was told last. */
  #over = false;
  #lastCost = 0;
  #spent = { episodes: 0, turns: 0 };

  constructor(study: MethodSetup, parts: PartSettings) {
    const { world, seen, verbalized, personaStrength, random, seed } = study;
    this.#study = study;
    this.#parts = parts;
    this.#setup = { world, families: seen, verbalized, personaStrength };
    this.#stage = new LoopStage(this.#setup, seed);
    this.#directed = new DirectedRun(this.#setup, random.fork('directed'));
    this.#run = this.#newRun();
    // Until the loop has said otherwise: those given, each alike.
    const { members } = labRunSettings(seen.slice(0, LOOP_FAMILIES), seed);
    this.#directed.direct(
      members.map((member) => ({ member, share: 1 / members.length })),
      { gate: false, weights: null, consistency: null },
    );
  }

  #newRun(): LoopRun {
    const families = this.#study.seen.slice(0, LOOP_FAMILIES);
    // Nobody reads power and epsilon of a cell: what is measured there is measured alike of all methods.
    const { probe, acceptance, ...base } = labRunSettings(families, this.#study.seed, { parts: this.#parts });
    return evolve({
      ...base,
      probe: { ...probe, replies: 0 },
      acceptance: { ...acceptance, powerTrials: 0 },
    });
  }

  before(step: number, view: MethodView): Played {
    this.#spent = { episodes: 0, turns: 0 };
    if (this.#training !== null && this.#curve.length >= this.#training.steps) this.#answerTraining(step);
    const start = this.#spent.episodes;
    while (!this.#over && this.#training === null) {
      if (this.#event === null) this.#advance(undefined);
      if (this.#event === null) break;
      if (this.#event.kind === 'round') {
        // A round that would leave no episodes for its training is not begun.
        // Nor one after another where training is paused: then a whole round lies behind within this step.
        const cost = Math.max(this.#lastCost, this.#spent.episodes - start);
        if (view.left - this.#spent.episodes < 2 * cost) this.#over = true;
        else this.#advance(undefined);
        continue;
      }
      if (this.#event.kind === 'power') {
        this.#advance(undefined);
        continue;
      }
      const { request } = this.#event;
      if (request.kind === 'train') {
        this.#training = request;
        this.#curve = [];
        this.#directed.forgetRows();
        this.#directed.direct(request.population, request.data);
        break;
      }
      if (request.kind === 'open' && view.left < FIRST_ROUND * STEP_EPISODES * 2) {
        this.#over = true;
        break;
      }
      // Nor is anything asked for that would leave no episodes for the step that is to come.
      if (view.left - this.#spent.episodes - episodesOf(request, view) < STEP_EPISODES) {
        this.#over = true;
        break;
      }
      const answer = this.#answer(request, view);
      if (answer === null) {
        this.#over = true;
        break;
      }
      this.#give(answer);
    }
    if (this.#spent.episodes > start) this.#lastCost = this.#spent.episodes - start;
    if (this.#space === null) this.#openPlain();
    return this.#spent;
  }

  /** There are no episodes for a first round: the step is placed in people's space, and nothing else is done. */
  #openPlain(): void {
    this.#space = this.#spaceOfPeople();
    this.#directed.setModes(this.#space.modes);
  }

  #spaceOfPeople(): LoopSpace {
    const { world, reference, seed, random } = this.#study;
    return spaceOfPeople(world, reference, seed, random.fork('loop/people'));
  }

  #spaceOfSample(sample: readonly SampledBehaviour[]): LoopSpace {
    const rows = sample.map((row) => ({ ...row, vector: Float64Array.from(row.vector) }));
    return spaceOfRows(this.#study.world, rows, this.#study.seed);
  }

  #advance(answer: LoopAnswer | undefined): void {
    const step = this.#run.next(answer);
    this.#event = step.done === true ? null : step.value;
    if (step.done === true) this.#over = true;
  }

  /** Passes over what needs no answer; null at the end of the loop. */
  #toNextRequest(): LoopRequest | null {
    if (this.#event === null) this.#advance(undefined);
    let event = this.#event as RunEvent | null;
    while (event !== null && event.kind !== 'ask') {
      this.#advance(undefined);
      event = this.#event as RunEvent | null;
    }
    return event?.request ?? null;
  }

  #give(answer: LoopAnswer): void {
    this.#answers.push(answer);
    this.#advance(answer);
  }

  /** Null: not to be asked before the end of a table. */
  #answer(request: LoopRequest, view: MethodView): LoopAnswer | null {
    const { stage } = view;
    const policyOf = (checkpoint: string) => (checkpoint === 'base' ? view.base : view.policy);
    switch (request.kind) {
      case 'open':
        return this.#open(view);
      case 'probe': {
        const answer = this.#stage.probe(stage, policyOf(request.checkpoint), request, this.#space!.modes);
        this.#count(
          answer.rows.length + answer.lost.reduce((sum, { count }) => sum + count, 0),
          answer.rows.reduce((sum, { turns }) => sum + turns, 0),
        );
        return answer;
      }
      case 'exam': {
        if (request.panel === 'test' || request.panel === 'people') return null;
        const answer = this.#stage.exam(stage, policyOf(request.checkpoint), request, view.selection);
        this.#count(answer.rows.length, answer.turns);
        return answer;
      }
      case 'gate':
        return { kind: 'gate', acknowledged: true };
      case 'train':
        return null;
    }
  }

  #open({ stage, base }: MethodView): LoopAnswer {
    const { seed, seen } = this.#study;
    if (this.#parts.people) this.#space = this.#spaceOfPeople();
    else {
      const { members } = labRunSettings(seen.slice(0, LOOP_FAMILIES), seed);
      const { rows, turns } = this.#stage.behaviours(stage, base, sampleRequest(members));
      this.#count(rows.length, turns);
      this.#sample = rows.map(({ hash, context, vector }) => ({ hash, context, vector: [...vector] }));
      this.#space = this.#spaceOfSample(this.#sample);
    }
    this.#directed.setModes(this.#space.modes);
    return { kind: 'open', ...this.#space.open, checkpoint: 'base', rewardRange: [0, 1] };
  }

  #count(episodes: number, turns: number): void {
    this.#spent = { episodes: this.#spent.episodes + episodes, turns: this.#spent.turns + turns };
  }

  #answerTraining(step: number): void {
    // A copy: the list goes on growing.
    const rows = [...this.#directed.rows];
    this.#training = null;
    this.#give({
      kind: 'train',
      checkpoint: `step-${step}`,
      steps: this.#curve.length,
      rows,
      lost: [],
      curve: this.#curve.map(({ episodes, turns, ...point }) => point),
      episodes: this.#curve.reduce((sum, { episodes }) => sum + episodes, 0),
      turns: this.#curve.reduce((sum, { turns }) => sum + turns, 0),
      stopped: null,
    });
  }

  cast(step: number, group: number) {
    return this.#directed.cast(step, group);
  }

  population() {
    return this.#directed.population();
  }

  advantages(step: number, rollouts: Rollouts): Float64Array {
    return this.#directed.advantages(step, rollouts);
  }

  learn(step: number, rollouts: Rollouts): null {
    const { groups, zeroVariance } = rolloutAdvantages(rollouts.reward, rollouts.group);
    const rewards = [...rollouts.reward].filter((reward) => !Number.isNaN(reward));
    this.#curve.push({
      step: step + 1,
      reward: rewards.length === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
      zeroVariance: groups === 0 ? null : zeroVariance / groups,
      entropy: null,
      episodes: rollouts.episodes.length,
      turns: rollouts.turns,
    });
    return this.#directed.learn(step, rollouts);
  }

  save(): Saved {
    return {
      answers: this.#answers,
      curve: this.#curve,
      directed: this.#directed.save(),
      over: this.#over,
      lastCost: this.#lastCost,
      sample: this.#sample,
    };
  }

  /** The loop is a function of its answers: given them again, it is where it was. */
  load(state: unknown): void {
    const { answers, curve, directed, over, lastCost, sample } = state as Saved;
    this.#answers = [];
    this.#sample = sample;
    if (answers.length > 0 || over) {
      this.#space = sample === null ? this.#spaceOfPeople() : this.#spaceOfSample(sample);
      this.#directed.setModes(this.#space.modes);
    }
    this.#run = this.#newRun();
    this.#event = null;
    this.#training = null;
    for (const answer of answers) {
      this.#toNextRequest();
      this.#give(answer);
    }
    if (!over) {
      const request = this.#toNextRequest();
      if (request?.kind === 'train') this.#training = request;
    }
    this.#curve = [...curve];
    this.#over = over;
    this.#lastCost = lastCost;
    this.#directed.load(directed);
  }
}

/** What a request will cost; that of a space, known when a run has episodes for a whole round, is not counted. */
function episodesOf(request: LoopRequest, { selection }: MethodView): number {
  switch (request.kind) {
    case 'probe': {
      const { contexts, rollouts, draw, population } = request;
      return contexts * rollouts * (draw === 'each' ? population.length : 1);
    }
    case 'exam':
      return request.contexts * request.dialogues * (request.panel === 'population' ? 1 : selection.length);
    default:
      return 0;
  }
}
