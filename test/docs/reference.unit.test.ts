import { readFileSync } from 'node:fs';

import { OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import { fixedLimits, valueText } from '../support/reference/limits.ts';
import { GENERATED, partOf } from '../support/reference/pages.ts';
import { anchorOf } from '../support/reference/rest.ts';
import { fieldRows } from '../support/reference/schema-rows.ts';

function textOf(page: string): string {
  return readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
}

describe('the reference', () => {
  it.each(GENERATED)('$page has the $name that the code has (npm run tables writes them)', (part) => {
    expect(partOf(textOf(part.page), part.name)?.text.split('\n')).toEqual(
      `${part.text().trimEnd()}\n`.split('\n'),
    );
  });

  it('leads to each operation by an anchor of its own', () => {
    expect(new Set(OPERATION_IDS.map(anchorOf)).size).toBe(OPERATION_IDS.length);
  });

  it('tells nested fields, and the alternatives of a value', () => {
    const names = fieldRows(operationOf('captureExperience').body!.schema).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'scope',
        'context.observed_at',
        'content(kind: message).role',
        'content(kind: triple).triple.predicate',
      ]),
    );
  });
});

describe('the README', () => {
  it('is short, and holds nothing that is made from the code', () => {
    const readme = textOf('README.md');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(GENERATED.filter(({ name }) => readme.includes(`<!-- ${name} -->`))).toEqual([]);
  });
});

describe('the table of fixed limits', () => {
  const { fixed, shapes } = fixedLimits();

  it('finds the bounds of the service and of the shapes of requests', () => {
    const values = Object.fromEntries([...fixed, ...shapes].map((limit) => [limit.name, valueText(limit)]));
    expect(values).toMatchObject({
      MAX_BULK_BODY_BYTES: '64 MiB',
      INGEST_LINE_BYTES: '65472 KiB',
      DATABASE_ACQUISITION_MS: '10 s',
      NEO4J_ORPHAN_STOP_S: '10 s',
      MAX_MEDIA_TYPE_LENGTH: '512',
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
