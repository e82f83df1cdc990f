import type {
  LoopAnswer,
  LoopRequest,
  LoopRun,
  Performer,
  RoundRecord,
  RunEvent,
  RunProgram,
  RunSettings,
} from '../../src/loop/index.ts';
import { ask } from '../../src/loop/run-event.ts';
import { hashText } from '../../src/trajectory/identity.ts';

/** A small run whose every request hangs on the answers before it, so that a wrong answer anywhere shows in its end. */

export const EXAMPLE_STAGE = { kind: 'example', slow: 0 } as const;

export function exampleSettings(seed = 1, rounds = 3): RunSettings {
  return {
    seed,
    rounds,
    members: ['a', 'b', 'c'].map((id) => ({ id, recipe: { kind: 'direct' } })),
    mostMembers: 5,
    steps: 4,
    probe: { contexts: 3, rollouts: 2, audition: 2, replies: 0 },
    acceptance: { delta: 0.1, alpha: 0.05, powerTrials: 0 },
    synthesis: { gaps: 1, paths: 1, adversaries: 1, share: 0.3, raisedShare: 0.6, realismFloor: 0.5 },
    parts: {
      people: true,
      gate: true,
      weights: true,
      gaps: true,
      paths: true,
      adversary: true,
      breaker: true,
      consistency: true,
    },
    exam: { contexts: 4, population: 4, test: 4, people: 4 },
    bars: 'people',
  } as unknown as RunSettings;
}

/** Asks of a round. */
export const ASKS = 4;

export const exampleProgram: RunProgram = (settings) => example(settings) as LoopRun;

function* example(settings: RunSettings): Generator<RunEvent, unknown, LoopAnswer | undefined> {
  const open = yield* ask(0, { kind: 'open', id: 'open' });
  let checkpoint = open.checkpoint;
  let state = hashText(`${settings.seed} ${JSON.stringify(open)}`);
  const told: unknown[] = [];
  const share = 1 / settings.members.length;
  for (let round = 1; round <= settings.rounds; round++) {
    const population = settings.members.map((member) => ({ member, share }));
    const { contexts, rollouts } = settings.probe;
    const each = yield* ask(round, {
      kind: 'probe',
      id: `${round}/each`,
      draw: 'each',
      seed: state,
      checkpoint,
      population,
      contexts,
      rollouts,
    });
    state = hashText(`${state} ${JSON.stringify(each)}`);
    const mixed = yield* ask(round, {
      kind: 'probe',
      id: `${round}/mixture`,
      draw: 'mixture',
      seed: state,
      checkpoint,
      population,
      contexts,
      rollouts,
    });
    const trained = yield* ask(round, {
      kind: 'train',
      id: `${round}/train`,
      round,
      checkpoint,
      population,
      data: { gate: mixed.rows.length % 2 === 0, weights: null, consistency: null },
      steps: settings.steps,
    });
    checkpoint = trained.checkpoint;
    state = hashText(`${state} ${JSON.stringify([mixed, trained])}`);
    const gate = yield* ask(round, {
      kind: 'gate',
      id: `${round}/gate`,
      level: 'green',
      training: 'run',
      reasons: [state],
    });
    told.push({ round, state, checkpoint, steps: settings.steps, gate: gate.acknowledged });
    yield { kind: 'round', record: { round, state, checkpoint } as unknown as RoundRecord };
  }
  return { settings, checkpoint, state, rounds: told };
}

/** Answers by the hash of what is asked; training changes the text of a checkpoint. */
export function examplePerformer(
  watch: { asked?(request: LoopRequest): unknown } = {},
): Performer & { readonly asked: string[] } {
  const asked: string[] = [];
  const row = (request: LoopRequest & { kind: 'probe' }, simulator: string, at: number) => {
    const hash = hashText(`${request.seed} ${request.checkpoint} ${simulator} ${at}`);
    const part = (from: number) => Number.parseInt(hash.slice(from, from + 4), 16);
    return {
      id: hash.slice(0, 8),
      hash,
      context: `c${at}`,
      simulator,
      cell: part(0) % 7,
      outside: part(4) % 9 === 0,
      reward: part(8) / 65_536,
      turns: 2 + (part(12) % 9),
    };
  };
  return {
    asked,
    perform: async (request, { read, keep, round }) => {
      asked.push(request.id);
      await watch.asked?.(request);
      switch (request.kind) {
        case 'open':
          return {
            kind: 'open',
            k: 7,
            space: 'example',
            people: null,
            personas: [],
            checkpoint: await keep('weights 0 \u2028 é'),
            rewardRange: [0, 1],
          };
        case 'probe': {
          const counts = Array.from({ length: request.contexts * request.rollouts }, (_, at) => at);
          return {
            kind: 'probe',
            rows: request.population.flatMap(({ member }) => counts.map((at) => row(request, member.id, at))),
            lost: [{ simulator: request.population[0]!.member.id, reason: 'lost', count: 1 }],
          };
        }
        case 'train': {
          const text = `${await read(request.checkpoint)}\n${round} ${request.steps} ${request.data.gate}`;
          return {
            kind: 'train',
            checkpoint: await keep(text),
            steps: request.steps,
            rows: [],
            lost: [],
            // What JSON cannot hold must not make a resumed run another.
            curve: [{ step: 1, reward: Number.NaN, zeroVariance: -0, entropy: null }],
            episodes: 1,
            turns: 2,
            stopped: null,
          };
        }
        case 'exam':
          return { kind: 'exam', rows: [], turns: 0 };
        case 'gate':
          return { kind: 'gate', acknowledged: true };
      }
    },
    close: async () => {},
  };
}
