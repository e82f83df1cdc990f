import type { BreakerLevel } from '../../../src/diagnosis/index.ts';
import { breakerActions } from '../../../src/diagnosis/index.ts';
import type {
  EvolveReply,
  GateView,
  LooksView,
  MapView,
  MemberView,
  MetricsView,
  PopulationView,
  SessionSummary,
  SessionView,
  StatusView,
} from '../../../src/gateway/api/control.ts';
import type { Look, TrainingFigures } from '../../../src/gateway/live/live.ts';
import { seeded } from '../../../src/math/index.ts';
import { type Epsilon, missing } from '../../../src/metrics/index.ts';
import { type EvolvePage, evolveView } from '../../../src/report/index.ts';
import { measured, samplePage } from '../../report/page-fixture.ts';
import { fakeDialogue, fakeSession } from './fake-sessions.ts';

export interface FakeOptions {
  readonly sessions?: number;
  readonly epochs?: number;
  readonly level?: BreakerLevel;
  /** Texts that stand in for names, notes and what is said. */
  readonly texts?: readonly string[];
  /** The run of the loop that was sent last. */
  readonly run?: EvolvePage;
}

export interface FakeData {
  readonly status: StatusView;
  readonly population: PopulationView;
  readonly metrics: MetricsView;
  readonly looks: LooksView;
  readonly map: MapView;
  readonly gate: GateView;
  readonly evolve: EvolveReply;
  readonly sessions: readonly SessionSummary[];
  session(id: string): SessionView | null;
}

export const STARTED = Date.UTC(2026, 0, 15, 8, 0, 0);
const EPOCH_MS = 11 * 60_000;

const MEMBERS: readonly (readonly [string, MemberView['panel'], string, string | null, boolean])[] = [
  ['gpt-4.1-mini / direct', 'seen', 'direct', 'gpt-4.1-mini', false],
  ['gpt-4.1 / persona', 'seen', 'persona from a bank of 64', 'gpt-4.1', false],
  ['llama-3.1-70b / direct', 'seen', 'direct', 'llama-3.1-70b-instruct', false],
  ['qwen-2.5-72b / verbalized', 'seen', 'verbalized, standard, k = 5, tail 0.2', 'qwen-2.5-72b', true],
  ['checkpoints of the user model', 'seen', 'pool of 10 checkpoints', 'user-7b', true],
  ['claude-haiku / persona', 'selection', 'persona from a bank of 64', 'claude-haiku', false],
  ['scripted shoppers', 'selection', 'scripted', null, false],
  ['mixtral-8x22b / direct', 'test', 'direct', 'mixtral-8x22b', false],
];

