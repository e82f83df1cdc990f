import type { AuditPage, AuditReport } from '../../src/audit/report-data.ts';
import { missing } from '../../src/metrics/figure.ts';
import { HOSTILE } from './dialogues.ts';
import { samplePage } from './page-fixture.ts';

/** One trajectory was read: nothing can be measured, and the page says so everywhere. */
export function nullPage(): AuditPage {
  const page = samplePage({ people: false, names: ['one-simulator'], points: 1, k: 1 });
  const hollow = emptied(page.report) as AuditReport;
  const simulator = hollow.simulators[0]!;
  return {
    ...page,
    report: {
      ...hollow,
      headline: 'One episode was read: nothing can be said about collapse from one episode.',
      simulators: [
        {
          ...simulator,
          n: 1,
          contexts: 1,
          drivers: [],
          shares: [],
          exemplars: [],
          verdict: 'undecided',
          reward: { n: 0, mean: null, quantiles: [], missing: 1 },
        },
      ],
      space: {
        ...hollow.space,
        stability: { episode: null, interaction: null, turn: null },
        contexts: 1,
        nFit: 1,
      },
      diagnosis: hollow.diagnosis.map((verdict) => ({
        ...verdict,
        level: 'undecided',
        confidence: null,
        evidence: ['one episode'],
        advice: [],
      })),
      depth: [],
      matrix: [],
      confounds: [],
      psod: { ...hollow.psod, range: null },
      health: {
        ...hollow.health,
        groups: 0,
        zeroVariance: { ...hollow.health.zeroVariance, allFail: 0, allPass: 0, sameBehaviour: 0, other: 0 },
      },
      input: {
        files: [{ path: 'one.jsonl', format: 'chat JSONL', rows: 1, kept: 1 }],
        rows: 1,
        kept: 1,
        duplicates: 0,
        dropped: [],
        reference: null,
      },
    },
    map: { points: [], centroids: [], explained: 0, sampled: { shown: 0, of: 1, seed: 7 } },
    modes: [],
  };
}

/** Every figure in the value replaced by a missing one. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(emptied);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value);
  const isFigure = 'method' in value && 'low' in value;
  // Some figures have more figures beside them.
  const beside = isFigure ? inner.filter(([, one]) => one !== null && typeof one === 'object') : inner;
  return {
    ...(isFigure ? missing('one episode: at least 2 contexts are needed', 1) : {}),
    ...Object.fromEntries(beside.map(([key, one]) => [key, emptied(one)])),
  };
}

/** Names, labels and dialogues that try to break out of the page. */
export function hostilePage(): AuditPage {
  return samplePage({
    texts: HOSTILE,
    names: HOSTILE.slice(0, 8).map((text, at) => `${text}${at}`),
    epochs: 4,
    points: 300,
  });
}

/** The largest page promised to work: 30 simulators with long names, K = 64, 5,000 points. */
export function largePage(): AuditPage {
  const names = Array.from(
    { length: 30 },
    (_, at) =>
      `organisation/very-long-simulator-name-${at}-instruct-2507 / persona pool ${at} with temperature 1.0`,
  );
  return samplePage({ names, k: 64, points: 5000, epochs: 12 });
}
