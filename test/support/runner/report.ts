/** What one part of a run came to. */
export interface Part {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  /** Most memory that its Node processes had together, megabytes; null where nobody looked. */
  readonly peakMb: number | null;
  /** What failed, each with the command that repeats it. */
  readonly failures: readonly string[];
}

/** Prints the parts, what failed, and as the last line how many passed; true when nothing failed and, unless `orNone`, something passed. */
export function report(parts: readonly Part[], { orNone }: { orNone: boolean }): boolean {
  const rows = parts.map(({ name, seconds, passed, failed, peakMb }) => [
    name,
    `${Math.round(seconds)} s`,
    `${passed} passed`,
    `${failed} failed`,
    peakMb === null ? '' : `${peakMb} MB`,
  ]);
  say(`\n${tableOf(rows)}`);
  for (const failure of parts.flatMap(({ failures }) => failures)) say(`\nFAILED ${failure}`);
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const passed = sum((part) => part.passed);
  const failed = sum((part) => part.failed);
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && (orNone || passed > 0);
}

/** Rows as lines whose columns stand below each other, the first to the left and others to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, i) => Math.max(most[i] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Prints a line for the person who runs the tests. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
