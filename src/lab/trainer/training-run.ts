import { CollapseAwareError } from '../../errors.ts';
import { type Random, seeded } from '../../math/random.ts';
import {
  Adam,
  decodeCheckpoint,
  encodeCheckpoint,
  Grpo,
  type PolicyNetwork,
  rolloutAdvantages,
} from '../learning/index.ts';
import type { Method, MethodRun } from '../methods/method.ts';
import {
  familySimulator,
  type Person,
  peopleOf,
  peopleSimulator,
  type Simulator,
  type SimulatorFamily,
  withTaste,
} from '../simulators/index.ts';
import { IMITATION, imitate } from '../training/imitation.ts';
import { Stage } from '../training/rollout.ts';
import { updateBatch } from '../training/update-batch.ts';
import type { World } from '../world/index.ts';
import { FRESH, panelMean, scores } from './evaluation.ts';
import type { TrainingSettings } from './training-settings.ts';

export interface StepRecord {
  /** From 1. */
  readonly step: number;
  /** Mean training reward of the step; null where every episode was lost. */
  readonly reward: number | null;
  /** Share of GRPO groups whose rewards are all equal, and of these all at 0 or all at 1. */
  readonly zeroVariance: number;
  readonly allFail: number;
  readonly allPass: number;
  /** Of the policy's acts, nats. */
  readonly entropy: number;
  readonly kl: number;
  readonly gradientNorm: number;
  /** Episodes without a reward. */
  readonly lost: number;
  /** Turns of both sides that were played, those of the method's own episodes before the step included. */
  readonly turns: number;
  /** Of a simulator that learns: its mean reward and the entropy of its acts. */
  readonly simulator: { readonly reward: number; readonly entropy: number } | null;
}

/** A look at the selection panel. */
export interface Look {
  readonly step: number;
  readonly selection: number | null;
  readonly bySimulator: readonly { readonly simulator: string; readonly reward: number | null }[];
}

export interface Divergence {
  readonly step: number;
  readonly side: 'policy' | 'simulator';
  readonly reason: string;
}

interface Saved {
  readonly policy: string;
  readonly method: unknown;
  readonly history: readonly StepRecord[];
  readonly looks: readonly Look[];
  readonly best: { readonly step: number; readonly policy: string };
  readonly diverged: Divergence | null;
  /** Episodes that the method played beside training; absent = none. */
  readonly probed?: number;
}

export interface RunPlan {
  readonly world: World;
  readonly method: Method;
  readonly seen: readonly SimulatorFamily[];
  readonly selection: readonly SimulatorFamily[];
  readonly seed: number;
  readonly settings: TrainingSettings;
}

/**
 * One policy trained by one method in one world. Every number follows from the plan: streams are named after seed,
 * step, group and rollout, so that methods of one seed meet the same settings with the same luck, and a run that was
 * saved and loaded goes on with the same bits.
 */
export class TrainingRun {
  readonly plan: RunPlan;
  /** The policy before training. */
  readonly base: PolicyNetwork;
  readonly stage: Stage;
  readonly reference: readonly Person[];
  readonly history: StepRecord[] = [];
  readonly looks: Look[] = [];
  diverged: Divergence | null = null;
  readonly #random: Random;
  readonly #run: MethodRun;
  readonly #selection: readonly Simulator[];
  #policy: PolicyNetwork;
  #grpo: Grpo;
  #best: { step: number; policy: PolicyNetwork };
  #probed = 0;

