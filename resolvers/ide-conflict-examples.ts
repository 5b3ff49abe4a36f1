import type { IdeTab } from './ide-examples.ts';

const CONFLICTS = `# What events contradict one another about, with the statements on both sides.
query Conflicts($scope: String!, $after: String) {
  conflicts(scope: $scope, first: 20, after: $after) {
    total
    nodes {
      id
      subject
      predicate
      records { id object validFrom validTo eventId }
    }
    pageInfo { hasNextPage endCursor }
  }
}

# One conflict, by the "conflict_id" of the environment.
query Conflict($conflict: ID!) {
  conflict(id: $conflict) { status detectedAt resolvedAt resolvedBy confidence }
}

# How somebody settles one: "record_id" is the id of the record whose value holds.
mutation Settle($conflict: ID!, $winner: String!) {
  resolveConflict(id: $conflict, input: { action: pick, winner: $winner, reason: "asked her" }) {
    status
    resolvedBy
    resolution { action winner reason }
  }
}
`;

/** What contradicts what, and how it is settled. */
export const CONFLICT_TAB: IdeTab = {
  name: 'conflicts',
  document: CONFLICTS,
  variables: { scope: 'user:demo', conflict: '{{conflict_id}}', winner: '{{record_id}}' },
};
