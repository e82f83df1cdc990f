import type { CurationManifest, InputFile, OutputFile } from '../../../src/curation/manifest.ts';
import { hasPeople } from '../change.ts';
import { plural } from '../format.ts';
import { Missing } from '../number.tsx';
import { Section } from '../shell.tsx';
import { type Column, Table } from '../table.tsx';

const READ: readonly Column<InputFile>[] = [
  { id: 'path', header: 'File', text: ({ path }) => path },
  { id: 'format', header: 'Format', text: ({ format }) => format },
  { id: 'rows', header: 'Rows', number: ({ rows }) => rows },
  { id: 'kept', header: 'Read', number: ({ kept }) => kept },
  { id: 'bytes', header: 'Bytes', number: ({ bytes }) => bytes },
  { id: 'sha256', header: 'SHA-256', node: ({ sha256 }) => <Hash text={sha256} /> },
];
const STOPPED: Column<InputFile> = {
  id: 'error',
  header: 'Stopped by',
  hint: 'Why reading ended early; rows before that are used',
  text: ({ error }) => (error == null ? '' : `${error.code}: ${error.message}`),
};
const WRITTEN: readonly Column<OutputFile>[] = [
  { id: 'path', header: 'File', text: ({ path }) => path },
  { id: 'rows', header: 'Rows', number: ({ rows }) => rows },
  { id: 'bytes', header: 'Bytes', number: ({ bytes }) => bytes },
  { id: 'sha256', header: 'SHA-256', node: ({ sha256 }) => <Hash text={sha256} /> },
];

/** What went in and what came out, byte for byte. */
export function FilesSection({ manifest }: { manifest: CurationManifest }) {
  const { inputs, reference, outputs } = manifest;
  const rows = inputs.reduce((sum, file) => sum + file.rows, 0);
  return (
    <Section
      id="files"
      title="Files"
      lead={`${plural(rows, 'row')} came in. Hashes are of the bytes as they lie on disk: the same inputs, recipe and seed give the same outputs.`}
    >
      <Table caption="Read" columns={columnsOf(inputs)} rows={inputs} />
      {reference === null ? (
        <Missing>
          {hasPeople(manifest.modes)
            ? 'The people stand among these rows: no file of them was given.'
            : 'No dialogues of people were given: BDI and the coverage boost need them.'}
        </Missing>
      ) : (
        <Table caption="Read as people" columns={columnsOf(reference)} rows={reference} />
      )}
      <Table caption="Written" columns={WRITTEN} rows={outputs} empty="No data set was written." />
      {outputs.length > 0 && (
        <p class="fine">
          And <code>manifest.json</code>, every number of this page, and the page itself: neither can hold its
          own hash.
        </p>
      )}
    </Section>
  );
}

function columnsOf(files: readonly InputFile[]): readonly Column<InputFile>[] {
  return files.some(({ error }) => error != null) ? [...READ, STOPPED] : READ;
}

function Hash({ text }: { text: string | null }) {
  return text === null ? <>no hash: standard input</> : <code class="hash">{text}</code>;
}
