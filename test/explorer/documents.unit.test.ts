import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { parse, specifiedRules, validate, type GraphQLError } from 'graphql';

import { executableSchema } from '../../resolvers/schema.ts';
import type { Document } from '../../src/explorer/api/document.ts';

const ROOT = fileURLToPath(new URL('../../src/explorer/', import.meta.url));
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('queries.ts'),
);
const schema = executableSchema();

function faultsOf({ text, kind }: Document<unknown, unknown>): string[] {
  const document = parse(text);
  const kinds = document.definitions.map((definition) =>
    definition.kind === 'OperationDefinition' ? definition.operation : definition.kind,
  );
  const faults = validate(schema, document, specifiedRules).map(({ message }: GraphQLError) => message);
  return kinds.some((found) => found !== kind) ? [...faults, `a ${kind} is a ${kinds.join()}`] : faults;
}

async function documentsIn(name: string): Promise<[string, Document<unknown, unknown>][]> {
  const exported = (await import(pathToFileURL(join(ROOT, name)).href)) as Record<string, any>;
  return Object.entries(exported).filter(([, value]) => typeof value?.text === 'string');
}

describe('the documents of the explorer', () => {
  it('are found', () => {
    expect(FILES.length).toBeGreaterThan(3);
  });

  it.each(FILES)('%s fit the contract', async (name) => {
    const documents = await documentsIn(name);
    expect(documents.length).toBeGreaterThan(0);
    for (const [exported, document] of documents)
      expect([exported, faultsOf(document)]).toEqual([exported, []]);
  });

  it('are refused where they do not fit', () => {
    expect(faultsOf({ kind: 'query', text: '{ whoami { nobody } }' })).not.toEqual([]);
    expect(faultsOf({ kind: 'mutation', text: '{ whoami { caller } }' })).not.toEqual([]);
  });
});
