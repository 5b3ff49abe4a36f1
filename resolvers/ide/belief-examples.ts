import type { IdeExamples } from './group.ts';

const BELIEFS = `# What is believed of Ada after the statements of "State", the contradicted included.
query Beliefs($scope: String!, $at: DateTime) {
  beliefs(scope: $scope, about: "Ada", asOf: { at: $at }, first: 20) {
    nodes {
      id
      claim { subject { name } predicate object { ... on EntityTerm { name } } }
      stance
      confidence
      confidenceInterval { lower upper }
      validFrom
      validTo
    }
    pageInfo { hasNextPage endCursor }
  }
}

# One belief, by the "belief_id" of the environment.
query Belief($belief: ID!) {
  belief(id: $belief) {
    stance
    supports { type id weight polarity }
    lastRevisedAt
    revisionCount
  }
}

# How it came to be what it is.
query Revisions($belief: ID!) {
  beliefHistory(beliefId: $belief) {
    nodes { revision stance confidence revisedAt causedBy }
    revisionCount
  }
}

# What nobody stated, but somebody holds for true; it survives a rebuild, and a newer one closes it.
mutation Declare($scope: String!) {
  declareBelief(input: {
    scope: $scope, subject: "Ada", predicate: "prefers", statement: "Ada prefers tea in the morning", confidence: 0.8
  }) {
    id
    stance
    confidence
    supports { type id weight }
  }
}

# Why: down to the events, and in words.
query Why($belief: ID!) {
  beliefWhy(beliefId: $belief, depth: 2) {
    narrative
    supportGraph {
      nodes { id type weight summary }
      edges { from to relation }
    }
  }
}
`;

const PROVENANCE = `# Any record by its id, with what it was made of and what was made of it; by the "belief_id" of the environment.
query Node($record: ID!) {
  node(id: $record) {
    __typename
    id
    scope
    derivedFrom { __typename id }
    derives { __typename id }
    supersedes { id }
    supersededBy { id }
  }
}

# What it rests on, and what rests on it, step by step.
query Provenance($record: ID!) {
  provenance(id: $record, direction: both, depth: 3) {
    nodes { id type summary }
    edges { from to relation span { start end } }
    truncated
  }
}

# What took the place of what.
query Chain($record: ID!) {
  provenance(id: $record, direction: both, relation: supersession) {
    nodes { id summary }
    edges { from to }
  }
}
`;

const GRAPH = `# What is known in a scope as a graph; "after" goes on.
query Graph($scope: String!, $at: DateTime, $after: String) {
  graph(scope: $scope, asOf: { at: $at }, first: 20, after: $after) {
    nodes { id type summary validFrom validTo confidence stance more }
    edges { from to type weight polarity }
    pageInfo { hasNextPage endCursor }
  }
}

# What was learned since an instant: what appeared, what is gone, what says something else.
query Difference($scope: String!, $from: DateTime!) {
  graphDiff(scope: $scope, from: $from) {
    appeared { nodes { id type summary } edges { from to type } }
    gone { nodes { id type summary } edges { from to type } }
    changed { nodes { before { summary } after { summary } } }
    unchanged { nodes edges }
  }
}

# What changes in it, as it happens: read the graph when the first one comes.
subscription Changes($scope: String!) {
  graphChanged(scope: $scope) {
    lifecycleId
    readAgain
    nodes { id type summary }
    edges { from to type }
    gone
  }
}

# What one record has to do with others, by the "belief_id" of the environment.
query Neighbours($record: ID!) {
  neighbours(id: $record) {
    nodes { id type summary }
    edges { from to type }
  }
}

# What is said of one entity, with what it rests on.
query About($scope: String!) {
  graph(scope: $scope, entity: "Ada", types: [entity, fact, event]) {
    nodes { id type summary }
    edges { from to type span { start end } }
  }
}
`;

/** What is known, as a graph. */
export const GRAPH_EXAMPLES: IdeExamples = {
  name: 'graph',
  document: GRAPH,
  variables: { scope: 'user:demo', record: '{{belief_id}}', from: '2026-01-01T00:00:00Z' },
};

/** What records have to do with one another. */
export const PROVENANCE_EXAMPLES: IdeExamples = {
  name: 'provenance',
  document: PROVENANCE,
  variables: { record: '{{belief_id}}' },
};

/** What is believed, and why. */
export const BELIEF_EXAMPLES: IdeExamples = {
  name: 'beliefs',
  document: BELIEFS,
  variables: { scope: 'user:demo', belief: '{{belief_id}}' },
};
