import type {
  LoopAnswer,
  LoopRequest,
  OpenAnswer,
  Performer,
  ProbeAnswer,
  RunEvent,
  RunSettings,
  RunSummary,
} from '../../src/loop/index.ts';
import { evolve } from '../../src/loop/index.ts';
import { joinParts, partsOf } from '../../src/loop/request-parts.ts';
import { hashOrder } from '../../src/math/index.ts';
import { type Member, readMember } from '../../src/population/index.ts';
import { hashText } from '../../src/trajectory/identity.ts';

/** A world without dialogues: members are laws over modes, and a persona "mode m" shows mode m. Cheap and deterministic. */
export interface FakeWorld {
  readonly k: number;
  readonly people: boolean;
  /** Modes that a family shows by itself. */
  readonly families: Readonly<Record<string, readonly number[]>>;
}

export const WORLD: FakeWorld = {
  k: 8,
  people: true,
  families: { ash: [0, 1], birch: [1, 2], cedar: [0, 3] },
};

export const families = (world: FakeWorld): Member[] =>
  Object.keys(world.families).map((id) => readMember({ id, family: id }));

/** Shares of modes: nine in ten at its own, the rest anywhere. */
function showing(own: readonly number[], k: number): number[] {
  return Array.from({ length: k }, (_, m) => 0.1 / k + (own.includes(m) ? 0.9 / own.length : 0));
}

export function lawOfMember(world: FakeWorld, { family, recipe }: Member): number[] {
  const described = 'persona' in recipe ? recipe.persona : 'text' in recipe ? recipe.text : null;
  const mode = /^mode (\d+)/.exec(described ?? '')?.[1];
  if (recipe.kind === 'interpolate') {
    const [a, b] = [recipe.a, recipe.b].map((part) => lawOfMember(world, part)) as [number[], number[]];
    return a.map((share, m) => (1 - recipe.lambda) * share + recipe.lambda * b[m]!);
  }
  return showing(mode === undefined ? world.families[family!]! : [Number(mode)], world.k);
}

const under = (shares: readonly number[], at: number): number => {
  let left = at;
  for (const [i, share] of shares.entries()) {
    left -= share;
    if (left < 0) return i;
  }
  return shares.length - 1;
};

