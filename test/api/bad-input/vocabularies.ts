import type { BadCase } from './case.ts';

type Row = readonly [what: string, body: unknown, field: string, name?: string];

const ROWS: readonly Row[] = [
  ['a name with a blank', {}, 'name', 'two%20words'],
  ['a name of 65 characters', {}, 'name', 'n'.repeat(65)],
  ['a list', [], ''],
  ['a misspelt field', { term: [] }, 'term'],
  ['the scope "org"', { scope: 'org' }, 'scope'],
  ['terms that are an object', { terms: {} }, 'terms'],
  ['2001 terms', { terms: Array.from({ length: 2_001 }, (_, i) => ({ id: `t${i}` })) }, 'terms'],
  ['a term without an id', { terms: [{ term: 'x' }] }, 'terms[0].id'],
  ['a blank id', { terms: [{ id: ' ' }] }, 'terms[0].id'],
  ['an id of 257 characters', { terms: [{ id: 'x'.repeat(257) }] }, 'terms[0].id'],
  ['an unknown field of an entry', { terms: [{ id: 'x', cardinality: 'one' }] }, 'terms[0].cardinality'],
  ['an unknown cardinality', { predicates: [{ id: 'x', cardinality: 'few' }] }, 'predicates[0].cardinality'],
  ['aliases that are a text', { predicates: [{ id: 'x', aliases: 'y' }] }, 'predicates[0].aliases'],
  [
    '65 aliases',
    { predicates: [{ id: 'x', aliases: Array.from({ length: 65 }, (_, i) => `a${i}`) }] },
    'predicates[0].aliases',
  ],
  ['aliases that are null', { predicates: [{ id: 'x', aliases: null }] }, 'predicates[0].aliases'],
  ['a day that is none', { relations: [{ id: 'x', valid_from: '2026-02-30' }] }, 'relations[0].valid_from'],
  [
    'an entry that ends before it begins',
    { relations: [{ id: 'x', valid_from: '2026-02-03', valid_to: '2026-02-03' }] },
    'relations[0].valid_to',
  ],
  ['an id that is given twice', { relations: [{ id: 'x' }, { id: 'x' }] }, 'relations[1].id'],
  [
    'a replacement that there is not',
    { relations: [{ id: 'x', replaced_by: 'y' }] },
    'relations[0].replaced_by',
  ],
  [
    'an entry that replaces itself',
    { relations: [{ id: 'x', replaced_by: 'x' }] },
    'relations[0].replaced_by',
  ],
  [
    'one name for two predicates',
    { predicates: [{ id: 'x' }], relations: [{ id: 'y', aliases: ['X'] }] },
    'relations[0]',
  ],
  [
    'a definition of 4097 characters',
    { terms: [{ id: 'x', definition: 'x'.repeat(4_097) }] },
    'terms[0].definition',
  ],
];

/** Changes of a vocabulary that are refused. */
export const BAD_VOCABULARIES: BadCase[] = ROWS.map(([what, body, field, name = 'bad']) => ({
  what: `a vocabulary with ${what}`,
  method: 'PATCH',
  path: `/v1/vocabularies/${name}`,
  options: () => ({ body }),
  status: 422,
  code: 'INVALID_BODY',
  field,
}));
