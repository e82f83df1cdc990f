import { CollapseAwareError } from '../errors.ts';

export type Cell = string | number | boolean | Date | null;

/** First sheet of a workbook, a row an array. Throws CA_FORMAT_INVALID. */
export async function xlsxTable(path: string, label = path): Promise<Cell[][]> {
  // Only a workbook is worth the time that it takes to load.
  const { readSheet } = await import('read-excel-file/node');
  try {
    return (await readSheet(path)) as Cell[][];
  } catch (error) {
    throw new CollapseAwareError('CA_FORMAT_INVALID', 'a zip file that is no Excel workbook', {
      place: { file: label },
      todo: 'give an .xlsx file, or unpack the archive',
      cause: error,
    });
  }
}

/** The first sheet's header; an empty cell is ''. */
export async function xlsxColumns(path: string): Promise<string[]> {
  const [header] = await xlsxTable(path);
  return (header ?? []).map((cell) => (cell === null ? '' : String(cell)));
}
