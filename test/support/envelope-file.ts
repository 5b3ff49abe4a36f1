import { readFileSync } from 'node:fs';

/** The envelopes of a file, one a line. */
export function readEnvelopes(file: string): Record<string, unknown>[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
