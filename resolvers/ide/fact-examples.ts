import type { IdeExamples } from './group.ts';

const FACTS = `# What is stated without a model: Facts, beliefs and concepts of the other documents come of these statements.
mutation State($statements: BulkInput!) {
  captureMany(input: $statements, wait: consolidated) {
    accepted
    results { eventId status }
  }
}

# What is true now. With "at" it is what was known then to be true then.
query Facts($scope: String!, $at: DateTime) {
  facts(scope: $scope, asOf: { at: $at }, first: 20) {
    nodes {
      id
      subject { id name }
      predicate
      object { ... on EntityTerm { id name } ... on LiteralTerm { value } }
      validFrom
      validTo
      confidence
    }
    pageInfo { hasNextPage endCursor }
  }
}

# Everything that was ever known, with what became of it and what it rests on.
query History($scope: String!) {
  facts(scope: $scope, includeSuperseded: true, first: 20) {
    nodes {
      id
      recordedFrom
      recordedTo
      supersededBy { id object { ... on EntityTerm { id } } }
      supersedes { id }
      derivedFrom { id ... on Event { content { kind } } derives { id } }
    }
  }
}

# Where somebody lived when.
query Timeline($who: String!) {
  factTimeline(subject: $who, predicate: "lives in") {
    subject { id name }
    nodes { factId value validFrom validTo recordedAt }
  }
}

# One fact, by the "fact_id" of the environment; at an instant with "at".
query Fact($fact: ID!) {
  fact(id: $fact) {
    id
    scope
    predicate
    supports
    supersededBy { id }
  }
}

# Why it is known: the events, and the words in them.
query FactWhy($fact: ID!) {
  factWhy(id: $fact) {
    narrative
    supportGraph {
      nodes { id type summary }
      edges { from to relation span { start end } }
    }
  }
}

# What the facts of a scope are about.
query Entities($scope: String!) {
  entities(scope: $scope, first: 20) {
    nodes { id name aliases type scopes }
    pageInfo { hasNextPage endCursor }
  }
}

# One entity, with what it is related to.
query Entity($entity: ID!) {
  entity(id: $entity) { id name aliases type scopes links { linkId entity } }
  entityEdges(id: $entity) {
    nodes { direction predicate entity { id name } validFrom validTo }
  }
}

# Has one entity go by another one from now on: what is stated of either is known of one.
mutation Link($link: LinkEntitiesInput!) {
  linkEntities(input: $link) { linkId entity sameAs recordedAt status }
}

# Takes a link back, by the "link_id" of the environment: the two go apart again.
mutation Unlink($linkId: ID!) {
  unlinkEntities(id: $linkId) { linkId unlinkedAt status }
}
`;

const ADA = { entity: { id: 'ent_ada', name: 'Ada' } };

function livesIn(id: string, name: string, validFrom: string): Record<string, unknown> {
  const triple = { subject: ADA, predicate: 'lives in', object: { entity: { id, name } }, validFrom };
  return { modality: 'observation', content: { triple }, idempotencyKey: `ide-${id}` };
}

/** Facts and what they are about. */
export const FACT_EXAMPLES: IdeExamples = {
  name: 'facts',
  document: FACTS,
  variables: {
    statements: {
      scope: 'user:demo',
      items: [livesIn('ent_porto', 'Porto', '2024-02-01'), livesIn('ent_lisbon', 'Lisbon', '2026-03-01')],
    },
    scope: 'user:demo',
    who: 'Ada',
    fact: '{{fact_id}}',
    entity: 'ent_ada',
    link: { scope: 'user:demo', entity: 'ent_ada_lovelace', sameAs: 'ent_ada' },
    linkId: '{{link_id}}',
  },
};
