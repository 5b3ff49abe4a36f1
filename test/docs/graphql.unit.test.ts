import { readdirSync, readFileSync } from 'node:fs';

import { Documents } from '../../resolvers/document.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { blocksOf } from './page.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const found = pages.flatMap((page) =>
  blocksOf(readFileSync(new URL(page, DOCS), 'utf8'))
    .filter(({ language }) => language === 'graphql')
    .map(({ line, text }) => ({ at: `${page}:${line}`, text })),
);
const documents = new Documents(executableSchema(), { introspection: true });

describe('the GraphQL documents of the pages', () => {
  it.each(found)('$at fits the schema and the limits of documents', ({ text }) => {
    expect(documents.read(text).errors).toBeNull();
  });
});
