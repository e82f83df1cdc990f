/** Rows of equal length, the first one being the head, as Markdown. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...body.map(line)].join('\n');
}

/** The same in aligned columns for a terminal: the first to the left, the others to the right. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
