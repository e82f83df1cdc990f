import type { AuditPage, AuditReport, SimulatorReport } from '../../src/audit/report-data.ts';
import { seeded } from '../../src/math/index.ts';
import { type Figure, missing } from '../../src/metrics/figure.ts';
import { WAYS } from './dialogues.ts';
import { mapAndModes } from './map-fixture.ts';

export interface FixtureOptions {
  readonly seed?: string;
  readonly people?: boolean;
  readonly k?: number;
  readonly points?: number;
  readonly epochs?: number;
  readonly names?: readonly string[];
  /** Texts that stand in for dialogue excerpts, labels and evidence. */
  readonly texts?: readonly string[];
}

const NAMES = [
  'gpt-4.1-mini / direct',
  'gpt-4.1 / persona',
  'llama-3.1-70b-instruct / direct',
  'qwen-2.5-72b / verbalized sampling',
  'mixtral-8x22b / direct',
  'claude-haiku / persona pool of 64',
  'population v3 (mixture of 5)',
];

const NO_RESAMPLES = missing('no turn has resamples');
const NO_ERRORS = {
  ...NO_RESAMPLES,
  disagreement: NO_RESAMPLES,
  bracket: { plugIn: NO_RESAMPLES, leaveOneOut: NO_RESAMPLES },
  bounds: { low: NO_RESAMPLES, high: NO_RESAMPLES },
};

/** A figure with an interval of half width `half` around `value`. */
export function measured(value: number, half: number, n: number, more: Partial<Figure> = {}): Figure {
  return { value, low: value - half, high: value + half, n, method: 'jackknife-context(G=50)', ...more };
}

