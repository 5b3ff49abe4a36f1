import type { IdeExamples } from './group.ts';

const VOCABULARIES = `# Says what a scope calls things, and by which predicates facts are told there. Makes the vocabulary, or changes the entries named.
mutation UpdateVocabulary($vocabulary: String!, $change: UpdateVocabularyInput!) {
  updateVocabulary(name: $vocabulary, input: $change) {
    scope
    predicates { id aliases cardinality }
    terms { id term aliases }
    revision
    countsAfter
  }
}

# One vocabulary with all of its entries.
query Vocabulary($vocabulary: String!) {
  vocabulary(name: $vocabulary) {
    description
    scope
    terms { id term label category definition aliases active validFrom validTo replacedBy }
    predicates { id term label category definition aliases active validFrom validTo replacedBy cardinality }
    relations { id term aliases cardinality }
    updatedAt
    updatedBy
  }
}

# The vocabularies that may be read.
query Vocabularies($after: String) {
  vocabularies(first: 20, after: $after) {
    nodes { name scope revision countsAfter createdAt createdBy }
    pageInfo { hasNextPage endCursor }
  }
}

# Removes it; what is captured from then on goes without it.
mutation RemoveVocabulary($vocabulary: String!) {
  removeVocabulary(name: $vocabulary)
}
`;

/** A working document for every operation on vocabularies. */
export const VOCABULARY_EXAMPLES: IdeExamples = {
  name: 'vocabularies',
  document: VOCABULARIES,
  variables: {
    vocabulary: 'demo',
    change: {
      description: 'Words of the sales team.',
      scope: 'user:demo',
      terms: [{ id: 'arr', term: 'annual recurring revenue', aliases: ['ARR'] }],
      predicates: [{ id: 'renews_on', aliases: ['renewal date'], cardinality: 'one' }],
      relations: [{ id: 'account_of', aliases: ['looked after by'], cardinality: 'many' }],
    },
  },
};
