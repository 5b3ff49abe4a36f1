/** The cells of a markdown table, row by row; padding and the line below the head do not count. */
export function tableCells(table: string): string[] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .join('|'),
    );
}
