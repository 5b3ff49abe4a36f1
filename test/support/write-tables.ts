import { readFileSync, writeFileSync } from 'node:fs';

import { settingsTable } from '../../src/config/document.ts';
import { metricsTable } from '../../src/metrics/catalogue.ts';
import { limitsTable } from './limits-table.ts';
import { rootFields } from './root-fields.ts';

// Writes the tables and lists that the README has of the code: npm run tables.

const README = new URL('../../README.md', import.meta.url);
const tables: Record<string, () => string> = {
  settings: settingsTable,
  metrics: metricsTable,
  limits: limitsTable,
  'root fields': rootFields,
};

let text = readFileSync(README, 'utf8');
for (const [name, table] of Object.entries(tables)) {
  const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`README.md has no place for the table ${name}`);
  text = `${text.slice(0, start + open.length)}${table().trimEnd()}\n${text.slice(end)}`;
}
writeFileSync(README, text);
