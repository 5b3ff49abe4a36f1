/** Characters of a value at most; what is longer ends with `…`. */
const MAX_WIDTH = 120;

/** Rows under the names of their columns, in lines; each column as wide as its widest value. */
export function tableLines(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): readonly string[] {
  if (columns.length === 0) return [];
  const cells = rows.map((row) => row.map(cellOf));
  const widths = columns.map((name, i) =>
    cells.reduce((width, row) => Math.max(width, lengthOf(row[i] ?? '')), lengthOf(name)),
  );
  const line = (values: readonly string[]): string =>
    values
      .map((value, i) => value + ' '.repeat((widths[i] ?? 0) - lengthOf(value)))
      .join('  ')
      .trimEnd();
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)];
}

/** White space and control characters, of which a terminal would do what they say. */
const BLANKS = /[\s\p{Cc}]+/gu;

/** A text on one line, cut where it is too long; all else as JSON. */
function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const characters = Array.from(text.replaceAll(BLANKS, ' '));
  return characters.length <= MAX_WIDTH
    ? characters.join('')
    : `${characters.slice(0, MAX_WIDTH - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
