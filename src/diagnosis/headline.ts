import type { Figure } from '../metrics/figure.ts';
import type { DiagnosisInput } from './evidence.ts';
import type { Verdict } from './verdict.ts';

/** The first line of a page: one plain sentence that says what was found, or that nothing could be said, and why. */
export function headline(report: DiagnosisInput & { readonly diagnosis: readonly Verdict[] }): string {
  const level = (mode: Verdict['mode']) =>
    report.diagnosis.find((v) => v.mode === mode)?.level ?? 'undecided';
  const found: string[] = [];
  if (level('mode collapse') === 'present') found.push(collapseWords(report));
  if (level('coverage gap') === 'present')
    found.push(`the data cover ${percent(report.bdi.headline)} of what fresh people cover`);
  if (level('co-adaptation') === 'present')
    found.push(`the policy overfits its simulators (PSOD up by ${decimals(report.psod.rise)})`);
  if (level('joint signature') === 'present') found.push('training shows all four signs of collapse');
  const doubts = [onePolicyWords(report), languageWords(report)].filter((words) => words !== '');
  const tail = doubts.length === 0 ? '' : ` (${doubts.join('; ')})`;
  if (found.length > 0) return capital(`${join(found)}${tail}.`);

  const absent = report.diagnosis.filter((v) => v.level === 'absent').map((v) => v.mode);
  const open = report.diagnosis.filter((v) => v.level === 'undecided').map((v) => v.mode);
  if (absent.length === 0) return `${undecidedWords(report)}${tail}.`;
  const left = open.length === 0 ? '' : `; not decided: ${join(open)}`;
  return `No sign of ${absent.length === 1 ? absent[0] : `${absent.slice(0, -1).join(', ')} or ${absent.at(-1)}`}${left}${tail}.`;
}

function collapseWords({ simulators, scd }: DiagnosisInput): string {
  const narrow = simulators.filter((s) => s.verdict === 'narrow').map((s) => s.id);
  if (narrow.length === 0) return `the simulators are alike (SCD2 ${decimals(scd.pooled2)})`;
  if (narrow.length === 1 && simulators.length === 1) return `the simulator ${narrow[0]} is narrow`;
  return `${narrow.length} of ${simulators.length} simulators ${narrow.length === 1 ? 'is' : 'are'} narrow (${listed(narrow)})`;
}

function onePolicyWords({ confounds, simulators }: DiagnosisInput): string {
  const lone = confounds.filter((c) => c.kind === 'one-policy' && c.simulator !== null).length;
  if (lone === 0) return '';
  const who =
    lone >= simulators.length ? (lone === 1 ? 'it' : 'every simulator') : `${lone} of the simulators`;
  return `${who} met one policy only`;
}

/** Most behaviour is unknown there, which can make a simulator look narrow. */
function languageWords({ confounds, simulators }: DiagnosisInput): string {
  const foreign = confounds.filter((c) => c.kind === 'language' && c.simulator !== null).length;
  if (foreign === 0) return '';
  return foreign >= simulators.length
    ? 'the dialogues are not in English'
    : `those of ${foreign} of the simulators are not in English`;
}

function undecidedWords({ scd, simulators, reference }: DiagnosisInput): string {
  if (scd.pooled2.value === null)
    return `Nothing can be said yet: ${scd.pooled2.reason ?? 'the pool has no SCD2'}`;
  const open = simulators.filter((s) => s.verdict === 'undecided').map((s) => s.id);
  if (open.length === 1 && simulators.length === 1 && reference === null)
    return `Nothing is decided yet: ${open[0]} has neither people nor another simulator to be compared with`;
  const why = open.length > 0 ? `${listed(open)} may be narrow` : 'the interval holds the threshold';
  return `Nothing is decided yet: SCD2 is ${decimals(scd.pooled2)}, and ${why}`;
}

/** At most three names in full where there are more than four. */
const listed = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : join(names);

const percent = (f: Figure) => interval(f, (x) => `${Math.round(100 * x)} %`);
const decimals = (f: Figure) => interval(f, (x) => x.toFixed(2));

function interval({ value, low, high }: Figure, show: (x: number) => string): string {
  if (value === null) return 'an unknown share';
  return low === null || high === null ? show(value) : `${show(value)} [${show(low)} to ${show(high)}]`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const join = (parts: readonly string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
