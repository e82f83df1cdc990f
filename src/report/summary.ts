import type { AuditReport, SimulatorReport } from '../audit/report-data.ts';
import { isDrawn } from '../metrics/psod-headline.ts';
import { ascii, clip, figureLine, figureText, wrap } from './plain-text.ts';

const WIDTH = 100;
const LINES = 24;
const SHOWN_CONFOUNDS = 3;
const SHOWN = 7;

/**
 * The 10-20 lines a person reads after an audit: verdict, one line a simulator, the population's figures,
 * confounds, what to do next. Printable ASCII, at most 100 columns, no line break at the end.
 */
export function terminalSummary(report: AuditReport): string {
  const before = [
    ...wrap(ascii(report.headline), WIDTH).slice(0, 3),
    '',
    ...simulatorTable(report),
    '',
    row('SCD2', `${figureLine(report.scd.pooled2)}${peoplesOwn(report)}`),
    row('BDI', figureLine(report.bdi.headline)),
    row('PSOD', `${figureLine(report.psod)}${rise(report)}${drawn(report)}`),
  ];
  const after = [...nextLines(report), row('Read', inputLine(report))];
  return [...before, ...confoundLines(report, LINES - before.length - after.length), ...after].join('\n');
}

function row(name: string, text: string): string {
  return clip(`${name.padEnd(10)}${text}`, WIDTH);
}

const COLUMNS = [25, 19, 19, 10, 8, 18] as const;

function simulatorTable(report: AuditReport): string[] {
  const head = cells(['simulator', 'MCI', 'spread', 'BDI mass', 'outside', 'verdict']);
  const worstFirst = [...report.simulators].sort(
    (a, b) => (b.mci.value ?? -1) - (a.mci.value ?? -1) || (a.id < b.id ? -1 : 1),
  );
  const rows = worstFirst.slice(0, SHOWN).map(simulatorRow);
  if (report.reference !== null) {
    const { reference } = report;
    rows.push(
      cells(['people (fresh)', figureText(reference.mci), '', point(reference.ceiling.mass.value), '', '']),
    );
  }
  const left = worstFirst.length - SHOWN;
  if (left > 0) rows.push(`... and ${left} more, less concentrated: see the page or --json`);
  return [head, ...rows];
}

function simulatorRow(simulator: SimulatorReport): string {
  return cells([
    ascii(simulator.id) || '?',
    figureText(simulator.mci),
    figureText(simulator.spread),
    point(simulator.bdi.mass.value),
    simulator.outside.value === null ? '-' : `${Math.round(simulator.outside.value * 100)}%`,
    simulator.verdict,
  ]);
}

function cells(texts: readonly string[]): string {
  return texts
    .map((text, at) => {
      const width = COLUMNS[at] ?? 0;
      return clip(text, width - 1).padEnd(width);
    })
    .join('')
    .trimEnd();
}

function point(value: number | null): string {
  return value === null ? '-' : value.toFixed(2);
}

function peoplesOwn(report: AuditReport): string {
  const own = report.reference?.scd2.value ?? null;
  return own === null ? '' : ` (people's own ${own.toFixed(2)})`;
}

function rise(report: AuditReport): string {
  return report.psod.rise.value === null ? '' : `; rise ${figureText(report.psod.rise)}`;
}

function drawn({ psod }: AuditReport): string {
  return isDrawn(psod) || isDrawn(psod.rise) ? '; members as drawn' : '';
}

/** One line each; a second for the words that do not fit, while there is room. */
function confoundLines(report: AuditReport, room: number): string[] {
  if (report.confounds.length === 0) return [row('Confounds', 'none found')];
  const kinds = new Map<string, { kind: string; texts: string[]; names: string[] }>();
  for (const { kind, simulator, text } of report.confounds) {
    const known = kinds.get(kind) ?? { kind, texts: [], names: [] };
    known.texts.push(ascii(text));
    if (simulator !== null) known.names.push(ascii(simulator));
    kinds.set(kind, known);
  }
  const texts = [...kinds.values()]
    .slice(0, SHOWN_CONFOUNDS)
    .map(({ kind, texts, names }) =>
      texts.length === 1 || names.length < texts.length
        ? (texts[0] ?? '')
        : `${SEVERAL[kind] ?? kind}: ${names.join(', ')}`,
    );
  let spare = room - texts.length;
  const lines = texts.flatMap((text) => {
    const [first = '', ...rest] = wrap(text, WIDTH - 10);
    if (rest.length === 0) return [first];
    spare -= 1;
    return spare < 0 ? [text] : [first, rest.join(' ')];
  });
  return lines.map((text, at) => row(at === 0 ? 'Confounds' : '', text));
}

/** What a confound of several simulators is called before their names. */
const SEVERAL: Readonly<Record<string, string>> = {
  'one-policy': 'met one policy only',
  'off-support': 'outside the support, so not judged',
  language: 'not in English, so most features are unknown',
};

function nextLines(report: AuditReport): string[] {
  const present = report.diagnosis.filter((verdict) => verdict.level === 'present');
  const source = present.length > 0 ? present : report.diagnosis;
  const advice = [...new Set(source.flatMap((verdict) => verdict.advice.slice(0, 1)))].slice(0, 2);
  return advice
    .flatMap((text) => wrap(ascii(text), WIDTH - 10).slice(0, 2))
    .map((text, at) => row(at === 0 ? 'Next' : '', text));
}

function inputLine(report: AuditReport): string {
  const { files, rows, kept, duplicates, dropped } = report.input;
  const lost = dropped.map(({ code, count }) => `${count} ${code}`).join(', ');
  const twice = duplicates > 0 ? `, ${duplicates} duplicates` : '';
  const from = files.length === 0 ? 'saved profiles' : `${files.length} file${files.length === 1 ? '' : 's'}`;
  return `${kept} of ${rows} rows from ${from}${twice}${lost === '' ? '' : `; dropped ${lost}`}`;
}
