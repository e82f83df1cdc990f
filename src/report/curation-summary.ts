import type { BeforeAfter, ChangedFigure, CurationManifest, FunnelStage } from '../curation/manifest.ts';
import { ascii, clip, decimal, figureText, wrap } from './plain-text.ts';

const WIDTH = 100;
const NAME = 10;
const REASONS = 3;

/**
 * What a curation did, as a person reads it in a terminal: verdict, the four figures before and after, rows, then
 * a line for each stage that ran. Printable ASCII, at most 100 columns and 32 lines, no line break at the end.
 */
export function curationSummary(manifest: CurationManifest): string {
  return [
    ...wrap(ascii(manifest.headline), WIDTH).slice(0, 3),
    '',
    columns('', 'before', 'after', 'after - before', ''),
    ...figureRows(manifest),
    ...row('After is', manifest.beforeAfter.after, 2),
    ...row('', sizeText(manifest.beforeAfter)),
    ...searchRows(manifest.beforeAfter),
    '',
    ...row('Rows', rowsText(manifest), 2),
    ...droppedRows(manifest),
    ...stageRows(manifest),
  ].join('\n');
}

function row(name: string, text: string, lines = 1): string[] {
  return wrap(ascii(text), WIDTH - NAME)
    .slice(0, lines)
    .map((line, at) => clip(`${(at === 0 ? name : '').padEnd(NAME)}${line}`, WIDTH));
}

function columns(name: string, before: string, after: string, difference: string, change: string): string {
  const text = `${name.padEnd(NAME)}${before.padEnd(20)}${after.padEnd(20)}${difference.padEnd(24)}${change}`;
  return clip(text.trimEnd(), WIDTH);
}

function figureRows({ beforeAfter: { scd2, bdi, mass, realism }, modes }: CurationManifest): string[] {
  // Without people every mode weighs the same.
  const peopled = modes.length === 0 || modes.some(({ people }) => people !== null);
  return [
    figureRow('SCD2', scd2, 'lower'),
    figureRow('BDI', bdi, 'higher'),
    figureRow(peopled ? 'BDI mass' : 'Covered', mass, 'higher'),
    figureRow('Realism', realism, 'higher'),
  ];
}

function figureRow(name: string, changed: ChangedFigure, better: 'lower' | 'higher'): string {
  const { before, after, difference } = changed;
  if (before.value === null && after.value === null)
    return clip(
      `${name.padEnd(NAME)}not measured: ${ascii(before.reason ?? after.reason ?? 'no reason given')}`,
      WIDTH,
    );
  const change = difference.value === null ? ascii(difference.reason ?? '') : changeOf(changed, better);
  return columns(name, figureText(before), figureText(after), figureText(difference), change);
}

/** A word only where the interval of the difference leaves 0 out. */
function changeOf({ difference: { low, high } }: ChangedFigure, better: 'lower' | 'higher'): string {
  if (low === null || high === null || (low <= 0 && high >= 0)) return 'none shown';
  return low > 0 === (better === 'higher') ? 'better' : 'worse';
}

function sizeText({ g0, rows }: BeforeAfter): string {
  const size = g0 === null ? '' : `, both at g0 = ${Number(g0.toFixed(4))}`;
  return `figures over ${whole(rows.before)} and ${whole(rows.after)} rows${size}`;
}

function searchRows({ search }: BeforeAfter): string[] {
  if (search === null) return [];
  const best = ({ scd2, bdi, realism }: typeof search.bestScd2) =>
    `SCD2 ${valueText(scd2)}, BDI ${valueText(bdi)}, realism ${valueText(realism)}`;
  return [
    ...row('Search', `best SCD2 found: ${best(search.bestScd2)}`),
    ...row('', `best BDI found:  ${best(search.bestBdi)}`),
    ...row(
      '',
      `${search.method}; ${whole(search.evaluations)} subsets of ${whole(search.rows)} rows, seed ${search.seed}`,
    ),
  ];
}

