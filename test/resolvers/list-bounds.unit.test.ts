import { parse } from 'graphql';

import { longListProblem } from '../../resolvers/list-bounds.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { MAX_BULK_ITEMS } from '../../src/limits.ts';

const schema = executableSchema();
const BULK = 'mutation ($input: BulkInput!) { captureMany(input: $input) { accepted } }';
const MANY = Array.from({ length: MAX_BULK_ITEMS + 1 }, () => ({}));
const MOST = MANY.slice(1);

function problem(query: string, variables: unknown, operationName?: string) {
  const refusal = longListProblem({ schema, document: parse(query), variables }, operationName);
  return refusal === null ? null : [refusal.code, refusal.details?.field_path];
}

describe('a list of input objects with more items than a bulk may have', () => {
  it.each([
    ['of a bulk', BULK, { input: { items: MANY } }, ['INVALID_BODY', 'items']],
    [
      'that is a variable',
      'mutation ($all: [ExperienceInput!]!) { captureMany(input: { items: $all }) { accepted } }',
      { all: MANY },
      ['INVALID_BODY', 'items'],
    ],
    [
      'in an item',
      BULK,
      { input: { items: [{}, { context: { refersTo: [{ candidates: MANY }] } }] } },
      ['INVALID_ENVELOPE', 'items[1].context.refers_to[0].candidates'],
    ],
    [
      'of a query',
      'query ($input: RecallInput!) { recall(input: $input) { packId } }',
      { input: { queryVariants: MANY } },
      ['INVALID_QUERY', 'query_variants'],
    ],
  ])('is refused: %s', (_what, query, variables, refusal) => {
    expect(problem(query, variables)).toEqual(refusal);
  });

  it.each([
    ['as many items as there may be', BULK, { input: { items: MOST } }],
    ['a list that is content', BULK, { input: { items: [{ content: { json: { json: MANY } } }] } }],
    ['a list that is metadata', BULK, { input: { items: [{ metadata: { a: MANY } }] } }],
    ['a variable of no operation', BULK, { input: {}, other: MANY }],
    ['a list where none belongs, which the library refuses at its first item', BULK, { input: MANY }],
    ['an unknown field', BULK, { input: { many: MANY } }],
    ['no variables', BULK, null],
  ])('is not: %s', (_what, query, variables) => {
    expect(problem(query, variables)).toBeNull();
  });

  it('is looked for in the operation that is executed', () => {
    const two = `query a { health { status } } ${BULK.replace('mutation', 'mutation b')}`;
    expect(problem(two, { input: { items: MANY } }, 'a')).toBeNull();
    expect(problem(two, { input: { items: MANY } }, 'b')).toEqual(['INVALID_BODY', 'items']);
    expect(problem(two, { input: { items: MANY } })).toBeNull();
  });
});