/** Numbers as a gateway has them after a morning of training: collapse grows until red. */
export function fakeData(options: FakeOptions = {}): FakeData {
  const { sessions: n = 400, epochs = 14, texts } = options;
  const level = options.level ?? (epochs === 0 ? 'green' : 'red');
  const word = (plain: string) =>
    texts === undefined ? plain : (texts[plain.length % texts.length] ?? plain);
  const now = STARTED + EPOCH_MS * (epochs + 1);
  const names = MEMBERS.map(([id]) => word(id));
  const members = MEMBERS.map(([id, panel, recipe, model, antiCollapse], at) =>
    member(
      at,
      {
        id: texts === undefined ? id : `${word(id)} ${at}`,
        panel,
        recipe: word(recipe),
        model,
        antiCollapse,
      },
      n,
    ),
  );
  const looks = withProbe(looksOf(epochs, level, word), word);
  const page = samplePage({
    epochs,
    names: members.slice(0, 5).map(({ id }) => id),
    ...(texts === undefined ? {} : { texts }),
  });
  const last = looks.at(-1);
  const list = Array.from({ length: n }, (_, at) => fakeSession(n - 1 - at, now, members, epochs, word));
  return {
    status: {
      version: '0.1.0',
      startedAt: STARTED,
      now,
      sessions: { open: Math.min(n, 24), closed: Math.max(0, n - 24), orphans: Math.min(n, 3) },
      recorder: { records: n * 9, bytes: n * 21_400, unrecorded: 0, failing: null },
      probes: {
        asked: n * 2,
        done: Math.round(n * 1.8),
        failedReplies: n === 0 ? 0 : 9,
        dropped: n === 0 ? {} : { 'clients first': 61, 'queue full': 12, budget: 4 },
        promptTokens: n * 5200,
        completionTokens: n * 410,
      },
      requests: { running: n === 0 ? 0 : 17, held: level === 'red' ? 8 : 0 },
      level,
      notes: n === 0 ? [] : [word('1 member rests after 5 failures in a row: llama-3.1-70b / direct')],
    },
    population: { draw: 'weighted', level, members, population: {} },
    metrics: {
      report: epochs === 0 ? null : { ...page.report, epsilon: errors() },
      reason: epochs === 0 ? 'no space yet: 0 of the 60 sessions that it is fitted on are closed' : null,
      training: epochs === 0 ? null : trainingOf(looks),
      window: { epochs: looks.slice(-4).map(({ epoch }) => epoch), sessions: Math.min(n, 1024) },
      epsilon: epochs === 0 ? null : tables(names),
      varianceSplit: {
        simulator: missing('no nested session is closed'),
        agent: missing('no nested session is closed'),
      },
      asOf: epochs === 0 ? null : now - 4000,
    },
    looks: {
      looks,
      bars: { yellow: 0.7, red: 0.85 },
      steered:
        last === undefined
          ? []
          : [
              {
                at: last.at - 5 * EPOCH_MS - 1000,
                level: 'green',
                notes: [word('Ada set green until the judge is mended: the judge failed')],
              },
            ],
    },
    map: epochs === 0 ? null : { map: page.map, modes: page.modes },
    evolve: {
      schema: 'collapse-aware/gateway-evolve@1',
      updatedAt: options.run === undefined ? null : now - 90_000,
      run: options.run === undefined ? null : evolveView(options.run),
    },
    gate: {
      schema: 'collapse-aware/gate@1',
      training: level === 'red' || level === 'half-open' ? 'hold' : 'go',
      level,
      rules: level,
      step: last?.epoch ?? null,
      since: {
        step: last === undefined ? null : Math.max(0, last.epoch - 1),
        at: new Date(last === undefined ? STARTED : last.at - EPOCH_MS).toISOString(),
      },
      reasons: last?.notes ?? [],
      figures: null,
      actions: breakerActions(level),
      updated: new Date(now).toISOString(),
      override: null,
      epoch: epochs,
      psod: {
        due: epochs > 0,
        lastEpoch: epochs > 0 ? epochs - 3 : null,
        every: 2,
        contexts: [],
        contextsEpoch: null,
      },
      checkpointsDue: [],
      revision: 1,
    },
    sessions: list,
    session: (id) => {
      const found = list.find((one) => one.id === id);
      return found === undefined ? null : fakeDialogue(found, members, word, texts);
    },
  };
}

function member(
  at: number,
  facts: Pick<MemberView, 'id' | 'panel' | 'recipe' | 'model' | 'antiCollapse'>,
  n: number,
): MemberView {
  const share = facts.panel === 'seen' ? [0.12, 0.18, 0, 0.35, 0.35][at]! : facts.panel === 'test' ? 1 : 0.5;
  const sessions = Math.round((n * (8 - at)) / 36);
  return {
    ...facts,
    family: facts.model?.split('-')[0] ?? 'scripted',
    fingerprint: `${(0x9e3779b97f4a + at * 0x1234567).toString(16)}c0ffee00d15ea5e${at}`,
    upstream: facts.model === null ? null : at % 2 === 0 ? 'openai' : 'local-vllm',
    weight: [1, 1.5, 1, 2, 2, 1, 1, 1][at]!,
    share,
    state: at === 2 ? 'resting' : at === 5 ? 'probing' : 'up',
    sessions,
    turns: sessions * 7,
    failures: at === 2 ? 41 : at,
    fallbacks: at === 3 ? 18 : 0,
    promptTokens: sessions * 9100,
    completionTokens: facts.model === null ? 0 : sessions * 640,
    probeTokens:
      facts.model === null
        ? { prompt: 0, completion: 0 }
        : { prompt: sessions * 1200, completion: sessions * 90 },
    unmetered: at === 4 ? 12 : 0,
    costIsLow: at === 4,
    cost: at % 2 === 0 && facts.model !== null ? sessions * 0.0041 : null,
    mci:
      at === 6 || n === 0
        ? null
        : at === 7
          ? missing('fewer than 2 contexts', 3)
          : measured(0.2 + 0.06 * (5 - at), 0.04, sessions),
  };
}

