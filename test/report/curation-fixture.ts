import {
  type BeforeAfter,
  type ChangedFigure,
  CURATION_SCHEMA,
  type CurationManifest,
  type CurationPage,
  type ModeAccount,
  type SimulatorAccount,
} from '../../src/curation/manifest.ts';
import { seeded } from '../../src/math/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';
import { CHECKS, checkCounts, droppedExamples } from './curation-gate-fixture.ts';
import { BATCH_SIZE, sampleRecipe } from './curation-recipe-fixture.ts';
import { WAYS } from './dialogues.ts';

export interface CurationOptions {
  readonly people?: boolean;
  readonly weights?: boolean;
  readonly batches?: boolean;
  readonly judge?: boolean;
  readonly selection?: boolean;
  readonly modes?: number;
  readonly verdict?: BeforeAfter['verdict'];
  /** Nothing could be measured. */
  readonly hollow?: boolean;
  /** Texts that stand in for names, labels, reasons and evidence. */
  readonly texts?: readonly string[];
}

const SIMULATORS = [
  'gpt-4.1-mini / direct',
  'gpt-4.1 / persona',
  'llama-3.1-70b-instruct / direct',
  'qwen-2.5-72b / verbalized sampling',
  'population v3 (mixture of 5)',
];
const READ = 4820;
const HEADLINES: Record<BeforeAfter['verdict'], string> = {
  improved:
    "The batches hold 71 % of people's own diversity where the rows read held 58 %, and simulators play less alike: SCD2 fell from 0.47 to 0.36, realism held.",
  unchanged: 'No figure moved by more than its interval: weights and batches follow the rows that were read.',
  'limited-by-data':
    'These rows cannot give more: no subset of 2,944 gated rows in a search of 400 reached a lower SCD2 with equal realism.',
  'not-judged': 'Nothing can be judged: one context was read, and two are the least.',
};

/** A curation with believable numbers: 4,820 rows of five simulators, a third of them out of the batches. */
export function sampleCuration(options: CurationOptions = {}): CurationPage {
  const { texts } = options;
  const name = (text: string, at: number) => (texts === undefined ? text : texts[at % texts.length]!);
  return {
    title: name('Persuasion, rollouts of epoch 12', 0),
    manifest: manifest(options, name),
    dropped: options.hollow === true ? [] : droppedExamples(name),
  };
}

