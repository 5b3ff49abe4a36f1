import { readFileSync } from 'node:fs';

import { settingsTable } from '../../src/config/document.ts';
import { tableCells } from '../support/table.ts';

describe('the configuration table of the README', () => {
  it('is the table of settings', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const section = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1] ?? '';
    expect(tableCells(section)).toEqual(tableCells(settingsTable()));
  });
});
