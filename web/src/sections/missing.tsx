import type { AuditPage, AuditReport } from '../../../src/audit/report-data.ts';
import { pValue } from '../format.ts';
import { labeller } from '../labels.ts';
import { Missing, Name, Quote, Value } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

type Gap = AuditReport['missing'][number];

/** Modes of people that no simulator plays, in people's own words. */
export function MissingSection({ page }: { page: AuditPage }) {
  const { report, modes } = page;
  const label = labeller(modes);
  const columns: Column<Gap>[] = [
    {
      id: 'mode',
      header: 'Mode',
      node: ({ mode }) => (
        <>
          {mode + 1} <Name>{label(mode)}</Name>
        </>
      ),
    },
    { id: 'mass', header: 'Share of people', figure: ({ mass }) => mass },
    {
      id: 'p',
      header: 'p',
      hint: 'Chance of seeing none if it were as common as in people, Holm-adjusted',
      number: ({ p }) => p,
      format: pValue,
    },
  ];
  return (
    <Section
      id="missing"
      title="Missing modes"
      lead="Kinds of user that people show and no simulator plays often enough to be seen. The turns are people's own."
    >
      {report.reference === null ? (
        <Missing>Not measured: no dialogues of people were given (`--reference`).</Missing>
      ) : report.missing.length === 0 ? (
        <Missing>None is surely missing at this sample size.</Missing>
      ) : (
        <>
          <ul class="gallery gallery-people">
            {report.missing.map((gap) => (
              <li key={gap.mode}>
                <h3>
                  <span class="mode-number">{gap.mode + 1}</span> <Name>{label(gap.mode)}</Name>
                </h3>
                <p class="fine">
                  Share of people <Value figure={gap.mass} />, p {pValue(gap.p)}
                </p>
                {gap.exemplars.slice(0, 3).map((text, at) => (
                  <Quote key={at}>{text}</Quote>
                ))}
              </li>
            ))}
          </ul>
          <details class="as-table">
            <summary>Show as a table</summary>
            <Table caption="Modes of people that are missing" columns={columns} rows={report.missing} />
          </details>
        </>
      )}
    </Section>
  );
}
