import type { AuditReport } from '../audit/report-data.ts';
import type { Figure } from '../metrics/figure.ts';
import { figureText } from './plain-text.ts';

export const CARD_SCHEMA = 'collapse-aware/card@1';

export interface Card {
  readonly json: object;
  readonly markdown: string;
}

/**
 * The card to publish beside a data set: what was measured, in which space, with which confounds. It names no
 * file and no time, so one report gives the same bytes on every machine.
 */
export function renderCard(report: AuditReport): Card {
  const json = cardJson(report);
  return { json, markdown: markdown(report) };
}

/** The figure alone: its rise, trend and range stand beside it in the report. */
function psodOf({ psod }: AuditReport): Figure {
  const { rise: _rise, trend: _trend, range: _range, ...figure } = psod;
  return figure;
}

function cardJson(report: AuditReport) {
  const { space, input } = report;
  return {
    schema: CARD_SCHEMA,
    version: report.version,
    audit: report.schema,
    space: {
      id: space.id,
      k: space.k,
      kRule: space.kRule,
      seed: space.seed,
      embedder: space.embedder,
      control: space.control,
      unit: space.unit,
      contexts: space.contexts,
    },
    input: {
      files: input.files.length,
      rows: input.rows,
      kept: input.kept,
      duplicates: input.duplicates,
      dropped: input.dropped.map(({ code, count }) => ({ code, count })),
      reference: input.reference,
    },
    headline: report.headline,
    scd: { pooled: report.scd.pooled, pooled2: report.scd.pooled2 },
    bdi: { headline: report.bdi.headline, realism: report.bdi.realism },
    psod: { value: psodOf(report), rise: report.psod.rise },
    reference:
      report.reference === null
        ? null
        : { n: report.reference.n, mci: report.reference.mci, scd2: report.reference.scd2 },
    simulators: report.simulators.map((simulator) => ({
      id: simulator.id,
      kind: simulator.kind,
      n: simulator.n,
      contexts: simulator.contexts,
      mci: simulator.mci,
      spread: simulator.spread,
      outside: simulator.outside,
      bdi: simulator.bdi.mass,
      verdict: simulator.verdict,
    })),
    diagnosis: report.diagnosis.map(({ mode, level, confidence }) => ({ mode, level, confidence })),
    confounds: report.confounds.map(({ kind, simulator, text }) => ({ kind, simulator, text })),
  };
}

function markdown(report: AuditReport): string {
  const { space, input, reference } = report;
  const dropped = input.dropped.map(({ code, count }) => `${count} ${code}`).join(', ');
  const lines = [
    '# Behaviour of the simulated users in this data set',
    '',
    inline(report.headline),
    '',
    '| figure | value | 95 % interval | n |',
    '|---|---|---|---|',
    figureRow("SCD2 (1 = the population's behaviour has collapsed)", report.scd.pooled2),
    figureRow('SCD (entropy)', report.scd.pooled),
    ...(reference === null ? [] : [figureRow("People's own SCD2", reference.scd2)]),
    figureRow("BDI (share of people's own diversity)", report.bdi.headline),
    figureRow("Realism (rows inside people's support)", report.bdi.realism),
    figureRow('PSOD (reward with training users minus held-out users)', psodOf(report)),
    '',
    '## Simulators',
    '',
    '| simulator | n | contexts | MCI | spread | BDI mass | outside | verdict |',
    '|---|---|---|---|---|---|---|---|',
    ...report.simulators.map(
      (s) =>
        `| ${inline(s.id)} | ${s.n} | ${s.contexts} | ${figureText(s.mci)} | ${figureText(s.spread)} | ` +
        `${figureText(s.bdi.mass)} | ${figureText(s.outside)} | ${s.verdict} |`,
    ),
    ...(reference === null
      ? []
      : [`| people (fresh) | ${reference.mci.n} | | ${figureText(reference.mci)} | | | | |`]),
    '',
    '## Diagnosis',
    '',
    ...report.diagnosis.map(({ mode, level }) => `- ${mode}: **${level}**`),
    '',
    '## Confounds',
    '',
    ...(report.confounds.length === 0
      ? ['None found.']
      : report.confounds.map(({ kind, text }) => `- ${kind}: ${inline(text)}`)),
    '',
    '## How it was measured',
    '',
    `- collapse-aware ${inline(report.version)}, schema ${report.schema}`,
    `- behaviour space \`${space.id.replaceAll('`', "'")}\`, K = ${space.k} (${inline(space.kRule)}), seed ${space.seed}`,
    `- embedder ${inline(space.embedder)}; control ${space.control} (${inline(space.controlReason)}); unit ${space.unit} (${inline(space.unitReason)})`,
    `- ${input.kept} of ${input.rows} rows kept from ${input.files.length} file(s), ${space.contexts} contexts, ${input.duplicates} duplicates counted once`,
    `- dropped: ${dropped === '' ? 'none' : inline(dropped)}`,
    `- people: ${input.reference === null ? 'none' : `${input.reference.kept} of ${input.reference.rows} rows kept`}`,
    '',
  ];
  return lines.join('\n');
}

function figureRow(name: string, figure: Figure): string {
  if (figure.value === null)
    return `| ${name} | not measured: ${inline(figure.reason ?? 'no reason given')} | | ${figure.n} |`;
  const interval =
    figure.low === null ? `none (${inline(figure.method)})` : figureText(figure).replace(/^\S+ /, '');
  const mark = figure.approximate === true ? ' (approximate)' : '';
  return `| ${name} | ${figureText(figure).split(' ')[0]}${mark} | ${interval} | ${figure.n} |`;
}

/** Text of others on one line of Markdown: no markup, no table cell, no HTML of theirs takes effect. */
function inline(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '?')
    .replace(/[\\`*_[\]|~#!]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .trim();
}
