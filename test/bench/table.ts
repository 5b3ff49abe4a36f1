import type { Line } from './line.ts';
import { rounded } from './statistics.ts';

const HEAD = [
  'figure',
  'value',
  'p50',
  'p95',
  'p99',
  'raw',
  'ratio',
  'floor',
  'aim',
  'met',
  'cpu',
  'raw cpu',
];

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function bound(line: Line, value: number | undefined): string {
  if (value === undefined || line.judged === undefined) return '';
  const [of, sense] = line.judged;
  return `${of === 'ratio' ? '' : `${of} `}${sense === 'at_least' ? '≥' : '≤'} ${value}`;
}

/** CPU milliseconds for each measurement, of the processes that serve it: the load generator is left out. */
function cpuEach(line: Line, names: readonly string[], n: number | undefined): string {
  const used = names.map((name) => line.cpu[name]);
  if (line.raw_n === undefined || !n || used.some((seconds) => typeof seconds !== 'number')) return '';
  const seconds = used.reduce((sum: number, each) => sum + (each ?? 0), 0);
  return `${rounded((seconds * 1000) / n)} ms`;
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
    cpuEach(line, ['service', 'service_database'], line.n),
    cpuEach(line, ['raw', 'raw_database'], line.raw_n),
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