function manifest(options: CurationOptions, name: Naming): CurationManifest {
  const { people = true, weights = true, batches = true, judge = false, hollow = false } = options;
  const { selection = false, verdict = hollow ? 'not-judged' : 'improved' } = options;
  const gate = checkCounts(name);
  const gated = READ - 12 - (hollow ? 0 : gate.reduce((sum, { dropped }) => sum + dropped, 0));
  const selected = selection ? gated - 611 : gated;
  const trained = batches ? 23 * BATCH_SIZE : selected;
  const modes = modeAccounts(options, name);
  return {
    schema: CURATION_SCHEMA,
    version: '0.1.0',
    headline: name(HEADLINES[verdict], 1),
    inputs: ['epoch-12/rollouts-0.jsonl', 'epoch-12/rollouts-1.jsonl'].map((path, at) => ({
      path: name(path, at + 2),
      format: 'trl',
      bytes: at === 1 && hollow ? null : 48_112_004 + at * 7_341,
      sha256: at === 1 && hollow ? null : digest(`input${at}`),
      rows: READ / 2,
      kept: READ / 2 - 6,
      error: null,
    })),
    reference: people
      ? [
          {
            path: name('people/dialogues.csv', 3),
            format: 'p4g',
            bytes: 9_204_113,
            sha256: digest('people'),
            rows: 1017,
            kept: 1012,
            error: null,
          },
        ]
      : null,
    sharedWithReference: 0,
    recipe: sampleRecipe(options),
    space: {
      id: 'sp-7f31c09ad2',
      k: modes.length,
      embedder: 'lsa(384) + interaction(61)',
      fittedOn: people ? 'people' : 'sample',
      control: 'context',
      controlReason: name('96 % of rows have a context that two simulators share', 4),
      unit: 'context',
    },
    funnel: funnel(options, name, gated, selected, trained),
    gated: { rows: gated, contents: gated - 57, groups: 640, lone: 9, ungrouped: 0 },
    gate: hollow ? null : gate,
    judge: judge
      ? {
          model: name('qwen3-32b-instruct', 1),
          rows: 4512,
          votes: 27_048,
          invalid: 37,
          unchecked: 12,
        }
      : null,
    concentration: batches ? 'batches' : weights ? 'weights' : 'none',
    weights: weights
      ? {
          n: selected,
          concentration: batches ? 'batches' : 'weights',
          kappa: 0.83,
          scale: 1.4,
          ess: 0.71 * selected,
          essRaw: 0.44 * selected,
          atLow: 214,
          atHigh: 61,
          unknownDensity: 0,
          unknownConcentration: 0,
          histogram: histogram(selected),
        }
      : null,
    batches: batches
      ? {
          size: BATCH_SIZE,
          count: trained / BATCH_SIZE,
          balance: 'mode',
          rows: trained,
          groups: 368,
          leftOut: { rows: selected - trained, groups: 73 },
          withoutMode: { exists: 0, got: 0 },
          modes: modes.map(({ mode, after }) => {
            const wanted = Math.round(trained / modes.length);
            const got = Math.min(wanted, Math.round(after * trained));
            return { mode, wanted, exists: got, got, shortfall: wanted - got };
          }),
        }
      : null,
    simulators: simulators(options, name),
    modes: hollow ? [] : modes,
    selection: selection
      ? { design: 'conditional-poisson', keep: 6, groups: 602, kept: selected, short: 0 }
      : null,
    advantage: selection ? { baseline: 'simulator', groups: 602, lone: 41, missing: 3 } : null,
    consistency: null,
    allocation: null,
    beforeAfter: beforeAfter(options, verdict, selected, trained),
    outputs: ['rows.jsonl', 'rows.parquet', 'weights.jsonl', 'batches.jsonl', 'dropped.jsonl'].map(
      (path, at) => ({
        path,
        rows: at === 3 ? null : trained,
        bytes: 31_000_400 + at,
        sha256: digest(`output${at}`),
      }),
    ),
  };
}

function funnel(
  { selection = false, batches = true, hollow = false }: CurationOptions,
  name: Naming,
  gated: number,
  selected: number,
  trained: number,
): CurationManifest['funnel'] {
  return [
    {
      stage: 'read',
      entered: READ,
      left: READ - 12,
      reasons: [{ reason: name('a line that is no JSON', 5), blame: 'data', count: 12 }],
    },
    ...(hollow
      ? []
      : [
          {
            stage: 'gate' as const,
            entered: READ - 12,
            left: gated,
            reasons: CHECKS.filter(({ dropped }) => dropped > 0).map(({ check, blame, dropped }) => ({
              reason: name(check, dropped),
              blame,
              count: dropped,
            })),
          },
        ]),
    ...(selection
      ? [
          {
            stage: 'selection' as const,
            entered: gated,
            left: selected,
            reasons: [{ reason: 'not drawn', blame: 'none' as const, count: gated - selected }],
          },
        ]
      : []),
    ...(batches
      ? [
          {
            stage: 'batches' as const,
            entered: selected,
            left: trained,
            reasons: [
              {
                reason: name("over the equal share of the row's mode", 7),
                blame: 'none' as const,
                count: selected - trained,
              },
            ],
          },
        ]
      : []),
  ];
}

export type Naming = (text: string, at: number) => string;