function rowsText({ funnel, inputs }: CurationManifest): string {
  const read = `${whole(funnel[0]?.entered ?? 0)} read from ${inputs.length} file${inputs.length === 1 ? '' : 's'}`;
  const stages = funnel.map(({ stage, left }) => `${whole(left)} after ${stage}`);
  return [read, ...stages].join(' -> ');
}

/** Whose fault comes first: a policy is not punished for a broken user. */
function droppedRows({ funnel, gate }: CurationManifest): string[] {
  const of = (stages: readonly FunnelStage['stage'][]) =>
    funnel.filter(({ stage }) => stages.includes(stage)).flatMap((stage) => stage.reasons);
  const reasons = of(['read', 'gate']);
  const spared = of(['selection', 'batches']);
  const lines = (['simulator', 'policy', 'infrastructure', 'data'] as const).flatMap((blame) => {
    const own = reasons.filter((reason) => reason.blame === blame).sort((a, b) => b.count - a.count);
    if (own.length === 0) return [];
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const shown = own.slice(0, REASONS).map(({ reason, count }) => `${reason} ${whole(count)}`);
    const left = own.length - REASONS;
    return `${blame} ${whole(total)} (${shown.join(', ')}${left > 0 ? `, ${left} more` : ''})`;
  });
  const noted = (gate ?? []).filter(({ action, found }) => action === 'flag' && found > 0);
  const unchecked = (gate ?? []).filter((check) => check.unchecked > 0);
  return [
    ...(lines.length === 0
      ? row('Dropped', 'nothing')
      : lines.flatMap((text, at) => row(at === 0 ? 'Dropped' : '', text))),
    ...(spared.length === 0
      ? []
      : row('Left out', spared.map(({ reason, count }) => `${whole(count)}, ${reason}`).join('; '))),
    ...(noted.length === 0
      ? []
      : row(
          'Kept',
          `with a note: ${noted.map(({ check, found }) => `${check} ${whole(found)}`).join(', ')}`,
        )),
    ...(unchecked.length === 0
      ? []
      : row(
          'Unchecked',
          unchecked.map(({ check, unchecked: rows }) => `${check} ${whole(rows)}`).join(', '),
        )),
  ];
}

function stageRows(manifest: CurationManifest): string[] {
  const { judge, selection, weights, batches, advantage, outputs } = manifest;
  const short = (batches?.modes ?? []).filter(({ shortfall }) => shortfall > 0);
  return [
    ...(judge === null
      ? []
      : row(
          'Judge',
          `${judge.model}: ${whole(judge.votes)} votes on ${whole(judge.rows)} rows (votes.jsonl)`,
        )),
    ...(selection === null
      ? []
      : row(
          'Selection',
          `${selection.design}, ${selection.keep} a group: ${whole(selection.kept)} rows of ${whole(selection.groups)} groups`,
        )),
    ...(weights === null
      ? row('Weights', 'off: every row counts 1')
      : row(
          'Weights',
          `ESS ${whole(weights.ess)} of ${whole(weights.n)} rows (before bounds ${whole(weights.essRaw)}), kappa ` +
            `${decimal(weights.kappa)}, ${whole(weights.atLow)} at the low bound, ${whole(weights.atHigh)} at the high`,
          2,
        )),
    ...(batches === null
      ? row('Batches', 'off')
      : row(
          'Batches',
          `${whole(batches.count)} of about ${whole(batches.size)} rows, balance ${batches.balance}, ` +
            `${whole(batches.groups)} groups${batches.modes.length === 0 ? '' : `; short in ${short.length} of ${batches.modes.length} modes`}`,
        )),
    ...(advantage === null
      ? []
      : row(
          'Advantage',
          `${advantage.baseline} baseline over ${whole(advantage.groups)} groups; ${whole(advantage.lone)} rows alone, ` +
            `${whole(advantage.missing)} without`,
        )),
    ...(outputs.length === 0 ? [] : row('Wrote', outputs.map(({ path }) => path).join(', '))),
  ];
}

function whole(count: number): string {
  return Math.round(count)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function valueText(value: number | null): string {
  return value === null ? '-' : decimal(value);
}
