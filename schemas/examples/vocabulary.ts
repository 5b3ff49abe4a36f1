import type { ExamplesOf } from '../example.ts';
import type { VOCABULARY_OPERATIONS } from '../operation/vocabulary.ts';
import type { VocabularyItem } from '../vocabulary-record.ts';

const entry = {
  category: null,
  definition: null,
  active: true,
  valid_from: null,
  valid_to: null,
  replaced_by: null,
};

const vocabulary: VocabularyItem = {
  name: 'crm',
  description: 'Words of the sales team.',
  scope: 'org:acme',
  terms: [
    {
      ...entry,
      id: 'arr',
      term: 'annual recurring revenue',
      label: null,
      definition: 'What contracts bring in a year.',
      aliases: ['ARR'],
    },
  ],
  predicates: [
    {
      ...entry,
      id: 'renews_on',
      term: null,
      label: 'Renewal date',
      aliases: ['renewal date', 'contract ends on'],
      cardinality: 'one',
    },
  ],
  relations: [
    {
      ...entry,
      id: 'account_of',
      term: null,
      label: null,
      aliases: ['looked after by'],
      cardinality: 'many',
    },
  ],
  revision: 1,
  counts_after: 12,
  created_at: '2026-11-27T04:46:12.628Z',
  created_by: 'user:local',
  updated_at: '2026-11-27T04:46:12.628Z',
  updated_by: 'user:local',
};

/** An example of each of the operations on vocabularies. */
export const VOCABULARY_EXAMPLES = {
  updateVocabulary: {
    params: { name: 'crm' },
    body: {
      description: 'Words of the sales team.',
      scope: 'org:acme',
      terms: [
        {
          id: 'arr',
          term: 'annual recurring revenue',
          definition: 'What contracts bring in a year.',
          aliases: ['ARR'],
        },
      ],
      predicates: [
        {
          id: 'renews_on',
          label: 'Renewal date',
          aliases: ['renewal date', 'contract ends on'],
          cardinality: 'one',
        },
      ],
      relations: [{ id: 'account_of', aliases: ['looked after by'], cardinality: 'many' }],
    },
    status: 200,
    answer: vocabulary,
  },
  listVocabularies: { status: 200, answer: { items: [vocabulary], has_more: false } },
  getVocabulary: { params: { name: 'crm' }, status: 200, answer: vocabulary },
  removeVocabulary: { params: { name: 'crm' }, status: 204 },
} satisfies ExamplesOf<typeof VOCABULARY_OPERATIONS>;