/** A page with believable numbers: simulators from very narrow to as wide as people. */
export function samplePage(options: FixtureOptions = {}): AuditPage {
  const { people = true, k = 12, points = 1400, names = NAMES, texts, epochs = 0 } = options;
  const random = seeded(options.seed ?? 'page');
  const text = (way: number, at: number) =>
    texts === undefined
      ? (WAYS[way % WAYS.length]?.turns[at % (WAYS[way % WAYS.length]?.turns.length ?? 1)] ?? '')
      : (texts[(way * 7 + at) % texts.length] ?? '');
  const peoplesShares = normalised(Array.from({ length: k }, (_, mode) => 1 / (1.3 + mode * 0.35)));
  const simulators = names.map((id, at): SimulatorReport => {
    // From 0 (everything in one mode) to 1 (people's own shares).
    const width = names.length === 1 ? 0.5 : at / (names.length - 1);
    const home = (at * 5 + 1) % k;
    const shares = normalised(
      peoplesShares.map((share, mode) => share * width ** 1.5 + (mode === home ? 0.9 * (1 - width) : 0.01)),
    );
    const mci = shares.reduce((sum, share) => sum + share * share, 0);
    const n = 160 + random.integer(500);
    const spread = 0.18 + 0.75 * width;
    const verdict =
      mci > 0.4 ? 'narrow' : width > 0.8 ? 'not narrow' : at === 3 ? 'one style, varied' : 'undecided';
    return {
      id,
      kind: 'llm',
      n,
      contexts: 50 + random.integer(60),
      policies: at % 3 === 0 ? ['gpt-4.1'] : ['gpt-4.1', 'llama-3.1-8b-rl-step-200'],
      mci: measured(mci, 0.03 + 0.05 * random.next(), n),
      effectiveModes: measured(1 / mci, 0.1 / mci, n),
      spread: measured(spread, 0.07, n),
      effectiveRank: measured(4 + 9 * width, 0.8, n),
      withinContext:
        at === 2
          ? missing('no context with 2 episodes of this simulator', n)
          : measured(spread + 0.04, 0.08, n),
      vendi: measured(3 + 12 * width, 0, n, { low: null, high: null, method: 'point, n = 150' }),
      outside: measured(0.42 - 0.35 * width, 0.04, n),
      style: measured(0.93 - 0.05 * width, 0.03, n),
      bdi: {
        mass: people ? measured(0.25 + 0.6 * width, 0.06, n) : missing('no human reference was given'),
        knn: people ? measured(0.2 + 0.55 * width, 0.05, n) : missing('no human reference was given'),
        knnExpected: people ? 0.94 : null,
        realism: people ? measured(0.58 + 0.35 * width, 0.05, n) : missing('no human reference was given'),
      },
      versusReference: people
        ? {
            mci: measured(mci - 0.13, 0.06, n),
            bdiMass: measured(0.25 + 0.6 * width - 0.87, 0.07, n),
            mciHolm: width < 0.6 ? 0.0004 : 0.41,
            bdiMassHolm: width < 0.7 ? 0.002 : 0.2,
          }
        : null,
      drivers: [
        ['politeness', 1.9 - 1.4 * width],
        ['turn length', 1.4 - width],
        ['question rate', -0.9 + 0.7 * width],
        ['push-back', -1.1 + 0.9 * width],
        ['echo of the agent', 0.7 - 0.5 * width],
        ['self-correction', -0.5 + 0.4 * width],
      ].map(([feature, value]) => ({
        feature: String(feature),
        difference: measured(Number(value), 0.16, n),
      })),
      shares,
      verdict,
      reward: {
        n: n - 4,
        mean: 0.35 + 0.4 * (1 - width),
        quantiles: [0, 0.1, 0.45, 0.8, 1],
        missing: 4,
      },
      exemplars: [0, 1].map((at2) => ({ mode: home, text: text(home, at2) })),
    };
  });
  const total = simulators.reduce((sum, simulator) => sum + simulator.n, 0);
  const scd2 = measured(0.47, 0.06, total);
  const noPeople = missing('no human reference was given');
  const worst = simulators[0];
  const evidence = (plain: string) =>
    texts === undefined ? plain : (texts[plain.length % texts.length] ?? plain);
  const report: AuditReport = {
    schema: 'collapse-aware/audit@1',
    version: '0.1.0',
    space: {
      id: 'sp-7c1f93e2ab40',
      k,
      kRule: `largest K with n_fit / K >= 15 and a stable split, at most ${k}`,
      seed: 7,
      embedder: 'lsa-256 (fitted with the space)',
      fittedOn: people ? 'people' : 'sample',
      nFit: 412,
      control: people ? 'interaction' : 'context',
      controlReason: people
        ? 'style: the semantic block alone puts 93 % of gpt-4.1-mini outside people’s support'
        : 'every simulator shares enough contexts with another',
      unit: people ? 'person' : 'context',
      unitReason: people ? 'one context holds 64 % of the rows' : 'contexts repeat',
      contexts: 118,
      modeInformation: {
        before: { context: 0.31, simulator: 0.14, policy: 0.05 },
        after: { context: 0.04, simulator: 0.17, policy: 0.05 },
        n: 820,
      },
      shares: { eligible: 0.61, used: 1, outside: 0.22 },
      stability: { episode: 0.81, interaction: 0.88, turn: 0.72 },
    },
    simulators,
    reference: people
      ? {
          id: 'people (persuasion calls)',
          n: 206,
          parts: { fit: 412, mass: 206, ceiling: 206 },
          mci: measured(0.13, 0.02, 206),
          scd: measured(0.12, 0.03, 206),
          scd2: measured(0.17, 0.04, 206),
          ceiling: {
            mass: measured(0.87, 0.04, 206),
            knn: measured(0.92, 0.03, 206),
            knnExpected: 0.94,
            realism: measured(0.95, 0.02, 206),
          },
          shares: peoplesShares,
        }
      : null,
    scd: {
      pooled: measured(0.39, 0.05, total),
      within: measured(0.28, 0, total, { low: null, high: null, method: 'point' }),
      between: measured(0.11, 0, total, { low: null, high: null, method: 'point' }),
      pooled2: scd2,
      pooled2Within: measured(0.36, 0.05, total),
      pooled2Alike: measured(0.11, 0.03, total),
      joint: missing('(K-1)^2 / 2n is above 0.1 log K', total),
      kernel: measured(0.52, 0.04, total, { approximate: true }),
      conditional: missing('no turn has resamples'),
    },
    bdi: {
      headline: people ? measured(0.61, 0.07, total) : noPeople,
      mass: people ? measured(0.53, 0.06, total) : noPeople,
      support: measured(0.83, 0, total, { low: null, high: null, method: 'point' }),
      knn: people ? measured(0.44, 0.05, total) : noPeople,
      knnExpected: people ? 0.94 : null,
      realism: people ? measured(0.76, 0.03, total) : noPeople,
      relative: missing('one round only'),
      g0: people ? 50 : null,
    },
    psod: {
      ...measured(0.18, 0.07, 640, { method: 'paired-t over contexts' }),
      rise: epochs > 0 ? measured(0.12, 0.06, 640) : missing('no base checkpoint'),
      trend:
        epochs > 0 ? measured(0.03, 0.015, 640, { unit: 'per checkpoint' }) : missing('one checkpoint only'),
      range: [0, 1],
    },
    matrix: ['base', 'step 100', 'step 200'].slice(0, epochs > 0 ? 3 : 1).flatMap((checkpoint, step) =>
      names.slice(0, 4).map((simulator, at) => ({
        checkpoint,
        simulator,
        split: at < 2 ? 'seen' : 'test',
        reward: measured(0.4 + 0.1 * step * (at < 2 ? 1 : 0.3), 0.05, 160),
        passHatK: [
          { k: 1, value: 0.42, contexts: 50 },
          { k: 2, value: 0.31, contexts: 50 },
        ],
        n: 160,
      })),
    ),
    epsilon: { member: NO_ERRORS, population: NO_ERRORS },
    varianceSplit: {
      simulator: missing('no seed per side in the rows'),
      agent: missing('no seed per side in the rows'),
    },
    epochs: Array.from({ length: epochs }, (_, epoch) => ({
      epoch,
      n: 256,
      scd: measured(0.25 + 0.03 * epoch, 0.06, 256),
      scd2: measured(0.3 + 0.035 * epoch, 0.07, 256),
      bdi: people ? measured(0.8 - 0.03 * epoch, 0.08, 256) : noPeople,
      psod: epoch < 2 ? missing('no held-out rows in this epoch') : measured(0.03 * epoch, 0.05, 128),
      mci: measured(0.18 + 0.02 * epoch, 0.04, 256),
    })),
    trend: epochs > 0 ? [{ metric: 'scd.pooled2', slope: measured(0.034, 0.012, 256 * epochs) }] : [],
    depth: Array.from({ length: 7 }, (_, depth) => ({
      depth,
      n: 1900 - 220 * depth,
      scd2: measured(0.62 - 0.04 * depth, 0.04 + 0.008 * depth, 1900 - 220 * depth),
      mci: measured(0.34 - 0.02 * depth, 0.03, 1900 - 220 * depth),
    })),
    health: {
      groups: 312,
      zeroVariance: {
        share: measured(0.37, 0.05, 312),
        allFail: 58,
        allPass: 42,
        sameBehaviour: 12,
        other: 3,
      },
      policyEntropy: measured(1.94, 0.12, 2100, { unit: 'nats' }),
      contextInformation: measured(0.21, 0.06, 2100, { unit: 'nats' }),
      consistency: measured(0.83, 0.04, 2100),
    },
    confounds: [
      ...simulators
        .filter((simulator) => simulator.policies.length === 1)
        .map((simulator) => ({
          kind: 'one-policy' as const,
          simulator: simulator.id,
          text: evidence(
            `${simulator.id} met one policy only (gpt-4.1): what it does cannot be told from what that policy draws out`,
          ),
        })),
      ...(people
        ? [
            {
              kind: 'style' as const,
              simulator: null,
              text: evidence(
                'The wording alone tells every simulator from people, so all rows are compared by how they behave, not by what they say',
              ),
            },
          ]
        : []),
      {
        kind: 'topic',
        simulator: null,
        text: evidence(
          'One proposition holds 64 % of the rows; context control is off and persons are the unit',
        ),
      },
    ],
    missing: people
      ? [4, 6, 9]
          .filter((mode) => mode < k)
          .map((mode) => ({
            mode,
            mass: measured(peoplesShares[mode] ?? 0, 0.02, 206),
            p: 0.003,
            exemplars: [0, 1].map((at) => text(mode, at)),
          }))
      : [],
    diagnosis: [
      {
        mode: 'mode collapse',
        level: 'present',
        evidence: [
          evidence(
            `${worst?.id ?? 'the simulator'}: MCI 0.77 [0.71, 0.83], people 0.13; spread 0.18 [0.11, 0.25]`,
          ),
          evidence('Narrow each (0.36 of SCD2 0.47) more than all alike (0.11)'),
          evidence('3 of 7 simulators are narrow at the 5 % level after Holm'),
        ],
        confidence: 0.999,
        advice: [
          evidence(
            'Draw the narrow simulators less often, or give them personas; then audit again in this space.',
          ),
          'Run `collapse-aware curate` to weigh the rows you have by 1 / MCI.',
        ],
      },
      {
        mode: 'coverage gap',
        level: people ? 'present' : 'undecided',
        evidence: people
          ? ['BDI 0.61 [0.54, 0.68] is below 0.80', '3 modes of people are never visited']
          : ['No human reference was given, so coverage of people has no value'],
        confidence: people ? 0.98 : null,
        advice: people
          ? ['Write simulators for the missing modes; their people’s turns are below.']
          : ['Give `--reference` files with people’s dialogues.'],
      },
      {
        mode: 'co-adaptation',
        level: 'undecided',
        evidence: ['PSOD 0.18 [0.11, 0.25], but there is no base checkpoint, so its rise has no value'],
        confidence: null,
        advice: ['Evaluate the base checkpoint with the same held-out users and add those rows.'],
      },
      {
        mode: 'joint signature',
        level: 'absent',
        evidence: ['Simulator-side variance has no value; 37 % of groups have no reward variance'],
        confidence: null,
        advice: [],
      },
    ],
    headline: people
      ? 'Your simulators have collapsed: three of seven play almost one kind of user, and together they show 61 % of people’s own diversity.'
      : 'Three of seven simulators are narrow; without people’s dialogues nobody can say which kinds of user are missing.',
    input: {
      files: [
        { path: 'rollouts/step-200/gpt-4.1-mini.jsonl', format: 'verl rollout dump', rows: 1210, kept: 1188 },
        { path: 'rollouts/step-200/rest.parquet', format: 'tau2-bench results', rows: 1102, kept: 1060 },
      ],
      rows: 2312,
      kept: 2248,
      duplicates: 17,
      dropped: [
        {
          code: 'CA_ROW_NO_SIMULATOR_TURN',
          reason: 'a row has no turn of the simulated user',
          count: 39,
          first: 'rollouts/step-200/rest.parquet:88',
        },
        {
          code: 'CA_JSON_INVALID',
          reason: 'a line is not JSON',
          count: 8,
          first: 'rollouts/step-200/gpt-4.1-mini.jsonl:412',
        },
      ],
      reference: people ? { rows: 1017, kept: 1011 } : null,
    },
  };
  return {
    ...mapAndModes(report, points, text, texts),
    title: texts?.[0] ?? 'Persuasion, step 200',
    created: '2026-01-15 10:30 UTC',
    report,
  };
}

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
