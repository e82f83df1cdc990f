import { seeded } from '../../src/math/random.ts';
import type {
  LabCurvePoint,
  LabDifference,
  LabFigure,
  LabMethod,
  LabPage,
  LabSign,
  LabTable,
  LabWorld,
} from '../../src/report/lab-payload.ts';

export interface LabOptions {
  readonly worlds?: readonly string[];
  /** How many of `METHODS`, the comparison first. */
  readonly methods?: number;
  readonly seeds?: number;
  /** No run is made yet. */
  readonly hollow?: boolean;
  /** Names and reasons are these. */
  readonly texts?: readonly string[];
  /** Without the method that the others are held against. */
  readonly alone?: boolean;
}

const COMPARISON = 'population-co-training-5';
/** Names as the lab has them; every number of this file is made up. */
const METHODS: readonly (readonly [method: string, title: string, success: number])[] = [
  [COMPARISON, 'Population Co-Training (K = 5)', 0.47],
  ['single', 'One frozen simulator', 0.31],
  ['base', 'Base', 0.22],
  ['persona', 'Persona prompt', 0.35],
  ['ensemble-3', 'Ensemble of three', 0.44],
  ['vs-prob', 'Verbalized Sampling (prob)', 0.45],
  ['vs-random', 'Verbalized Sampling (random)', 0.46],
  ['co-training', 'Co-Training', 0.43],
  ['co-training-adversarial', 'Co-Training (adversarial)', 0.12],
  ['co-training-cooperative', 'Co-Training (cooperative)', 0.2],
  ['population-co-training-1', 'Population Co-Training (K = 1)', 0.42],
  ['population-co-training-3', 'Population Co-Training (K = 3)', 0.45],
  ['population-co-training-10', 'Population Co-Training (K = 10)', 0.46],
  ['domain-randomisation', 'Domain randomisation', 0.4],
  ['human-fitted', 'Simulator fitted to people', 0.53],
  ['curation', 'Curation', 0.51],
  ['curation-no-people', 'Curation without people', 0.49],
];
const FIGURES: LabTable['figures'] = [
  { id: 'heldOut', title: 'held-out', unit: 'reward', better: 'more' },
  { id: 'people', title: 'people', unit: 'reward', better: 'more' },
  { id: 'trainReward', title: 'training reward, last 25 steps', unit: 'reward', better: null },
  { id: 'scdPooled2', title: 'SCD pooled2', unit: 'index', better: 'less' },
  { id: 'bdi', title: 'BDI', unit: 'index', better: 'more' },
  { id: 'realism', title: 'realism', unit: 'share', better: 'more' },
  { id: 'psod', title: 'PSOD', unit: 'reward', better: 'less' },
  { id: 'entropy', title: 'policy entropy, last 25 steps', unit: 'nats', better: null },
  { id: 'turns', title: 'turns played in training', unit: 'count', better: null },
  { id: 'new-one', title: 'a figure that no group names', unit: 'index', better: null },
];
const SIGNS: readonly (readonly [id: string, statement: string, expected: string, value: number])[] = [
  ['collapse-entropy', 'with one simulator the policy loses entropy', 'down', -0.6],
  ['ensemble-over-single', 'three simulators are better than one', 'up', 0.13],
  ['pool-5-over-10', 'a pool of 5 is better than one of 10', 'up', 0.01],
  ['pool-3-over-1', 'a pool of 3 is better than one of 1', 'up', -0.05],
  ['people-single-over-base', 'people gain nothing by one simulator', 'not above', 0.01],
];

/** A table of the lab with made-up numbers. */
export function sampleLab(options: LabOptions = {}): LabPage {
  const { worlds = ['persuasion-10'], seeds = 20, texts } = options;
  const name = (text: string, at: number) => (texts === undefined ? text : texts[at % texts.length]!);
  const all = Array.from({ length: seeds }, (_, at) => at + 1);
  return {
    title: name('Stage zero', 0),
    command: name('collapse-aware lab table --seeds 20 -o table/', 1),
    table: {
      schema: 'collapse-aware/lab-table@1',
      study: {
        version: '0.1.0',
        hash: name('3f9a0c1e77', 2),
        settings: { steps: 250, groups: 16, groupSize: 8, hidden: [32], verbalized: { k: 5, error: 0.1 } },
        panels: {
          seen: [{ id: name('alder', 3), kappa: 0.6, gamma: 4 } as { id: string }],
          selection: [{ id: 'elm', kappa: 0.6, gamma: 4 } as { id: string }],
          test: [{ id: 'ivy', kappa: 0.6, gamma: 4 } as { id: string }],
        },
      },
      comparison: COMPARISON,
      seeds: all,
      figures: FIGURES,
      worlds: worlds.map((world) => labWorld(world, all, options, name)),
    },
    published: {
      source: name('A study of language models', 4),
      columns: ['Persuasion for Good, reward', 'another benchmark, %'],
      rows: [
        { method: 'base', scores: [0.216, 40.4] },
        { method: 'single', scores: [0.275, 46.1] },
        { method: 'persona', scores: [null, 49.2] },
        { method: COMPARISON, scores: [0.508, 62.2] },
      ],
    },
    guessed: {
      source: name('a proposal', 5),
      thresholds: [
        { figure: 'scdPooled2', title: 'SCD', limit: 0.5, better: 'less' },
        { figure: 'bdi', title: 'BDI', limit: 0.8, better: 'more' },
        { figure: 'psod', title: 'PSOD', limit: 0.1, better: 'less' },
      ],
    },
  };
}

