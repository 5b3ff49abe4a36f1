import { readFileSync } from 'node:fs';

import { settingsTable } from '../../src/config/document.ts';
import { metricsTable } from '../../src/metrics/catalogue.ts';
import { fixedLimits, limitsTable, valueText } from '../support/limits-table.ts';
import { rootFields } from '../support/root-fields.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it.each([
    ['settings', settingsTable],
    ['metrics', metricsTable],
    ['limits', limitsTable],
    ['root fields', rootFields],
  ])('has the table of %s that the code has (npm run tables writes it)', (name, table) => {
    const section = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(readme)?.[1] ?? '';
    expect(section.split('\n')).toEqual(`${table().trimEnd()}\n`.split('\n'));
  });
});

describe('the table of fixed limits', () => {
  const { fixed, shapes } = fixedLimits();

  it('finds the bounds of the service and of the shapes of requests', () => {
    const values = Object.fromEntries([...fixed, ...shapes].map((limit) => [limit.name, valueText(limit)]));
    expect(values).toMatchObject({
      MAX_BULK_BODY_BYTES: '64 MiB',
      INGEST_LINE_BYTES: '65472 KiB',
      DATABASE_STATEMENT_MS: '10 s',
      NEO4J_ORPHAN_STOP_S: '10 s',
      NEO4J_START_MS: '2 min',
      MAX_SCOPE_SEGMENTS: '32',
      MAX_LABEL_BYTES: '256 KiB',
      LIMIT_CEILING: '1000',
    });
  });

  it.each([...fixed, ...shapes])('$name says what it bounds', ({ why }) => {
    expect(why).toMatch(/^.{10,}\.$/);
  });

  it.each(fixed.filter(({ name }) => /_(MS|S|BYTES)$/.test(name)))('$name says its unit', ({ name, why }) => {
    const unit = /_(MS|S|BYTES)$/.exec(name)?.[1] ?? '';
    expect(why.toLowerCase()).toMatch({ MS: /milliseconds?/, S: /seconds?/, BYTES: /bytes/ }[unit] ?? /^$/);
  });
});
