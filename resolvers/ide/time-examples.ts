import type { IdeExamples } from './group.ts';

const TIME = `# Gives a time phrase a meaning of your own: the two weeks before today. Run again, it changes nothing.
mutation DefinePhrase($phrase: DefineTemporalPhraseInput!) {
  defineTemporalPhrase(input: $phrase) {
    name
    createdAt
    updatedAt
    current { from to }
  }
}

# The phrases of the tenant, and what they stand for now.
query Phrases($after: String) {
  temporalPhrases(first: 20, after: $after) {
    nodes { name anchor expression current { from to } createdBy }
    pageInfo { hasNextPage endCursor }
  }
}

# Takes the meaning back; case and width of blanks do not count.
mutation RemovePhrase($name: String!) {
  removeTemporalPhrase(name: $name)
}
`;

/** A working document for every operation on own time phrases. */
export const TIME_EXAMPLES: IdeExamples = {
  name: 'time',
  document: TIME,
  variables: {
    phrase: { name: 'last sprint', anchor: 'today', expression: '-P14D..P0D' },
    name: 'Last Sprint',
  },
};
