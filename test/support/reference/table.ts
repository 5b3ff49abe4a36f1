/** A table in markdown. Bars, line ends and what looks like a tag are made harmless in cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(harmless).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function harmless(cell: string): string {
  const parts = cell
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .split('`');
  // In code, between two backticks, a tag is none.
  return parts.map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`');
}

/** Names as code, separated by commas. */
export function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
