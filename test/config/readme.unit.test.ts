import { readFileSync } from 'node:fs';

import { settingsTable } from '../../src/config/document.ts';

// The README is formatted with padded columns; only cells count.
function cells(table: string): string[] {
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

describe('the configuration table of the README', () => {
  it('is the table of settings', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1] ?? '';
    expect(cells(section)).toEqual(cells(settingsTable()));
  });
});
