import type { IdeExamples } from './group.ts';

const CONCEPTS = `# What is understood of the entities of the statements of "State".
query Concepts($scope: String!, $at: DateTime) {
  concepts(scope: $scope, asOf: { at: $at }, first: 20) {
    nodes {
      id
      name
      version
      summary
      stance
      confidence
      coverageScore
      stalenessScore
      _partial
      _partialReason
      _progress
    }
    pageInfo { hasNextPage endCursor }
  }
}

# One concept, by the "concept_id" of the environment, with what it rests on.
query Concept($concept: ID!) {
  concept(id: $concept) {
    name
    supportedBy { facts episodes beliefs }
    edges { to relation weight }
  }
}

# How it came to be what it is.
query Versions($concept: ID!) {
  conceptHistory(id: $concept) {
    nodes { version summary causedBy recordedFrom recordedTo }
  }
}

# What it has to do with others, and these with others again.
query Related($concept: ID!) {
  relatedConcepts(id: $concept, depth: 2) {
    nodes { id name relation weight depth from }
    pageInfo { hasNextPage endCursor }
  }
}

# Has all of them cite the newest that is known; the job is followed by the lifecycle stream.
mutation Synthesize($scope: String!) {
  synthesizeConcepts(input: { scope: $scope }) { jobId status lifecycleStream }
}

# How well the scope is understood.
query Coverage($scope: String!) {
  conceptCoverage(scope: $scope) { concepts partial supports supportsCited coverageScore }
}
`;

/** What is understood. */
export const CONCEPT_EXAMPLES: IdeExamples = {
  name: 'understanding',
  document: CONCEPTS,
  variables: { scope: 'user:demo', concept: '{{concept_id}}' },
};
