import type { IdeExamples } from './group.ts';

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

# What was claimed in a year, record by record, and all that was ever known of one claim.
query Claims($scope: String!) {
  claims(scope: $scope, validDuring: "2026..2027", first: 20) {
    nodes { id subject predicate object validFrom validTo status supersedes }
    pageInfo { hasNextPage endCursor }
  }
}

# What was stated of one claim, with what became of each statement.
query ClaimHistory($scope: String!) {
  claimHistory(scope: $scope, subject: "ent_priya", predicate: "lives in") {
    claim { subject predicate }
    nodes { object validFrom validTo recordedFrom recordedTo status }
    conflicts { id status }
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
export const CONFLICT_EXAMPLES: IdeExamples = {
  name: 'conflicts',
  document: CONFLICTS,
  variables: { scope: 'user:demo', conflict: '{{conflict_id}}', winner: '{{record_id}}' },
};
