import type { CurationManifest, FunnelStage } from '../curation/manifest.ts';
import { counted, row, whole } from './curation-line.ts';

const REASONS = 3;
const BLAMES = ['simulator', 'policy', 'infrastructure', 'data'] as const;
/** What leaves out rows that are sound. */
const SPARED: Readonly<Record<FunnelStage['stage'], string>> = {
  read: 'as the reference',
  gate: 'by the gate',
  selection: 'by selection',
  batches: 'by balance',
};

/** Rows from the files to those trained on, and why others are not: faults first, then what was only not needed. */
export function lossLines(manifest: CurationManifest): string[] {
  return [
    ...row('Rows', stepsText(manifest), 2),
    ...stoppedRows(manifest),
    ...droppedRows(manifest),
    ...sparedRows(manifest),
    ...checkRows(manifest),
  ];
}

/** One word for each step: read, passed, selected, trained on. */
function stepsText({ funnel, inputs, gate, selection }: CurationManifest): string {
  const [entered, read] = [funnel[0]?.entered ?? 0, funnel[0]?.left ?? 0];
  const left = (stage: FunnelStage['stage']) => funnel.find((one) => one.stage === stage)?.left;
  const files = counted(inputs.length, 'file');
  const passed = left('gate');
  const selected = left('selection');
  return [
    ...(entered === read
      ? [`${whole(read)} read from ${files}`]
      : [`${whole(entered)} in ${files}`, `${whole(read)} read`]),
    ...(gate === null || passed === undefined ? ['no gate'] : [`${whole(passed)} passed the gate`]),
    ...(selection === null || selected === undefined ? [] : [`${whole(selected)} selected`]),
    `${whole(funnel.at(-1)?.left ?? 0)} trained on`,
  ].join(' -> ');
}

/** Files that were not read to their end. */
function stoppedRows({ inputs }: CurationManifest): string[] {
  const stopped = inputs.filter(({ error }) => error != null);
  if (stopped.length === 0) return [];
  const [{ path, error }] = stopped as [(typeof stopped)[0]];
  const more = stopped.length === 1 ? '' : `; and ${counted(stopped.length - 1, 'more file')}`;
  return row('Not whole', `${path} was read up to an error only: ${error!.code}${more}`);
}

/** Whose fault comes first: a policy is not punished for a broken user. */
function droppedRows({ funnel, gate }: CurationManifest): string[] {
  const reasons = funnel.flatMap((stage) => stage.reasons);
  const lines = BLAMES.flatMap((blame) => {
    const own = reasons.filter((reason) => reason.blame === blame).sort((a, b) => b.count - a.count);
    if (own.length === 0) return [];
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const shown = own.slice(0, REASONS).map(({ reason, count }) => `${reason} ${whole(count)}`);
    const left = own.length - REASONS;
    return `${blame} ${whole(total)} (${shown.join(', ')}${left > 0 ? `, ${left} more` : ''})`;
  });
  if (lines.length > 0) return lines.flatMap((text, at) => row(at === 0 ? 'Dropped' : '', text));
  return row('Dropped', gate === null ? 'none: there was no gate' : 'the gate dropped none');
}

/** Sound rows: nobody's fault, but they stand in dropped.jsonl all the same. */
function sparedRows({ funnel }: CurationManifest): string[] {
  const spared = funnel.flatMap(({ stage, reasons }) =>
    reasons.filter(({ blame }) => blame === 'none').map((reason) => ({ stage, ...reason })),
  );
  if (spared.length === 0) return [];
  const told = spared.map(({ stage, reason, count }) => `${whole(count)} ${SPARED[stage]} (${reason})`);
  const listed = spared.some(({ stage }) => stage !== 'read') ? '; sound, in dropped.jsonl' : '';
  return row('Left out', `${told.join(', ')}${listed}`, 2);
}

function checkRows({ gate }: CurationManifest): string[] {
  const noted = (gate ?? []).filter(({ action, found }) => action === 'flag' && found > 0);
  const unchecked = (gate ?? []).filter((check) => check.unchecked > 0);
  return [
    ...(noted.length === 0
      ? []
      : row(
          'Noted',
          `${noted.map(({ check, found }) => `${check} ${whole(found)}`).join(', ')} (passed all the same)`,
        )),
    ...(unchecked.length === 0
      ? []
      : row(
          'Unchecked',
          unchecked.map(({ check, unchecked: rows }) => `${check} ${whole(rows)}`).join(', '),
        )),
  ];
}