function beforeAfter(
  options: CurationOptions,
  verdict: BeforeAfter['verdict'],
  before: number,
  after: number,
): BeforeAfter {
  const { people = true, hollow = false } = options;
  const none = missing(
    hollow ? 'one context: at least 2 are needed' : 'no human reference was given',
    before,
  );
  const nothing = { before: none, after: none, difference: none };
  const change = (from: number, to: number): ChangedFigure =>
    hollow
      ? nothing
      : {
          before: measured(from, 0.05, before),
          after: measured(verdict === 'improved' ? to : from + 0.004, 0.055, after),
          difference: measured(verdict === 'improved' ? to - from : 0.004, 0.041, after),
        };
  return {
    after:
      options.batches === false ? 'rows kept, drawn in proportion to their weight' : 'the rows in batches',
    rows: { before, after },
    g0: hollow ? null : 96,
    scd2: change(0.47, 0.36),
    bdi: people ? change(0.58, 0.71) : nothing,
    mass: people ? change(0.52, 0.63) : nothing,
    realism: people ? change(0.86, 0.87) : nothing,
    search:
      verdict === 'limited-by-data'
        ? {
            method: 'greedy exchange from 8 seeded subsets, realism held',
            rows: after,
            evaluations: 400,
            seed: 7,
            bestScd2: { scd2: 0.468, bdi: people ? 0.57 : null, realism: people ? 0.85 : null },
            bestBdi: { scd2: 0.49, bdi: people ? 0.6 : null, realism: people ? 0.86 : null },
          }
        : null,
    verdict,
  };
}

function measured(value: number, half: number, n: number): Figure {
  return {
    value,
    low: value - half,
    high: value + half,
    n,
    method: 'jackknife-context(G=50)',
    detectable: half * 1.45,
  };
}

function modeAccounts({ modes: k = 12, people = true, weights = true }: CurationOptions, name: Naming) {
  const own = normalised(Array.from({ length: k }, (_, mode) => 1 / (1.3 + mode * 0.35)));
  const before = normalised(own.map((share, mode) => share * 0.45 + (mode === 5 % k ? 0.5 : 0.004)));
  const kept = normalised(before.map((share, mode) => share * (mode === 5 % k ? 0.92 : 1)));
  const after = normalised(kept.map((share) => Math.min(share, 1.4 / k)));
  return own.map(
    (share, mode): ModeAccount => ({
      mode,
      label: name(WAYS[mode % WAYS.length]!.label, mode),
      before: before[mode]!,
      kept: kept[mode]!,
      weighted: weights ? 0.6 * kept[mode]! + 0.4 * share : null,
      after: after[mode]!,
      people: people ? share : null,
    }),
  );
}

function simulators({ hollow = false, weights = true }: CurationOptions, name: Naming): SimulatorAccount[] {
  return SIMULATORS.map((id, at) => {
    const mci = 0.62 - 0.11 * at;
    return {
      id: name(id, at),
      rows: 964,
      kept: 964 - [121, 60, 44, 37, 34][at]!,
      mci: hollow ? missing('one context: at least 2 are needed', 964) : measured(mci, 0.04, 964),
      meanWeight: weights ? 0.55 + 0.2 * at : null,
      gradientScale: at === 0 ? 0.71 : null,
      consistency: hollow ? null : 0.9 + 0.04 * at,
    };
  });
}

function histogram(n: number) {
  const edges = Array.from({ length: 25 }, (_, at) => 0.25 * 16 ** (at / 24));
  const heights = normalised(
    edges.slice(1).map((_, at) => Math.exp(-(((at - 10) / 5) ** 2)) + (at === 0 ? 0.6 : 0.02)),
  );
  return heights.map((share, at) => ({
    low: edges[at]!,
    high: edges[at + 1]!,
    count: Math.round(share * n),
  }));
}

function normalised(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

/** 64 hex digits that look like a hash. */
function digest(seed: string): string {
  const random = seeded(seed);
  return Array.from({ length: 64 }, () => random.integer(16).toString(16)).join('');
}