function looksOf(epochs: number, level: BreakerLevel, word: (plain: string) => string): readonly Look[] {
  const random = seeded('looks');
  return Array.from({ length: epochs }, (_, epoch): Look => {
    const far = epochs === 1 ? 1 : epoch / (epochs - 1);
    const scd = 0.38 + 0.52 * far + 0.02 * random.normal();
    const last = epoch === epochs - 1;
    const at: BreakerLevel = last ? level : far > 0.92 ? 'red' : far > 0.6 ? 'yellow' : 'green';
    const before =
      epoch === 0
        ? 'green'
        : (epoch - 1) / (epochs - 1) > 0.92
          ? 'red'
          : (epoch - 1) / (epochs - 1) > 0.6
            ? 'yellow'
            : 'green';
    return {
      epoch,
      at: STARTED + EPOCH_MS * (epoch + 1),
      n: 256,
      scd2: measured(scd, 0.06, 256),
      scd: measured(scd - 0.08, 0.05, 256),
      bdi: measured(0.82 - 0.4 * far, 0.08, 256),
      psod:
        epoch % 2 === 0 ? measured(0.05 + 0.2 * far, 0.06, 128) : missing('no panel session in this epoch'),
      psodRise: epoch % 2 === 0 ? measured(0.26 * far, 0.06, 128) : missing('no panel session in this epoch'),
      zeroVariance: measured(0.22 + 0.3 * far, 0.05, 32),
      epsilonMember:
        epoch < 2 ? missing('fewer than 50 probed histories') : measured(0.34 - 0.22 * far, 0.04, 90),
      level: at,
      notes:
        at === before && !last
          ? epoch === 2
            ? [word('PSOD is not measured: no panel session in this epoch: no look')]
            : []
          : [
              word(
                `${before} -> ${at}: SCD2 ${scd.toFixed(3)} [${(scd - 0.06).toFixed(3)}, ${(scd + 0.06).toFixed(3)}], n 256: lower bound ${(scd - 0.08).toFixed(3)} at level 0.0036, look ${epoch + 1}, above ${at === 'red' ? 0.85 : 0.7}`,
              ),
            ],
    };
  });
}

/** At red a round of probe sessions is looked at beside the epoch's own. */
function withProbe(looks: readonly Look[], word: (plain: string) => string): readonly Look[] {
  const last = looks.at(-1);
  if (last === undefined) return looks;
  const probe: Look = {
    ...last,
    at: last.at - 60_000,
    n: 64,
    scd2: measured(0.61, 0.09, 64),
    notes: [word('SCD2 0.610 [0.520, 0.700], n 64, of a probe round: not clean')],
    probe: true,
  };
  return [...looks.slice(0, -1), probe, last];
}

function trainingOf(looks: readonly Look[]): TrainingFigures {
  const { scd2, scd, n } = looks.findLast(({ probe }) => probe !== true)!;
  return { scd2, scd, mci: { simulator: MEMBERS[0]![0], figure: measured(0.5, 0.05, 60) }, leftOut: [], n };
}

function errorsOf(value: number, law: Epsilon['law']): Epsilon {
  return {
    law,
    disagreement: measured(value * 1.3, 0.03, 420),
    epsilon: measured(value, 0.03, 420),
    bracket: { plugIn: measured(value - 0.03, 0.03, 420), leaveOneOut: measured(value, 0.03, 420) },
    bounds: { low: measured(value * 0.6, 0.03, 420), high: measured(value * 1.3, 0.03, 420) },
    histories: 420,
  };
}

function errors() {
  const one = (value: number, law: Epsilon['law']) => {
    const { epsilon, disagreement, bracket, bounds } = errorsOf(value, law);
    return { ...epsilon, disagreement, bracket, bounds };
  };
  return { member: one(0.13, 'member'), population: one(0.41, 'population') };
}

function tables(names: readonly string[]): NonNullable<MetricsView['epsilon']> {
  return {
    byMember: names.slice(0, 5).map((simulator, at) => ({
      simulator,
      member: errorsOf(0.08 + 0.07 * at, 'member'),
      population: null,
    })),
    byDepth: Array.from({ length: 6 }, (_, depth) => ({
      depth,
      member: errorsOf(0.32 - 0.04 * depth, 'member'),
      population: depth === 0 ? errorsOf(0.55, 'population') : null,
    })),
  };
}
