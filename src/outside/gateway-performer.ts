import { randomUUID } from 'node:crypto';
import { Gate, OpenAiEndpoint } from '../endpoint/index.ts';
import { CollapseAwareError } from '../errors.ts';
import {
  drawnByShare,
  type ExamRequest,
  type ExamRow,
  type GateAnswer,
  type GateRequest,
  type LoopAnswer,
  type LoopRequest,
  type OpenAnswer,
  type PerformContext,
  type Performer,
  type ProbeAnswer,
  type ProbeRequest,
  type Stage,
  type TrainAnswer,
  type TrainRequest,
} from '../loop/index.ts';
import { type Figure, missing } from '../metrics/index.ts';

import { type GatewayStage, keyOf, readGatewayStage } from './gateway-stage.ts';
import { checkpointText, type OutsideCheckpoint, readCheckpoint } from './outside-checkpoint.ts';
import type { DialogueTable } from './outside-dialogue.ts';
import { Lost, OutsideSpace } from './outside-space.ts';
import { PatientGateway } from './patient-gateway.ts';
import { type DialoguePlace, playAll } from './played-dialogues.ts';
import { PublishedPopulation } from './published-population.ts';
import type { Scenario } from './scenario.ts';
import { Scorer } from './scorer.ts';
import { policyAt, servedModel } from './served-policy.ts';
import { trainedEpochs, untilEpoch } from './trained-epochs.ts';
import { BY, TrainerHold } from './trainer-hold.ts';

export interface GatewayEdges {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Told what is waited for. */
  readonly say?: (text: string) => void;
}

/** Between two words on how far a probe or an exam is. */
const TELL_MS = 30_000;

const BETWEEN = 'the policy is measured; training goes on with the next round';

/**
 * Performs a run over a trainer that it does not own, through the gateway that the trainer's users are behind. Between
 * rounds the trainer is held, so that it is one policy that is measured; it goes on when it is asked to train. Weights and
 * optimizer are its own: an answer cannot be given anew once it went on.
 * @throws CA_CONFIG_INVALID for another stage; CA_USAGE where a key's variable is not set.
 */
export function gatewayPerformer(given: Stage, edges: GatewayEdges = {}): Performer {
  const stage = readGatewayStage(given);
  const run = new OutsideRun(stage, edges.environment ?? process.env, edges.say ?? (() => {}));
  return { perform: (request, context) => run.perform(request, context), close: () => run.close() };
}

class OutsideRun {
  readonly #stage: GatewayStage;
  readonly #gateway: PatientGateway;
  readonly #agent: OpenAiEndpoint;
  readonly #scorer: Scorer | null;
  readonly #lanes: Gate;
  readonly #hold: TrainerHold;
  readonly #published: PublishedPopulation;
  readonly #say: (text: string) => void;
  #space: Promise<OutsideSpace> | null = null;

