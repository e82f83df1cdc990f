import type { BeforeAfter, CurationManifest } from '../curation/manifest.ts';
import { figureLines } from './curation-figures.ts';
import { counted, row, WIDTH, whole } from './curation-line.ts';
import { lossLines } from './curation-losses.ts';
import { ascii, decimal, wrap } from './plain-text.ts';

/** The verdict as the manifest has it, with what it means where the sentence after it does not say. */
const VERDICTS: Readonly<Record<BeforeAfter['verdict'], string>> = {
  improved: 'improved:',
  unchanged: 'unchanged:',
  'limited-by-data': 'limited-by-data (no gain, and it is the data that limit it):',
  'not-judged': 'not-judged (too little to compare):',
};
/** Below this agreement of the modes of other seeds, a close verdict may be that of one cut. */
const STABLE = 0.5;

/**
 * What a curation did, as a person reads it in a terminal: verdict, the four figures before and after, rows, then
 * a line for each stage that ran. Printable ASCII, at most 100 columns and 40 lines, no line break at the end.
 */
export function curationSummary(manifest: CurationManifest): string {
  const headline = `${VERDICTS[manifest.beforeAfter.verdict]} ${ascii(manifest.headline)}`;
  return [
    ...wrap(headline, WIDTH).slice(0, 4),
    ...caveatLines(manifest),
    '',
    ...figureLines(manifest),
    '',
    ...lossLines(manifest),
    ...stageRows(manifest),
  ].join('\n');
}

function caveatLines({ space, sharedWithReference }: CurationManifest): string[] {
  const stability = space.stability ?? null;
  return [
    ...(sharedWithReference > 0
      ? [
          `Caveat: ${whole(sharedWithReference)} of the rows' dialogues are in the reference too: is it of people?`,
        ]
      : []),
    ...(stability !== null && stability < STABLE
      ? [
          `Caveat: other seeds cut the modes differently (agreement ${decimal(stability)}): see with --seed whether a close verdict stands.`,
        ]
      : []),
  ].flatMap((caveat) => wrap(caveat, WIDTH));
}

function stageRows(manifest: CurationManifest): string[] {
  const { judge, selection, outputs } = manifest;
  return [
    ...(judge === null
      ? []
      : row(
          'Judge',
          `${judge.model}: ${counted(judge.votes, 'vote')} on ${counted(judge.rows, 'row')} (votes.jsonl); ` +
            `${counted(judge.invalid, 'row')} with an unreadable answer, ${whole(judge.unchecked)} left open`,
          2,
        )),
    ...(selection === null
      ? []
      : row(
          'Selection',
          `${selection.design}, ${whole(selection.keep)} a group: ${counted(selection.kept, 'row')} of ` +
            counted(selection.groups, 'group'),
        )),
    ...weightRows(manifest),
    ...batchRows(manifest),
    ...termRows(manifest),
    ...(outputs.length === 0
      ? []
      : row('Wrote', [...new Set([...outputs.map(({ path }) => path), 'manifest.json'])].join(', '), 2)),
  ];
}

function weightRows({ weights }: CurationManifest): string[] {
  if (weights === null) return row('Weights', 'off: every row counts 1');
  const unknown = [
    ...(weights.unknownDensity > 0 ? [`density unknown for ${whole(weights.unknownDensity)}`] : []),
    ...(weights.unknownConcentration > 0
      ? [`concentration unknown for ${whole(weights.unknownConcentration)}`]
      : []),
  ];
  return row(
    'Weights',
    [
      `ESS ${whole(weights.ess)} of ${counted(weights.n, 'row')} (before bounds ${whole(weights.essRaw)})`,
      `kappa ${decimal(weights.kappa)}`,
      `${whole(weights.atLow)} at the low bound`,
      `${whole(weights.atHigh)} at the high`,
      ...unknown,
    ].join(', '),
    2,
  );
}

function batchRows({ batches }: CurationManifest): string[] {
  if (batches === null) return row('Batches', 'off');
  const short = batches.modes.filter(({ shortfall }) => shortfall > 0).length;
  const { exists, got } = batches.withoutMode;
  return row(
    'Batches',
    [
      `${whole(batches.count)} of about ${counted(batches.size, 'row')}, balance ${batches.balance}, ` +
        counted(batches.groups, 'group'),
      ...(batches.modes.length === 0
        ? []
        : [`short in ${whole(short)} of ${whole(batches.modes.length)} modes`]),
      ...(exists > 0 ? [`${whole(got)} of ${counted(exists, 'row')} without a mode`] : []),
    ].join('; '),
    2,
  );
}

function termRows({ advantage, consistency, allocation }: CurationManifest): string[] {
  return [
    ...(advantage === null
      ? []
      : row(
          'Advantage',
          `${advantage.baseline} baseline over ${counted(advantage.groups, 'group')}; ` +
            `${counted(advantage.lone, 'row')} alone, ${whole(advantage.missing)} without`,
        )),
    ...(consistency === null
      ? []
      : row(
          'Gains',
          `${consistency.rule}: ${consistency.reason === null ? `gains from ${consistency.base}` : `all 1, ${consistency.reason}`}`,
          2,
        )),
    ...(allocation === null
      ? []
      : row(
          'Next',
          `${counted(allocation.budget - allocation.left, 'rollout')} for ${counted(allocation.cells, 'cell')}, ` +
            `${whole(allocation.fresh)} never rolled out (allocation.json)`,
        )),
  ];
}
