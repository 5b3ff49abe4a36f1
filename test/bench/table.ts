import type { Line } from './line.ts';

const HEAD = ['figure', 'value', 'p50', 'p95', 'p99', 'raw', 'ratio', 'floor', 'aim', 'met'];

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function bound(line: Line, value: number | undefined): string {
  if (value === undefined || line.judged === undefined) return '';
  const [of, sense] = line.judged;
  return `${of === 'p95' ? 'p95 ' : ''}${sense === 'at_least' ? '≥' : '≤'} ${value}`;
}

function row(line: Line): string[] {
  return [
    line.name,
    line.value === null ? (line.note ?? 'not measured') : `${line.value} ${line.unit}`,
    text(line.p50),
    text(line.p95),
    text(line.p99),
    text(line.raw),
    text(line.ratio),
    bound(line, line.floor),
    bound(line, line.aim),
    line.met ?? '',
  ];
}

/** The lines as a table for people; what missed its floor is named once more below. */
export function table(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(row)];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((cells, i) => (lines[i - 1]?.value === null ? 0 : (cells[column] ?? '').length))),
  );
  const text = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const missed = lines.filter(({ met }) => met === 'missed').map(({ name }) => name);
  return [...text, missed.length === 0 ? '' : `below the floor: ${missed.join(', ')}`].join('\n').trimEnd();
}
