import type { AuditReport } from '../../../src/audit/report-data.ts';
import { count, plural } from '../format.ts';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

type File = AuditReport['input']['files'][number];
type Dropped = AuditReport['input']['dropped'][number];

const FILES: readonly Column<File>[] = [
  { id: 'path', header: 'File', text: ({ path }) => path },
  { id: 'format', header: 'Format', text: ({ format }) => format },
  { id: 'rows', header: 'Rows', number: ({ rows }) => rows },
  { id: 'kept', header: 'Kept', number: ({ kept }) => kept },
];
const DROPPED: readonly Column<Dropped>[] = [
  { id: 'code', header: 'Code', node: ({ code }) => <code>{code}</code> },
  { id: 'reason', header: 'Reason', text: ({ reason }) => reason },
  { id: 'count', header: 'Rows', number: ({ count: n }) => n },
  { id: 'first', header: 'First seen', text: ({ first }) => first },
];

/** From files to the episodes that entered: nothing is lost without a reason. */
export function InputSection({ report }: { report: AuditReport }) {
  const { input } = report;
  const lost = input.dropped.reduce((sum, { count: n }) => sum + n, 0);
  const steps = [
    { name: 'rows read', n: input.rows, note: plural(input.files.length, 'file') },
    { name: 'usable', n: input.rows - lost, note: lost === 0 ? 'none dropped' : `${count(lost)} dropped` },
    {
      name: 'kept',
      n: input.kept,
      note:
        input.duplicates === 0 ? 'no duplicates' : `${plural(input.duplicates, 'duplicate')} counted once`,
    },
  ];
  return (
    <Section id="input" title="Input">
      <ol class="funnel">
        {steps.map(({ name, n, note }) => (
          <li key={name}>
            <span class="funnel-text">
              <b>{count(n)}</b> {name} <span class="fine">{note}</span>
            </span>
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect class="funnel-rest" width="100" height="8" />
              <rect class="funnel-part" width={input.rows > 0 ? (100 * n) / input.rows : 0} height="8" />
            </svg>
          </li>
        ))}
      </ol>
      <p class="fine">
        {input.reference === null
          ? 'No dialogues of people were given.'
          : `People: ${count(input.reference.kept)} of ${count(input.reference.rows)} rows kept.`}
      </p>
      <Table caption="Files" columns={FILES} rows={input.files} />
      <Table caption="Dropped rows" columns={DROPPED} rows={input.dropped} empty="No row was dropped." />
    </Section>
  );
}