  constructor(given: RunPlan) {
    const tasted = (families: readonly SimulatorFamily[]) =>
      families.map((family) => withTaste(family, given.seed));
    const plan = { ...given, seen: tasted(given.seen), selection: tasted(given.selection) };
    const { world, method, seen, seed, settings } = plan;
    this.plan = plan;
    this.#random = seeded(`lab/run/${world.id}/${world.horizon}/${seed}`);
    this.stage = new Stage(world);
    this.reference = peopleOf(world, 'reference', settings.referencePeople, seed);
    this.base = imitate(
      world,
      peopleSimulator(world, this.reference),
      (episode) => world.setting(episode % settings.trainingSettings, seed),
      this.#random.fork('base'),
      { ...IMITATION, hidden: settings.hidden },
    );
    this.#policy = this.base.copy();
    this.#grpo = this.#newGrpo(this.#newAdam());
    this.#run = method.start({
      world,
      seen,
      reference: this.reference,
      seed,
      verbalized: settings.verbalized,
      personaStrength: settings.personaStrength,
      simulatorRate: settings.simulatorRate,
      random: this.#random.fork('method'),
    });
    this.#selection = plan.selection.map((family) => familySimulator(world, family));
    this.#best = { step: 0, policy: this.base };
    this.#look();
  }

  get policy(): PolicyNetwork {
    return this.#policy;
  }

  /** The checkpoint with the highest mean on the selection panel, the earliest of equals. */
  get selected(): { readonly step: number; readonly policy: PolicyNetwork } {
    return this.#best;
  }

  get methodRun(): MethodRun {
    return this.#run;
  }

  get step(): number {
    return this.history.length;
  }

  get done(): boolean {
    const { method } = this.plan;
    return this.diverged !== null || !method.trains || this.#left < 1;
  }

  /** Steps that there are episodes for: what a method played beside training is taken from them. */
  get #left(): number {
    const { steps, groups, groupSize } = this.plan.settings;
    return steps - this.step - this.#probed / (groups * groupSize);
  }

  /** Rollouts of one step and the updates from them. Throws CA_INTERNAL once the run is done. */
  advance(): StepRecord | null {
    if (this.done) throw new CollapseAwareError('CA_INTERNAL', 'a training run goes on after its end');
    const { world, settings, seed } = this.plan;
    const at = this.step;
    const random = this.#random.fork(`step/${at}`);
    const played = this.#run.before?.(at, {
      stage: this.stage,
      policy: this.#policy,
      base: this.base,
      selection: this.#selection,
      left: this.#left * settings.groups * settings.groupSize,
    });
    this.#probed += played?.episodes ?? 0;
    const plans = Array.from({ length: settings.groups }, (_, group) => {
      const index = random.fork(`setting/${group}`).integer(settings.trainingSettings);
      const setting = world.setting(index, seed);
      const simulator = this.#run.cast(at, group);
      return Array.from({ length: settings.groupSize }, (_, rollout) => ({
        setting,
        simulator,
        group,
        random: random.fork(`rollout/${group}/${rollout}`),
      }));
    }).flat();
    const rollouts = this.stage.play(this.#policy, plans);
    const plain = rolloutAdvantages(rollouts.reward, rollouts.group);
    const advantage = this.#run.advantages?.(at, rollouts) ?? plain.advantage;
    const batch = updateBatch(rollouts.agent, advantage);
    if (batch === null) return this.#diverge(at, 'policy', 'no episode of a step has a reward');
    const update = this.#grpo.update(batch, random.fork('update'));
    if (update.status === 'diverged') return this.#diverge(at, 'policy', update.reason);
    const learned = this.#run.learn?.(at, rollouts) ?? null;
    if (learned !== null && learned.update.status === 'diverged')
      return this.#diverge(at, 'simulator', learned.update.reason);
    const groups = groupOutcomes(rollouts.reward, rollouts.group, settings.groups);
    const record: StepRecord = {
      step: at + 1,
      reward: meanOf(rollouts.reward),
      zeroVariance: plain.groups === 0 ? 0 : plain.zeroVariance / plain.groups,
      allFail: groups.allFail,
      allPass: groups.allPass,
      entropy: update.entropy,
      kl: update.kl ?? 0,
      gradientNorm: update.gradientNorm,
      lost: plain.missing,
      turns: rollouts.turns + (played?.turns ?? 0),
      simulator:
        learned === null || learned.update.status === 'diverged'
          ? null
          : { reward: learned.reward, entropy: learned.update.entropy },
    };
    this.history.push(record);
    if (this.step % settings.evaluateEvery === 0 || this.#left < 1) this.#look();
    return record;
  }

  #diverge(step: number, side: 'policy' | 'simulator', reason: string): null {
    this.diverged = { step: step + 1, side, reason };
    return null;
  }

  #look(): void {
    const { seed, settings } = this.plan;
    const panel = scores(
      this.stage,
      this.#policy,
      this.#selection,
      settings.selectionDialogues,
      FRESH,
      seed,
      this.#random.fork('selection'),
    );
    const look = {
      step: this.step,
      selection: panelMean(panel),
      bySimulator: panel.map(({ simulator, reward }) => ({ simulator, reward })),
    };
    const best = this.looks.reduce<number>((top, { selection: s }) => Math.max(top, s ?? -1), -1);
    this.looks.push(look);
    if (look.selection !== null && look.selection > best)
      this.#best = { step: this.step, policy: this.#policy.copy() };
  }

  save(): string {
    const saved: Saved = {
      policy: encodeCheckpoint({ policy: this.#policy, adam: this.#grpo.adam }),
      method: this.#run.save(),
      history: this.history,
      looks: this.looks,
      best: {
        step: this.#best.step,
        policy: encodeCheckpoint({ policy: this.#best.policy, adam: null }),
      },
      diverged: this.diverged,
      ...(this.#probed === 0 ? {} : { probed: this.#probed }),
    };
    return JSON.stringify(saved);
  }

  /** Takes back what `save` gave, of a run of the same plan. */
  load(text: string): void {
    const saved = JSON.parse(text) as Saved;
    const { policy, adam } = decodeCheckpoint(saved.policy);
    this.#policy = policy;
    this.#grpo = this.#newGrpo(adam ?? this.#newAdam());
    this.#run.load(saved.method);
    this.history.splice(0, this.history.length, ...saved.history);
    this.looks.splice(0, this.looks.length, ...saved.looks);
    this.#best = { step: saved.best.step, policy: decodeCheckpoint(saved.best.policy).policy };
    this.diverged = saved.diverged;
    this.#probed = saved.probed ?? 0;
  }

  #newAdam(): Adam {
    return new Adam(this.#policy.parameters.length, { learningRate: this.plan.settings.learningRate });
  }

  #newGrpo(adam: Adam): Grpo {
    return new Grpo(this.#policy, this.base, adam);
  }
}

function meanOf(reward: Float64Array): number | null {
  let sum = 0;
  let n = 0;
  for (const r of reward)
    if (!Number.isNaN(r)) {
      sum += r;
      n += 1;
    }
  return n === 0 ? null : sum / n;
}

/** Shares of groups at 0 throughout and at 1 throughout. */
function groupOutcomes(
  reward: Float64Array,
  group: Int32Array,
  groups: number,
): { allFail: number; allPass: number } {
  const low = new Float64Array(groups).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(groups).fill(Number.NEGATIVE_INFINITY);
  reward.forEach((r, e) => {
    const g = group[e]!;
    if (Number.isNaN(r)) return;
    low[g] = Math.min(low[g]!, r);
    high[g] = Math.max(high[g]!, r);
  });
  let fail = 0;
  let pass = 0;
  for (let g = 0; g < groups; g++) {
    if (high[g] === 0) fail += 1;
    if (low[g] === 1) pass += 1;
  }
  return { allFail: fail / groups, allPass: pass / groups };
}
