import { parse } from 'csv-parse';
import { CollapseAwareError } from '../errors.ts';
import { csvDelimiter } from './head.ts';
import type { Source } from './reader.ts';
import { drained } from './source-bytes.ts';

export interface CsvRow {
  /** Line of the file at which the record ends, from 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Records of a CSV or TSV file by column name, constant memory. An empty header cell is the column ''.
 * Short records have '' in the missing cells. Throws CA_FORMAT_INVALID where the quoting is broken beyond reading.
 */
export async function* csvRows(source: Source): AsyncGenerator<CsvRow> {
  const { text } = await source.head();
  const parser = parse({
    delimiter: csvDelimiter(text) ?? ',',
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 64 * 1024 * 1024,
    info: true,
  });
  // Own pump instead of pipe: an error of the source has to reach the reader of the rows.
  let failure: unknown;
  const feed = (async () => {
    try {
      for await (const line of source.lines()) {
        if (line.fault !== undefined)
          throw new CollapseAwareError(line.fault.code, line.fault.reason, {
            place: { file: source.path, line: line.number },
          });
        if (parser.destroyed) return;
        if (!parser.write(`${line.text}\n`)) await drained(parser);
      }
    } catch (error) {
      failure = error;
    }
    parser.end();
  })();
  let header: string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (header === null) {
        header = record.map((name) => name.trim());
        continue;
      }
      const cells: Record<string, string> = Object.create(null);
      for (let i = 0; i < header.length; i++) cells[header[i] as string] = record[i] ?? '';
      yield { line: info.lines, cells };
    }
  } catch (error) {
    throw new CollapseAwareError('CA_FORMAT_INVALID', `not CSV: ${(error as Error).message.slice(0, 200)}`, {
      place: { file: source.path },
      cause: error,
    });
  } finally {
    parser.destroy();
    await feed;
  }
  if (failure !== undefined) throw failure;
}