type Naming = (text: string, at: number) => string;

function labWorld(world: string, seeds: readonly number[], options: LabOptions, name: Naming): LabWorld {
  const { hollow = false, alone = false, methods = METHODS.length } = options;
  const [id, horizon] = [world.replace(/-\d+$/, ''), Number(world.split('-').at(-1))];
  const shift = seeded(`lab-fixture/${world}`).normal() * 0.05;
  const chosen = METHODS.slice(0, methods).filter(([method]) => !alone || method !== COMPARISON);
  return {
    name: world,
    world: id,
    horizon,
    methods: chosen.map(([method, title, success], at): LabMethod => {
      const random = seeded(`lab-fixture/${world}/${method}`);
      const lost = method === 'co-training-adversarial' && seeds.length > 3 ? [seeds[2]!] : [];
      const n = hollow ? 0 : seeds.length - lost.length;
      const level = success + shift + 0.02 * random.normal();
      const figures = {
        heldOut: labFigure(level, 0.02, n),
        people: labFigure(level * 0.9, 0.025, n),
        trainReward: labFigure(0.7 + 0.1 * random.next(), 0.02, n),
        scdPooled2: labFigure(0.75 - success * 0.6, 0.03, n),
        bdi: labFigure(0.35 + success * 0.7, 0.03, n),
        realism: labFigure(0.9, 0.01, n),
        psod: labFigure(0.4 - success * 0.6, 0.03, n),
        entropy: labFigure(0.4 + success, 0.05, n),
        turns: labFigure(318_000 + 4000 * random.normal(), 900, n),
        'new-one': at === 0 ? noFigure(name('it has no text to look at', 6), seeds) : labFigure(0.5, 0.1, n),
      };
      return {
        method,
        title: name(title, at),
        seeds: {
          done: hollow ? [] : seeds.filter((seed) => !lost.includes(seed)),
          diverged: hollow
            ? []
            : lost.map((seed) => ({ seed, step: 131, side: 'policy', reason: name('NaN in the loss', 7) })),
          missing: hollow ? seeds : [],
        },
        figures,
        differences:
          method === COMPARISON || alone
            ? {}
            : Object.fromEntries(
                FIGURES.map(({ id: figure }) => [
                  figure,
                  figure === 'heldOut'
                    ? labDifference(success - METHODS[0]![2], 0.021, n)
                    : labDifference(0, 0.03, n),
                ]),
              ),
        curves: {
          every: 5,
          trainReward: hollow ? [] : curve(n, 5, (t) => 0.2 + 0.55 * t, random),
          selection: hollow ? [] : curve(n, 25, (t) => 0.2 + (success - 0.2) * Math.min(1, 2 * t), random),
          entropy: hollow ? [] : curve(n, 5, (t) => 1.9 - (1.5 - success) * t, random),
          zeroVariance: hollow ? [] : curve(n, 5, (t) => 0.55 + (0.35 - success / 3) * t, random),
          simulatorReward:
            hollow || !method.includes('co-training') ? [] : curve(n, 5, (t) => 0.3 + 0.3 * t, random),
        },
      };
    }),
    signs: SIGNS.map(([sign, statement, expected, value]): LabSign => {
      const figure = labFigure(value, 0.03, hollow ? 0 : seeds.length);
      return {
        id: sign,
        statement: name(statement, sign.length),
        source: 'A study of language models',
        expected,
        verdict: verdictOf(expected, figure),
        figure,
      };
    }),
  };
}

function verdictOf(expected: string, { low, high }: LabFigure): LabSign['verdict'] {
  if (low === null || high === null) return null;
  if (expected === 'not above') return high < 0.05 ? 'seen' : 'not seen';
  if (low <= 0 && high >= 0) return 'not seen';
  return low > 0 === (expected === 'up') ? 'seen' : 'opposite';
}

function labFigure(value: number, half: number, n: number): LabFigure {
  if (n === 0) return noFigure('no seed has a value', []);
  const method = `t-seed(n=${n})`;
  if (n < 3) return { value, low: null, high: null, n, method, reason: 'fewer than 3 seeds', nulls: [] };
  return { value, low: value - half, high: value + half, n, method, detectable: half * 1.45, nulls: [] };
}

function noFigure(reason: string, seeds: readonly number[]): LabFigure {
  const nulls = seeds.length === 0 ? [] : [{ reason, seeds }];
  return { value: null, low: null, high: null, n: 0, method: 'none', reason, nulls };
}

function labDifference(value: number, half: number, n: number): LabDifference {
  const { nulls: _, ...figure } = labFigure(value, half, n);
  if (n < 3) return { ...figure, p: null, pHolm: null };
  const p = Math.exp(-3 * (Math.abs(value) / half) ** 2);
  return { ...figure, p, pHolm: Math.min(1, p * 16) };
}

function curve(
  n: number,
  every: number,
  of: (t: number) => number,
  random: { normal(): number },
): LabCurvePoint[] {
  return Array.from({ length: 250 / every }, (_, at) => {
    const value = of((at + 1) / (250 / every)) + 0.01 * random.normal();
    const half = n < 3 ? null : 0.03;
    return {
      step: (at + 1) * every,
      value,
      low: half === null ? null : value - half,
      high: half === null ? null : value + half,
      n,
    };
  });
}