/** @param rename contexts and ids of rows, as another program would call them */
export function fakePerformer(
  world: FakeWorld = WORLD,
  rename: (name: string) => string = (name) => name,
): Performer {
  const people = (from: number) => ({
    units: Array.from({ length: 96 }, (_, at) => `person ${from + at}`),
    cells: Array.from({ length: 96 }, (_, at) => at % world.k),
    outside: Array.from({ length: 96 }, (_, at) => at % 24 === 23),
  });
  const open: OpenAnswer = {
    kind: 'open',
    k: world.k,
    space: 'fake',
    people: world.people ? { mass: people(0), ceiling: people(96) } : null,
    personas: Array.from({ length: world.k }, (_, mode) => ({
      mode: world.people ? mode : null,
      text: `mode ${mode}`,
      exemplars: [],
    })),
    checkpoint: 'step 0',
    rewardRange: [0, 1],
  };
  const probe = (request: LoopRequest & { kind: 'probe' }): ProbeAnswer => {
    const { population, draw, contexts, rollouts, seed, checkpoint, id, replies = 0 } = request;
    const rows = Array.from({ length: contexts * rollouts }, (_, at) => {
      const place = `${seed}/${at % contexts}/${Math.floor(at / contexts)}`;
      const whom =
        draw === 'each'
          ? population
          : [
              population[
                under(
                  population.map(({ share }) => share),
                  hashOrder(`${place}/who`, 1),
                )
              ]!,
            ];
      return whom.map(({ member }) => {
        const cell = under(lawOfMember(world, member), hashOrder(`${place}/mode`, 2));
        const outside = hashOrder(`${place}/outside`, 3) < 0.05;
        return {
          id: rename(`${id}/${place}/${member.id}`),
          hash: hashText(`${cell} ${outside} ${place} ${member.id} ${checkpoint}`),
          context: rename(`context ${String(at % contexts).padStart(4, '0')}`),
          simulator: member.id,
          cell,
          outside,
          reward: hashOrder(`${place}/reward`, 4) < (cell + 1) / (world.k + 1) ? 1 : 0,
          turns: 6,
        };
      });
    }).flat();
    if (replies === 0) return { kind: 'probe', rows, lost: [] };
    const replied = Array.from({ length: contexts }, (_, at) => ({
      context: rename(`context ${String(at).padStart(4, '0')}`),
      replies: Array.from({ length: replies }, (__, reply) => {
        const place = `${seed}/${at}/again/${reply}`;
        const shares = population.map(({ share }) => share);
        const { member } = population[under(shares, hashOrder(`${place}/who`, 1))]!;
        const kind = under(lawOfMember(world, member), hashOrder(`${place}/mode`, 2));
        return { simulator: member.id, kind };
      }),
    }));
    return { kind: 'probe', rows, lost: [], replied };
  };
  const perform = (request: LoopRequest): LoopAnswer => {
    switch (request.kind) {
      case 'open':
        return open;
      case 'probe':
        return probe(request);
      case 'train': {
        const step = Number(request.checkpoint.split(' ')[1]) + request.steps;
        const curve = Array.from({ length: request.steps }, (_, s) => ({
          step: step - request.steps + s + 1,
          reward: 0.5,
          zeroVariance: 0.25,
          entropy: 1,
        }));
        return {
          ...{ kind: 'train', checkpoint: `step ${step}`, steps: request.steps, rows: [], lost: [], curve },
          ...{ episodes: 8 * request.steps, turns: 48 * request.steps, stopped: null },
        };
      }
      case 'exam': {
        const who = request.panel === 'population' ? ['drawn'] : ['x', 'y', 'z'];
        const skill = Number(request.checkpoint.split(' ')[1]) / 100;
        const rows = Array.from({ length: request.contexts }, (_, c) =>
          who.map((simulator) => ({
            context: rename(`exam ${String(c).padStart(4, '0')}`),
            simulator,
            reward: hashOrder(`${c}/${simulator}`, 5) < 0.3 + skill ? 1 : 0,
          })),
        ).flat();
        return { kind: 'exam', rows, turns: rows.length * 6 };
      }
      case 'gate':
        return { kind: 'gate', acknowledged: true };
    }
  };
  return { perform: async (request) => perform(request), close: async () => {} };
}

export const fakeSettings = (change: Partial<RunSettings> = {}, world: FakeWorld = WORLD): RunSettings => ({
  seed: 1,
  rounds: 2,
  members: families(world),
  mostMembers: 24,
  steps: 5,
  probe: { contexts: 128, rollouts: 3, audition: 20, replies: 0 },
  acceptance: { delta: 0.05, alpha: 0.05, powerTrials: 0 },
  synthesis: { gaps: 8, paths: 2, adversaries: 4, share: 0.9, raisedShare: 0.95, realismFloor: 0.5 },
  parts: {
    ...{ people: true, gate: true, weights: true, gaps: true },
    ...{ paths: true, adversary: true, breaker: true, consistency: true },
  },
  exam: { contexts: 24, population: 2, test: 24, people: 24 },
  bars: 'proposed',
  ...change,
});

export interface Finished {
  readonly summary: RunSummary;
  readonly requests: readonly LoopRequest[];
  readonly events: readonly RunEvent[];
}

/** A whole run, in memory; answers as JSON has them, in parts, as every driver gives them. */
export async function finish(settings: RunSettings, performer: Performer): Promise<Finished> {
  const run = evolve(settings);
  const requests: LoopRequest[] = [];
  const events: RunEvent[] = [];
  const kept = new Map<string, string>();
  let next = run.next();
  while (next.done !== true) {
    events.push(next.value);
    if (next.value.kind !== 'ask') {
      next = run.next();
      continue;
    }
    const { request, round } = next.value;
    requests.push(request);
    const context = {
      read: async (name: string) => kept.get(name)!,
      keep: async (text: string) => {
        const name = hashText(text);
        kept.set(name, text);
        return name;
      },
      signal: new AbortController().signal,
      round,
    };
    const answers: LoopAnswer[] = [];
    for (const part of partsOf(request)) answers.push(await performer.perform(part, context));
    next = run.next(JSON.parse(JSON.stringify(joinParts(request, answers))) as LoopAnswer);
  }
  return { summary: next.value, requests, events };
}