  constructor(
    stage: GatewayStage,
    environment: Readonly<Record<string, string | undefined>>,
    say: (text: string) => void,
  ) {
    const { url, adminKeyEnv, agent, limits, scorer } = stage;
    this.#stage = stage;
    this.#say = say;
    this.#gateway = new PatientGateway(url, keyOf(adminKeyEnv, environment), limits.gateway, say);
    this.#agent = new OpenAiEndpoint({
      baseUrl: agent.url,
      model: agent.model,
      environment,
      concurrency: limits.lanes,
      limits: { firstByte: 1000 * limits.agent, total: 1000 * limits.agent },
      ...(agent.keyEnv === null ? {} : { apiKeyEnv: agent.keyEnv }),
    });
    this.#scorer = scorer === null ? null : new Scorer(scorer, environment);
    this.#lanes = new Gate(limits.lanes);
    this.#hold = new TrainerHold(this.#gateway, limits.hold);
    this.#published = new PublishedPopulation(this.#gateway);
  }

  async perform(request: LoopRequest, context: PerformContext): Promise<LoopAnswer> {
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
        return this.#gate(request, context);
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #open({ keep, signal }: PerformContext): Promise<OpenAnswer> {
    const wait = { seconds: this.#stage.limits.space, say: this.#say, signal };
    const space = await this.#spaceNow(signal);
    const opened = await space.open(this.#gateway, wait);
    const { epoch } = await this.#hold.hold(BETWEEN, signal);
    const { reference, personas } = this.#stage;
    return {
      kind: 'open',
      ...opened,
      personas: reference.length === 0 ? personas : await space.personas(reference),
      checkpoint: await keep(
        checkpointText({ epoch, policy: await policyAt(this.#gateway, epoch, signal), space: opened.space }),
      ),
      rewardRange: this.#stage.rewardRange,
    };
  }

  async #train(request: TrainRequest, context: PerformContext): Promise<TrainAnswer> {
    const { signal } = context;
    const { limits } = this.#stage;
    const before = readCheckpoint(await context.read(request.checkpoint));
    const space = await this.#spaceOf(before, signal);
    await this.#published.serve(request.population, signal);
    const target = before.epoch + request.steps;
    const gate = await untilEpoch(this.#gateway, Number.NEGATIVE_INFINITY, limits, this.#say, signal);
    // A run that was killed while it trained comes back to a trainer that may have gone on.
    if (gate.epoch < target) {
      this.#say(`${request.id}: the trainer goes on from epoch ${gate.epoch} to ${target}`);
      await this.#hold.release(signal);
      await untilEpoch(this.#gateway, target, limits, this.#say, signal);
    }
    const { epoch } = await this.#hold.hold(BETWEEN, signal);
    const trained = await trainedEpochs(this.#gateway, before.epoch, epoch, limits, signal);
    const { rows, lost } = await space.place(trained.episodes);
    return {
      kind: 'train',
      checkpoint: await context.keep(
        checkpointText({ epoch, policy: await policyAt(this.#gateway, epoch, signal), space: before.space }),
      ),
      steps: epoch - before.epoch,
      rows,
      lost: [...trained.lost, ...lost],
      curve: trained.curve,
      episodes: trained.sessions,
      turns: trained.turns,
      stopped: null,
    };
  }

  async #probe(request: ProbeRequest, context: PerformContext): Promise<ProbeAnswer> {
    const { signal } = context;
    const { population, contexts, rollouts, draw, seed } = request;
    const at = readCheckpoint(await context.read(request.checkpoint));
    const space = await this.#spaceOf(at, signal);
    const scenarios = firstOf(this.#stage.probes, contexts, 'probes');
    await this.#hold.keep(signal);
    const lost = new Lost();
    const refused = await this.#published.seat(
      population.map(({ member }) => member),
      signal,
    );
    if (refused !== null) {
      const each = contexts * rollouts * (draw === 'each' ? population.length : 1);
      lost.add(
        population.map(({ member }) => member.id).join('+'),
        `the gateway refuses it: ${refused}`,
        each,
      );
      return { kind: 'probe', rows: [], lost: lost.list() };
    }
    const places = scenarios.flatMap((scenario, c) =>
      Array.from({ length: rollouts }, (_, r) => {
        const drawn = draw === 'each' ? population : [drawnByShare(population, `${seed}/${c}/${r}`, 0)];
        return drawn.map(
          ({ member }): DialoguePlace => ({
            name: `${request.id}/${c}/${r}${draw === 'each' ? `/${member.id}` : ''}`,
            member: member.id,
            model: `population/${member.id}`,
            scenario,
            luck: `${seed}/${r}`,
          }),
        );
      }).flat(),
    );
    // Where earlier policies are not served, the present one plays auditions: members are then compared under it.
    const table = await this.#table(
      at,
      (await servedModel(this.#gateway, this.#stage.agent, at, signal)) ?? this.#stage.agent.model,
      signal,
    );
    const played = await playAll(places, table, this.#lanes, this.#under(request.id, places.length, signal));
    for (const { member, reason } of played.lost) lost.add(member, reason);
    const placed = await space.place(played.episodes);
    return {
      kind: 'probe',
      rows: placed.rows,
      lost: [...lost.list(), ...placed.lost],
      ...(request.replies === undefined ? {} : { epsilon: await this.#turnError(signal) }),
    };
  }

  /** Of the sessions of training in the gateway's window, where it draws replies again itself: the population met so far. */
  async #turnError(signal: AbortSignal): Promise<Figure> {
    const { report } = await this.#gateway.ask((client) => client.liveMetrics(), signal);
    if (report === null) return missing('the gateway has no figures yet');
    const { disagreement: _, bracket: __, bounds: ___, ...figure } = report.epsilon.population;
    return figure;
  }

  async #exam(request: ExamRequest, context: PerformContext): Promise<LoopAnswer> {
    const { signal } = context;
    const { panel, population, contexts, dialogues, luck: other } = request;
    const label = other === undefined ? 'exam' : `exam/${other}`;
    const at = readCheckpoint(await context.read(request.checkpoint));
    const model = await servedModel(this.#gateway, this.#stage.agent, at, signal);
    if (panel === 'people' || model === null || contexts === 0) {
      if (contexts > 0)
        this.#say(
          panel === 'people'
            ? 'no exam with people: none are behind a gateway'
            : `no exam with ${panel}: the policy of epoch ${at.epoch} is not served any more`,
        );
      return { kind: 'exam', rows: [], turns: 0 };
    }
    await this.#hold.keep(signal);
    const scenarios = firstOf(this.#stage.exams, contexts, 'exams');
    const members =
      panel === 'population'
        ? []
        : (await this.#gateway.ask((client) => client.population(), signal)).members
            .filter((member) => member.panel === panel)
            .map(({ id }) => id)
            .sort();
    const refused =
      panel === 'population'
        ? await this.#published.seat(
            population.map(({ member }) => member),
            signal,
          )
        : null;
    if (refused !== null) throw new CollapseAwareError('CA_CONFIG_INVALID', refused);
    const places = scenarios.flatMap((scenario, c) =>
      Array.from({ length: dialogues }, (_, d): DialoguePlace[] => {
        const place = (member: string, route: string): DialoguePlace => ({
          name: `${c}/${d}/${member}`,
          member,
          model: `${route}/${member}`,
          scenario,
          luck: `${label}/${d}`,
        });
        return panel === 'population'
          ? [place(drawnByShare(population, `${label}/${c}/${d}`, 0).member.id, 'population')]
          : members.map((member) => place(member, `panel/${panel}`));
      }).flat(),
    );
    const table = await this.#table(at, model, signal);
    const played = await playAll(places, table, this.#lanes, this.#under(request.id, places.length, signal));
    const rows: ExamRow[] = places.map(({ name, member, scenario }) => ({
      context: `exam ${scenario.task}`,
      simulator: member,
      reward: played.byName.get(name)?.reward ?? null,
    }));
    return { kind: 'exam', rows, turns: played.turns };
  }

  /** Red is told to whoever trains. What leads out of it does not let the trainer go yet: the next training does. */
  async #gate({ level, training, reasons }: GateRequest, { signal }: PerformContext): Promise<GateAnswer> {
    const reason = reasons.length === 0 ? `the level is ${level}` : reasons.join('; ');
    const view = await this.#hold.hold(training === 'paused' ? reason : `${reason}; ${BETWEEN}`, signal);
    return {
      kind: 'gate',
      acknowledged: view.training === 'hold' && (view.override?.by === BY || view.override?.level === 'red'),
    };
  }

  /** After each dialogue: the trainer stays held, and now and then it is told how far this is. */
  #under(id: string, of: number, signal: AbortSignal): () => Promise<void> {
    let [done, told] = [0, Date.now()];
    return async () => {
      done += 1;
      if (done < of && Date.now() - told >= TELL_MS) {
        told = Date.now();
        this.#say(`${id}: ${done} of ${of} dialogues`);
      }
      await this.#hold.keep(signal);
    };
  }

  #spaceNow(signal: AbortSignal): Promise<OutsideSpace> {
    const { control, limits } = this.#stage;
    const wait = { seconds: limits.space, say: this.#say, signal };
    this.#space ??= OutsideSpace.of(this.#gateway, control, wait).catch((error: unknown) => {
      this.#space = null;
      throw error;
    });
    return this.#space;
  }

  async #spaceOf(at: OutsideCheckpoint, signal: AbortSignal): Promise<OutsideSpace> {
    const found = await this.#spaceNow(signal);
    if (found.space.id === at.space) return found;
    throw new CollapseAwareError(
      'CA_SPACE_MISMATCH',
      'the gateway has another behaviour space than the run began with',
      { todo: 'start the gateway on the journal that it had (store), or begin the run anew' },
    );
  }

  async #table(at: OutsideCheckpoint, agentModel: string, signal: AbortSignal): Promise<DialogueTable> {
    const { agent: settings, turns, stops } = this.#stage;
    return {
      gateway: this.#gateway,
      agent: this.#agent,
      settings,
      agentModel,
      policy: at.policy,
      scorer: this.#scorer,
      turns,
      stops,
      signal,
      run: `evolve-${randomUUID()}`,
    };
  }
}

function firstOf(
  scenarios: readonly Scenario[],
  count: number,
  what: 'probes' | 'exams',
): readonly Scenario[] {
  if (count <= scenarios.length) return scenarios.slice(0, count);
  throw new CollapseAwareError(
    'CA_CONFIG_INVALID',
    `${count} contexts of ${what} are asked for, and ${scenarios.length} are given`,
    { todo: 'give more contexts, or ask for fewer (--contexts)' },
  );
}
